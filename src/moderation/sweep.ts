import { sql } from 'kysely'
import { enqueue } from '../jobs/enqueue.ts'
import { hasJob } from '../jobs/has-job.ts'
import { type Database, inTransaction } from '../platform/database.ts'
import type { Sites } from '../posts/sites.ts'
import { applyDecision } from './apply-decision.ts'

/** What no model could judge for so long goes to a person. */
const patienceMs = 6 * 3_600_000
/** A post older than this that waits without a job was forgotten by the queue. */
const forgottenMs = 60_000
/** So many in one run; the next run, a minute later, takes the following. */
const batch = 5_000

type Sweep = { db: Database; sites: Sites; at: Date }
type Waiting = { post_id: string; edit: number }

/** Gives posts and edits that wait without a job a new one, and those that waited too long to a person. */
export async function requeueStrandedPosts({ db, sites, at }: Sweep): Promise<void> {
  for (const { post_id, edit } of await waitingSince(db, new Date(at.getTime() - patienceMs)))
    await inTransaction(db, (tx) =>
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
  for (const waiting of await waitingSince(db, new Date(at.getTime() - forgottenMs), { withoutJob: true }))
    await inTransaction(db, (tx) => enqueue(tx, 'moderate-post', waiting))
}

async function waitingSince(db: Database, since: Date, { withoutJob = false } = {}): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select post_id, edit from (
      select id as post_id, 0 as edit, created_at from posts where status = 'queued'
      union all
      select post_id, number, submitted_at from post_edits where status = 'queued'
    ) waiting
    where created_at <= ${since} and not (${withoutJob} and ${hasJob('moderate-post', ['post_id', 'edit'], 'waiting')})
    order by created_at limit ${batch}`.execute(db)
  return rows
}
