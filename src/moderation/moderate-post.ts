import type { JobPayload } from '../jobs/jobs.ts'
import type { Clock } from '../platform/clock.ts'
import { type Database, inTransaction } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { type Sites, siteOf } from '../posts/sites.ts'
import { applyDecision, type Decision } from './apply-decision.ts'
import { askModel, ModelFault, type ModelOptions, type Opinion } from './ask-model.ts'
import { decide } from './decision-table.ts'
import { recordDecisionSeconds, reportModelFault } from './model/measure.ts'
import type { decisionObserver } from './observe.ts'

export type Moderation = {
  db: Database
  clock: Clock
  logger: Logger
  sites: Sites
  model: ModelOptions
  observe: ReturnType<typeof decisionObserver>
}

/**
 * How many answers that are none a post is given before a person decides. What says nothing of the post, such as a model
 * that is away, busy or wrongly configured, is waited for; what may be the post's doing, such as a crash, is given more.
 */
function patienceWith({ kind, status }: ModelFault): number {
  if (kind === 'unreachable') return Number.POSITIVE_INFINITY
  if (kind === 'broken_off' || status === 500) return 8
  if (kind === 'status') return [400, 413, 422].includes(Number(status)) ? 4 : Number.POSITIVE_INFINITY
  return 4
}

/**
 * Asks the model about a queued post or edit, outside any transaction, and applies what follows, in one. Ends quietly
 * when nothing is left to do. Throws to be tried again.
 */
export async function moderatePost(
  moderation: Moderation,
  { post_id, edit }: JobPayload<'moderate-post'>,
  signal?: AbortSignal,
) {
  const { db, clock, sites, model } = moderation
  const found = await readCase(db, post_id, edit)
  if (!found) return
  const { kind } = siteOf(sites, found.kind)
  const shared = { postId: post_id, edit, from: ['queued'] } as const
  const startedAt = performance.now()
  const opinion = await askModel(
    { ...model, signal },
    {
      kind: found.kind,
      authorName: found.author_name,
      texts: kind.texts(found.content as object),
    },
  ).catch((error) => unlessTooOften(moderation, { postId: post_id, edit }, error))
  const modelSeconds = (performance.now() - startedAt) / 1_000
  if (opinion) await recordDecisionSeconds(db, modelSeconds)
  const decision = opinion ? judged(opinion) : givenUp
  const isFirst = await inTransaction(db, (tx) => applyDecision(tx, sites, { ...shared, ...decision, at: clock.now() }))
  if (isFirst) moderation.observe({ ...shared, ...decision, modelSeconds })
}

/** The post or edit as it waits to be judged; undefined when it no longer does. */
function readCase(db: Database, postId: string, edit: number) {
  const posts = db
    .selectFrom('posts')
    .innerJoin('accounts', 'accounts.id', 'posts.account_id')
    .select(['posts.kind', 'accounts.name as author_name'])
    .where('posts.id', '=', postId)
  if (edit === 0) return posts.select('posts.content').where('posts.status', '=', 'queued').executeTakeFirst()
  return posts
    .innerJoin('post_edits', 'post_edits.post_id', 'posts.id')
    .select('post_edits.content')
    .where('post_edits.number', '=', edit)
    .where('post_edits.status', '=', 'queued')
    .executeTakeFirst()
}

/** Counts a model's fault against the post, and throws it until there were too many. */
async function unlessTooOften(
  { db, logger }: Moderation,
  { postId, edit }: { postId: string; edit: number },
  error: unknown,
) {
  if (!(error instanceof ModelFault)) throw error
  // No model will ever read it, and none is at fault.
  if (error.kind === 'too_long') return null
  await reportModelFault(db)
  const patience = patienceWith(error)
  if (patience === Number.POSITIVE_INFINITY) throw error
  const counted = await countFailure(db, postId, edit)
  logger.warn({ post_id: postId, edit, failures: counted, fault: error.kind }, 'the model gave no answer')
  if (counted < patience) throw error
  return null
}

async function countFailure(db: Database, postId: string, edit: number): Promise<number> {
  const row =
    edit === 0
      ? await db
          .updateTable('posts')
          .set((post) => ({ model_failures: post('model_failures', '+', 1) }))
          .where('id', '=', postId)
          .where('status', '=', 'queued')
          .returning('model_failures')
          .executeTakeFirst()
      : await db
          .updateTable('post_edits')
          .set((one) => ({ model_failures: one('model_failures', '+', 1) }))
          .where('post_id', '=', postId)
          .where('number', '=', edit)
          .where('status', '=', 'queued')
          .returning('model_failures')
          .executeTakeFirst()
  return row?.model_failures ?? 0
}

type Judgement = Pick<Decision, 'outcome' | 'category' | 'by'>

function judged(opinion: Opinion): Judgement {
  const verdict = decide(opinion)
  const category = verdict.outcome === 'low_quality' ? 'low_quality' : 'category' in verdict ? verdict.category : null
  const { model, version, classifier, judge } = opinion
  return {
    outcome: verdict.outcome,
    category,
    by: {
      automated: true,
      actor: `model:${model}`,
      model,
      modelVersion: version,
      scores: {
        classifier: classifier.scores,
        judge: { verdict: judge.verdict, category: judge.category, score: judge.score },
      },
    },
  }
}

/** What a model could not judge, a person does. */
const givenUp: Judgement = {
  outcome: 'review',
  category: null,
  by: { automated: true, actor: 'system:model-gave-no-answer' },
}
