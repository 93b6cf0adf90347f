import type { Assessment } from '../../accounts/trust/assess-trust.ts'
import type { JobPayload } from '../../jobs/jobs.ts'
import { laneOf } from '../../jobs/moderation-lanes.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import { findNearDuplicates, hasEarlierSimilarPost } from '../../posts/duplicates/near-duplicates.ts'
import { signatureOf } from '../../posts/duplicates/signature.ts'
import { type Sites, siteOf } from '../../posts/sites.ts'
import { countWindows } from '../../text-analysis/count-windows.ts'
import { applyDecision, copyRow, type Decision } from '../decisions/apply-decision.ts'
import { decide } from '../decisions/decision-table.ts'
import { thresholds as shipped, type Thresholds } from '../decisions/thresholds.ts'
import { ModelError } from '../model-client/model-service.ts'
import { recordDecisionSeconds, reportModelError } from '../model-control/measure.ts'
import { canonicalise, canonicalParts } from './canonicalise.ts'
import type { decisionObserver } from './decision-metrics.ts'
import {
  JudgeError,
  judgeInStages,
  noScores,
  readRules,
  type StagedOpinion,
  type StageOptions,
} from './judge-in-stages.ts'
import type { PostToJudge } from './opinion.ts'
import { readStanding } from './read-standing.ts'
import { drawSample, type Sampled } from './sampling.ts'

export type Moderation = {
  db: Database
  clock: Clock
  logger: Logger
  sites: Sites
  model: StageOptions
  observe: ReturnType<typeof decisionObserver>
  /** The random source for audit samples: numbers in [0, 1); `Math.random` if omitted. */
  draw?: (() => number) | undefined
}

/**
 * How many failures are allowed before a person decides. Failures unrelated to the post, such as a model that is down,
 * busy or misconfigured, are retried without a limit. Failures that the post may have caused, such as a crash, count.
 */
function patienceWith({ kind, status }: ModelError): number {
  if (kind === 'unreachable' || kind === 'busy') return Number.POSITIVE_INFINITY
  if (kind === 'broken_off' || status === 500) return 8
  if (kind === 'status') return [400, 413, 422].includes(Number(status)) ? 4 : Number.POSITIVE_INFINITY
  return 4
}

/**
 * Sends a queued post or edit to the model outside any transaction, then applies the decision in one. Does nothing if
 * it is no longer queued. Throws if the job must be retried.
 */
export async function moderatePost(
  moderation: Moderation,
  { post_id, edit }: JobPayload<'moderate-post'>,
  signal?: AbortSignal,
) {
  const { db, model } = moderation
  const { thresholds = shipped } = model
  const found = await readModerationCase(moderation, post_id, edit)
  if (!found) return
  const { post } = found
  const startedAt = performance.now()
  const opinion = await judgeInStages({ ...model, signal }, post).catch((error) =>
    unlessTooOften(moderation, { postId: post_id, edit }, error),
  )
  const modelSeconds = (performance.now() - startedAt) / 1_000
  if (opinion?.model && opinion.judge !== 'failed') await recordDecisionSeconds(db, laneOf(found.windows), modelSeconds)
  if (opinion) warnOfOtherWeights(moderation.logger, opinion)
  const judge = async (tx: Transaction, at: Date) =>
    opinion
      ? judged(opinion, found.windows, await standingOf(tx, found, opinion, { at, thresholds }), thresholds)
      : givenUp(post)
  await conclude(moderation, found, judge, modelSeconds)
}

/** Judges the post or edit and applies the decision once, in one transaction. */
export async function conclude(
  moderation: Moderation,
  found: Case,
  judge: (tx: Transaction, at: Date) => Promise<Judgement>,
  modelSeconds: number,
) {
  const { db, clock, sites, draw = Math.random, observe } = moderation
  const shared = { postId: found.postId, edit: found.edit, from: ['queued'] } as const
  const { judgement, isFirst } = await inTransaction(db, async (tx) => {
    const at = clock.now()
    const judgement = await unlessCopied(tx, sites, found, await judge(tx, at))
    const sampled = drawSample(judgement, draw)
    return { judgement, isFirst: await applyDecision(tx, sites, { ...shared, ...judgement, sampled, at }) }
  })
  if (isFirst) observe({ ...shared, ...judgement, modelSeconds })
}

/**
 * A person decides on a text that another account submitted before, unless the author had it even earlier. It is not
 * refused, because whoever posts a predictable text first could otherwise block its author.
 */
async function unlessCopied(tx: Transaction, sites: Sites, found: Case, judgement: Judgement): Promise<Judgement> {
  const { postId, accountId, sentAt, post } = found
  const signature = judgement.outcome === 'publish' ? signatureOf(post.texts) : null
  if (!signature) return judgement
  const text = { postId, accountId, signature, at: sentAt }
  const { others } = await findNearDuplicates(tx, text, sentAt)
  if (others === 0 || (await hasEarlierSimilarPost(tx, text, siteOf(sites, post.kind).kind))) return judgement
  const { outcome: _, sample: __, by, ...rest } = judgement
  return { ...rest, outcome: 'review', by: { ...by, scores: { ...by.scores, row: copyRow } } }
}

