import assert from 'node:assert/strict'
import type { DecisionOutcome, ReviewReason } from '../../../generated/database-types.ts'
import { isClosed } from '../../accounts/deletion/close-account.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { prices } from '../../ledger/prices.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { isAbusive, type PolicyCategoryId, policy } from '../../policy/policy.ts'
import { reasonFor } from '../../policy/reasons.ts'
import { closeReview, openReview } from '../../posts/review/reviews.ts'
import { type Sites, siteOf } from '../../posts/sites.ts'
import {
  changeEditStatus,
  changeStatus,
  type EventDetails,
  type LockedPost,
  lockPost,
} from '../../posts/status/change-status.ts'
import type { EditStatus, PostStatus } from '../../posts/status/lifecycle.ts'
import { logDecision } from '../../posts/status/logged-decision.ts'
import { isRefusal } from '../../posts/status/refusals.ts'
import { describeRefusal } from '../../posts/status/statement-of-reasons.ts'
import { consequences, settle } from './consequences.ts'

const sensitive: readonly (PolicyCategoryId | null)[] = ['sexual', 'sexual_minors', 'self_harm']

/** A post that would be published, but repeats another account's text. It is no row of the decision table. */
export const copyRow = 'similar_to_another'

/** Rows of the decision table that determine the review reason on their own. */
const byRow: Record<string, ReviewReason> = {
  minors: 'sensitive',
  judge_failed: 'no_answer',
  rule_hit: 'rule',
  rule_doubts: 'rule',
  [copyRow]: 'similar',
}

type Scores = { row?: string; judged?: boolean }

/** The review reason shown to the author. */
export function reviewReasonOf({ category, by }: Pick<Decision, 'category' | 'by'>): ReviewReason {
  const { row = '', judged } = (by.scores ?? {}) as Scores
  if (sensitive.includes(category)) return 'sensitive'
  if (by.actor.startsWith('system:')) return 'no_answer'
  return byRow[row] ?? (judged === false ? 'language' : 'unsure')
}

export type NewDecision = Pick<Decision, 'postId' | 'edit' | 'outcome' | 'category' | 'by' | 'at'>

