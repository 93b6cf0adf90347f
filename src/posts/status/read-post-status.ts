import type { Database, Transaction } from '../../platform/database/database.ts'
import { isAbusive, policy } from '../../policy/policy.ts'
import { splitReason } from '../../policy/reasons.ts'
import { postNotFound } from '../public/public-post.ts'
import { readReview } from '../review/reviews.ts'
import { postUrl } from '../sites.ts'
import { type LockedPost, lockPost } from './change-status.ts'
import type { ModerationEstimate } from './moderation-estimate.ts'
import { isAgainst, isRefusal, refusalToAppeal } from './refusals.ts'
import { statementOf } from './statement-of-reasons.ts'
import type { StatusRecord } from './status-record.ts'

type Context = { baseUrl: string; estimate: (edit: number) => Promise<ModerationEstimate>; at: Date }

/** The status record of a post for its owner. The row must belong to the owner. */
export async function readStatus(db: Database | Transaction, post: OwnPost, context: Context): Promise<StatusRecord> {
  const [money, decisions, edit, appeals] = [
    await readMoney(db, post.id),
    await readDecisions(db, post.id),
    await readLastEdit(db, post.id),
    await readAppeals(db, post.id),
  ]
  const last = decisions.findLast(({ edit: number }) => number === 0)
  const isWaiting = post.status === 'queued'
  const history = { post, decisions, money, appeals }
  const refusal = refusalOf(0, history, context)
  return {
    id: post.id,
    kind: post.kind,
    status: post.status,
    created_at: post.created_at.toISOString(),
    decided_at: post.decided_at?.toISOString() ?? null,
    url: post.status === 'published' ? postUrl(context.baseUrl, post.id) : null,
    charged_micros: money.reduce((sum, row) => sum + row.chargedMicros, 0),
    refunded_micros: money.reduce((sum, row) => sum + row.refundedMicros, 0),
    policy_version: last?.policy_version ?? policy.version,
    ...(isWaiting && { moderation: await context.estimate(0) }),
    ...(post.status === 'review' && { review: await reviewOf(db, post, context) }),
    ...(last && !isWaiting && { decision: decisionOf(last) }),
    ...(post.status === 'rejected' && refusal && { rejection: refusal }),
    ...(post.status === 'removed' &&
      refusal &&
      post.decided_at && { removal: { ...refusal, removed_at: post.decided_at.toISOString() } }),
    ...(edit && { edit: await editOf(db, edit, history, context) }),
  }
}

export type FoundOwnPost = NonNullable<Awaited<ReturnType<typeof findOwnPost>>>
export type OwnPost = Omit<FoundOwnPost, 'account_id'>

