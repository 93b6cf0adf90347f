import { sql } from 'kysely'
import { hasJob } from '../../jobs/backlog.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { moderationJobs } from '../../jobs/jobs.ts'
import {
  type Database,
  inTransaction,
  isDatabaseUnavailable,
  type Transaction,
} from '../../platform/database/database.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import type { Sites } from '../../posts/sites.ts'
import { applyDecision } from '../decisions/apply-decision.ts'

/** A post that no model could judge for this long goes to a person. */
const patienceMs = 6 * 3_600_000
/** A post older than this that is queued without a job was lost by the job queue. */
const forgottenMs = 60_000
/** The maximum per run. The next run, a minute later, handles the rest. */
const batch = 5_000

type Sweep = { db: Database; sites: Sites; logger: Logger; at: Date }
type Waiting = { post_id: string; edit: number; account_id: string }

/**
 * Enqueues a new job for posts and edits that are queued without one, and sends those that waited too long to a person.
 * If one of them fails, the others are still handled, and the job fails at the end.
 */
export async function requeueStrandedPosts({ db, sites, logger, at }: Sweep): Promise<void> {
  let failed = 0
  const handleEach = async (
    posts: readonly Waiting[],
    handle: (tx: Transaction, waiting: Waiting) => Promise<unknown>,
  ) => {
    for (const waiting of posts)
      await inTransaction(db, (tx) => handle(tx, waiting)).catch((error) => {
        if (isDatabaseUnavailable(error)) throw error
        failed++
        logger.error({ post_id: waiting.post_id, edit: waiting.edit, error }, 'a stranded post could not be handled')
      })
  }
  await handleEach(await waitingSince(db, new Date(at.getTime() - patienceMs)), (tx, { post_id, edit }) =>
    applyDecision(tx, sites, {
      postId: post_id,
      edit,
      outcome: 'review',
      category: null,
      by: { automated: true, actor: 'system:waited-too-long' },
      from: ['queued'],
      at,
    }),
  )
  const lost = await waitingSince(db, new Date(at.getTime() - forgottenMs), { withoutJob: true })
  await handleEach(lost, (tx, { account_id, ...waiting }) =>
    enqueue(tx, 'screen-post', waiting, { share: { account: account_id, windows: 1 } }),
  )
  if (failed > 0) throw new Error(`${failed} stranded posts could not be handled`)
}

async function waitingSince(db: Database, since: Date, { withoutJob = false } = {}): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select post_id, edit, account_id from (
      select id as post_id, 0 as edit, account_id, created_at from posts where status = 'queued'
      union all
      select post_id, number, posts.account_id, submitted_at from post_edits join posts on posts.id = post_id
      where post_edits.status = 'queued'
    ) waiting
    where created_at <= ${since} and not (${withoutJob} and ${hasJob(['screen-post', ...moderationJobs], ['post_id', 'edit'], 'waiting')})
    order by created_at limit ${batch}`.execute(db)
  return rows
}