/** Inserts the append-only row that the status record quotes, and returns its id. */
export async function recordDecision(tx: Transaction, decision: NewDecision): Promise<number> {
  const { postId, edit, outcome, category, by, at } = decision
  const { id } = await tx
    .insertInto('moderation_decisions')
    .values({
      post_id: postId,
      edit,
      outcome,
      category,
      reason: category && reasonFor(category),
      automated: by.automated,
      actor: by.actor,
      policy_version: policy.version,
      model: by.model ?? null,
      model_version: by.modelVersion ?? null,
      scores: JSON.stringify(by.scores ?? {}),
      decided_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type Decision = {
  postId: string
  /** 0 for the post itself. */
  edit: number
  outcome: DecisionOutcome
  category: PolicyCategoryId | null
  by: { automated: boolean; actor: string; model?: string; modelVersion?: string; scores?: object }
  /** The statuses in which this decision can still be made. */
  from: readonly (PostStatus | EditStatus)[]
  /** Whether the reversed decision charged a penalty and added a strike. */
  punished?: boolean
  /** The sampling rate, if the decision was sampled for an audit. */
  sampled?: number | null
  at: Date
}

/**
 * Applies a decision: status, money, strike, statement of reasons and event, in one transaction. Returns false and
 * changes nothing if another decision came first.
 */
export async function applyDecision(tx: Transaction, sites: Sites, decision: Decision): Promise<boolean> {
  const { postId, edit, at } = decision
  const post = await lockPost(tx, postId)
  if (!post || !(await isStillOpen(tx, post, decision))) return false
  const consequence = consequencesOf(decision)
  const { kind, baseUrl } = siteOf(sites, post.kind)
  const priceMicros = edit === 0 ? kind.priceMicros : prices.editMicros
  await settle(tx, consequence, { accountId: post.account_id, postId, edit, priceMicros, at })
  const id = await recordDecision(tx, decision)
  if (isRefusal(decision))
    await logDecision(tx, id, {
      post_id: postId,
      edit,
      outcome: decision.outcome,
      category: decision.category,
      automated: decision.by.automated,
      policy_version: policy.version,
      decided_at: at,
    })
  if (decision.sampled) await keepSample(tx, id, decision, decision.sampled)
  const canAppeal = !(await wasAppealed(tx, decision))
  const review = await keepReview(tx, post, decision)
  const change = {
    post,
    told: { ...eventDetailOf(decision, consequence, { baseUrl, canAppeal }), ...review },
    at,
    sites,
  }
  if (edit > 0) await changeEditStatus(tx, { ...change, number: edit, to: present(consequence.edit) })
  else await changeStatus(tx, { ...change, to: present(consequence.post) })
  if (decision.outcome === 'remove' && (await isClosed(tx, post.account_id)))
    await enqueue(tx, 'erase-removed-post', { post_id: postId }, { once: postId })
  return true
}

/** Opens or closes the review of the post or edit, and returns the review's details for the event. */
async function keepReview(
  tx: Transaction,
  post: LockedPost,
  decision: Decision,
): Promise<Pick<EventDetails, 'review'>> {
  const { postId, edit, outcome, at } = decision
  if (outcome === 'review') {
    const opened = { postId, edit, accountId: post.account_id, reason: reviewReasonOf(decision), at }
    return { review: await openReview(tx, opened) }
  }
  if (outcome === 'publish' || outcome === 'low_quality' || outcome === 'abuse')
    await closeReview(tx, { postId, edit, outcome, at })
  return {}
}

/** Runs in the same transaction as the decision, so that no sample is lost. */
async function keepSample(tx: Transaction, id: number, { postId, edit, outcome, at }: Decision, share: number) {
  const sample = { decision_id: id, post_id: postId, edit, outcome, share, sampled_at: at }
  await tx.insertInto('audit_samples').values(sample).execute()
}

/** Only abusive categories are penalised: a removal for low quality costs nothing more. */
function consequencesOf({ outcome, category, punished = false }: Decision) {
  const consequence = consequences[outcome]
  return {
    ...consequence,
    punishes: consequence.punishes && isAbusive(category),
    absolves: consequence.absolves && punished,
  }
}

async function isStillOpen(tx: Transaction, post: LockedPost, { edit, from }: Decision): Promise<boolean> {
  if (edit === 0) return from.includes(post.status)
  const row = await tx
    .selectFrom('post_edits')
    .select('status')
    .where('post_id', '=', post.id)
    .where('number', '=', edit)
    .executeTakeFirst()
  return post.status === 'published' && row !== undefined && from.includes(row.status)
}

/**
 * Whether a removed post was appealed before. If it was restored after an appeal, its second removal cannot be
 * appealed.
 */
async function wasAppealed(tx: Transaction, { postId, edit, outcome }: Decision): Promise<boolean> {
  if (outcome !== 'remove') return false
  const appeal = await tx
    .selectFrom('appeals')
    .select('edit')
    .where('post_id', '=', postId)
    .where('edit', '=', edit)
    .executeTakeFirst()
  return appeal !== undefined
}

type Appealing = { baseUrl: string; canAppeal: boolean }

/** The event data: codes and policy texts only. */
function eventDetailOf(
  { postId, outcome, category, by: { automated } }: Decision,
  { refunds, punishes }: ReturnType<typeof consequencesOf>,
  appealing: Appealing,
) {
  if (!category || outcome === 'review') return {}
  const what = { postId, category, automated, refunded: refunds, strike: punishes }
  const refusal = describeRefusal({ ...what, ...appealing })
  return outcome === 'remove' ? { removal: refusal } : { rejection: refusal }
}

function present<Status>(status: Status | null): Status {
  assert(status !== null, 'this decision does not apply to an edit')
  return status
}