/** The post if this account submitted it on this site, in any status. */
export function findOwnPost(
  db: Database | Transaction,
  { id, accountId, kind }: { id: string; accountId: string; kind: string },
) {
  return db
    .selectFrom('posts')
    .select(['id', 'account_id', 'kind', 'status', 'created_at', 'decided_at'])
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

/**
 * The transfers for the post and each of its edits. An edit's subject is `<post>/<number>`; a repeated penalty adds
 * `/<count>`.
 */
async function readMoney(db: Database | Transaction, postId: string) {
  const rows = await db
    .selectFrom('ledger_transfers')
    .select(['subject', 'reason', 'amount_micros'])
    // An index range: '0' is the character after '/'.
    .where('subject', '>=', postId)
    .where('subject', '<', `${postId}0`)
    .execute()
  return rows.map(({ subject, reason, amount_micros: amount }) => ({
    edit: Number(subject.split('/')[1] ?? 0),
    chargedMicros: ['post', 'edit', 'penalty'].includes(reason) ? amount : 0,
    refundedMicros: ['refund', 'review_return', 'penalty_return'].includes(reason) ? amount : 0,
    isRefund: reason === 'refund',
    isReviewReturn: reason === 'review_return',
  }))
}

function readDecisions(db: Database | Transaction, postId: string) {
  return db
    .selectFrom('moderation_decisions')
    .select(['edit', 'outcome', 'category', 'reason', 'automated', 'model', 'policy_version', 'decided_at'])
    .where('post_id', '=', postId)
    .orderBy('id')
    .execute()
}

function readLastEdit(db: Database | Transaction, postId: string) {
  return db
    .selectFrom('post_edits')
    .select(['number', 'status', 'submitted_at'])
    .where('post_id', '=', postId)
    .orderBy('number', 'desc')
    .executeTakeFirst()
}

function readAppeals(db: Database | Transaction, postId: string) {
  return db.selectFrom('appeals').select(['edit', 'submitted_at', 'outcome']).where('post_id', '=', postId).execute()
}

type Decision = Awaited<ReturnType<typeof readDecisions>>[number]
type Money = Awaited<ReturnType<typeof readMoney>>
type Appeals = Awaited<ReturnType<typeof readAppeals>>
type Edit = NonNullable<Awaited<ReturnType<typeof readLastEdit>>>

const decisionOf = ({ automated, model, decided_at }: Decision) => ({
  automated,
  model,
  decided_at: decided_at.toISOString(),
})

/** The latest rejection or removal of the post (0) or rejection of an edit, with the texts of its decision. */
function refusalOf(edit: number, { post, decisions, money, appeals }: History, { baseUrl }: Context) {
  const own = decisions.filter((decision) => decision.edit === edit)
  const refusal = own.findLast(isRefusal)
  if (!refusal) return undefined
  const { category, reason, automated, policy_version: policyVersion } = refusal
  const abusive = isAbusive(category)
  const last = own.at(-1)
  const takenBack = last?.outcome === 'restore' ? last : undefined
  const words = splitReason(reason ?? '')
  const newestFirst = decisions.toReversed()
  const canAppeal = refusalToAppeal({ status: post.status, newestFirst, appeals }) === refusal
  return {
    category,
    reason: reason ?? '',
    abusive,
    refunded: money.some(
      // The penalty charges a refunded fee again, unless the decision was reversed.
      (row) => row.edit === edit && (row.isRefund || (row.isReviewReturn && (!abusive || takenBack !== undefined))),
    ),
    strike: abusive && !takenBack,
    statement: statementOf({ baseUrl, postId: post.id, policyVersion, category, automated, words, canAppeal }),
    appeal: appealOf(appeals, refusal),
    ...(takenBack && { taken_back_at: takenBack.decided_at.toISOString() }),
  }
}

function appealOf(appeals: Appeals, refusal: Decision) {
  const appeal = appeals.find((one) => isAgainst(one, refusal))
  if (!appeal) return null
  const status = (appeal.outcome ?? 'open') as 'open' | 'upheld' | 'dismissed'
  return { status, submitted_at: appeal.submitted_at.toISOString() }
}

type History = { post: OwnPost; decisions: readonly Decision[]; money: Money; appeals: Appeals }

async function editOf(db: Database | Transaction, edit: Edit, history: History, context: Context) {
  const rejection = refusalOf(edit.number, history, context)
  return {
    status: edit.status,
    submitted_at: edit.submitted_at.toISOString(),
    ...(edit.status === 'queued' && { moderation: await context.estimate(edit.number) }),
    ...(edit.status === 'review' && { review: await reviewOf(db, history.post, context, edit) }),
    ...(edit.status === 'rejected' && rejection && { rejection }),
  }
}

const reviewOf = (db: Database | Transaction, post: OwnPost, { at }: Context, edit?: Edit) =>
  readReview(db, { postId: post.id, edit: edit?.number ?? 0, since: edit?.submitted_at ?? post.created_at, at })

/**
 * Locks a post for the account that submitted it on this site. Other callers cannot block it or learn that it exists.
 */
export async function lockOwnPost(
  tx: Transaction,
  whose: { id: string; accountId: string; kind: string },
): Promise<LockedPost> {
  const post = (await findOwnPost(tx, whose)) && (await lockPost(tx, whose.id))
  if (!post) throw postNotFound()
  return post
}