export type Case = {
  postId: string
  edit: number
  accountId: string
  /** When it was submitted. */
  sentAt: Date
  post: PostToJudge
  /** The number of windows to judge, as a measure of the work. */
  windows: number
}

/** The queued post or edit; null if it is no longer queued. */
export async function readModerationCase(
  { db, sites }: Moderation,
  postId: string,
  edit: number,
): Promise<Case | null> {
  const found = await readRow(db, postId, edit)
  if (!found) return null
  const texts = siteOf(sites, found.kind).kind.texts(found.content as object)
  const windows = countWindows(...texts.map(({ text }) => text))
  const post = { kind: found.kind, authorName: found.author_name, texts }
  return { postId, edit, accountId: found.account_id, sentAt: found.sent_at, post, windows }
}

function readRow(db: Database, postId: string, edit: number) {
  const posts = db
    .selectFrom('posts')
    .innerJoin('accounts', 'accounts.id', 'posts.account_id')
    .select(['posts.kind', 'posts.account_id', 'accounts.name as author_name'])
    .where('posts.id', '=', postId)
  if (edit === 0)
    return posts
      .select(['posts.content', 'posts.created_at as sent_at'])
      .where('posts.status', '=', 'queued')
      .executeTakeFirst()
  return posts
    .innerJoin('post_edits', 'post_edits.post_id', 'posts.id')
    .select(['post_edits.content', 'post_edits.submitted_at as sent_at'])
    .where('post_edits.number', '=', edit)
    .where('post_edits.status', '=', 'queued')
    .executeTakeFirst()
}

/** Counts a model failure against the post. Rethrows the error until the post has too many failures. */
async function unlessTooOften(
  { db, logger }: Moderation,
  { postId, edit }: { postId: string; edit: number },
  error: unknown,
) {
  if (!(error instanceof ModelError)) throw error
  // The post is too long for any model, so no model is at fault.
  if (error.kind === 'too_long') return withoutAnswer(error)
  // The model is working on earlier requests: this says nothing about the post, and the model is healthy.
  if (error.kind === 'busy') throw error
  await reportModelError(db)
  const patience = patienceWith(error)
  if (patience === Number.POSITIVE_INFINITY) throw error
  const counted = await countFailure(db, postId, edit)
  logger.warn({ post_id: postId, edit, failures: counted, fault: error.kind }, 'the model gave no answer')
  if (counted < patience) throw error
  return withoutAnswer(error)
}

/** The findings of the other stages if only the judge failed; otherwise null. */
const withoutAnswer = (error: ModelError) => (error instanceof JudgeError ? error.rest : null)

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

/** The standing is read under locks only if the decision depends on it. */
function standingOf(
  tx: Transaction,
  { post, ...found }: Case,
  opinion: StagedOpinion,
  { at, thresholds }: { at: Date; thresholds: Thresholds },
) {
  const hold = decide(opinion, thresholds, 'trusted').row === 'trusted_author'
  return readStanding(tx, { ...post, ...found, at, hold })
}

export type Judgement = Pick<Decision, 'outcome' | 'category' | 'by'> & Sampled

type Treated = Pick<Assessment, 'treatedAs' | 'because'>

export function judged(
  opinion: StagedOpinion,
  windows: number,
  { treatedAs, because }: Treated,
  thresholds: Thresholds = shipped,
): Judgement {
  const verdict = decide(opinion, thresholds, treatedAs)
  const category = verdict.outcome === 'low_quality' ? 'low_quality' : 'category' in verdict ? verdict.category : null
  const { model, version, rules, local, judge } = opinion
  return {
    outcome: verdict.outcome,
    category,
    sample: verdict.sample,
    by: {
      automated: true,
      ...(model === null
        ? { actor: 'system:rules' }
        : { actor: `model:${model}`, model, modelVersion: version ?? model }),
      scores: {
        row: verdict.row,
        thresholds: thresholds.version,
        standing: treatedAs,
        because,
        windows,
        rules: rules.scores,
        ...(model !== null && { classifier: local.scores, overall: local.overall, judged: local.judged }),
        mentions_minors: rules.mentionsMinors,
        ...(typeof judge !== 'string' && {
          judge: { verdict: judge.verdict, category: judge.category, score: judge.score },
        }),
      },
    },
  }
}

/** If no model could judge the post, a person does, and sees the findings of the rules. */
function givenUp({ texts, authorName }: PostToJudge): Judgement {
  const rules = readRules({ texts: canonicalParts(texts), authorName: canonicalise(authorName) }, texts)
  const verdict = decide({ rules, local: { scores: noScores, overall: 0, judged: false }, judge: 'failed' })
  return {
    outcome: 'review',
    category: 'category' in verdict ? verdict.category : null,
    by: {
      automated: true,
      actor: 'system:model-gave-no-answer',
      scores: { thresholds: shipped.version, rules: rules.scores, mentions_minors: rules.mentionsMinors },
    },
  }
}

const warnedOf = new Set<string>()

/** Warns once per version that the model's scores do not mean what the thresholds assume. */
function warnOfOtherWeights(logger: Logger, { local, version }: StagedOpinion) {
  if (local.known !== false || version === null || warnedOf.has(version)) return
  warnedOf.add(version)
  logger.warn({ version, expected: shipped.model }, 'thresholds were chosen for a different local model')
}
