import type { Database, Transaction } from '../../platform/database/database.ts'
import { isAbusive, policy } from '../../policy/policy.ts'
import { splitReason } from '../../policy/reasons.ts'
import { postNotFound } from '../public/public-post.ts'
import type { ReviewRecord } from '../review/review-record.ts'
import { readReviews } from '../review/reviews.ts'
import { postUrl } from '../sites.ts'
import { type LockedPost, lockPost } from './change-status.ts'
import { logEntryOf } from './logged-decision.ts'
import type { ModerationEstimate } from './moderation-estimate.ts'
import { type History, type OwnPost, readHistories } from './read-histories.ts'
import { isAgainst, isRefusal, refusalToAppeal } from './refusals.ts'
import { statementOf } from './statement-of-reasons.ts'
import type { StatusRecord } from './status-record.ts'

type Context = { baseUrl: string; estimate: (edit: number) => Promise<ModerationEstimate>; at: Date }

/** The status record of a post for its owner. The row must belong to the owner. */
export async function readStatus(db: Database | Transaction, post: OwnPost, context: Context): Promise<StatusRecord> {
  const [record] = await readStatuses(db, [post], {
    baseUrlOf: () => context.baseUrl,
    estimates: (places) => Promise.all(places.map(({ edit }) => context.estimate(edit))),
    at: context.at,
  })
  return record as StatusRecord
}

type PageContext = {
  baseUrlOf: (kind: string) => string
  estimates: (places: readonly EditOfPost[]) => Promise<readonly ModerationEstimate[]>
  at: Date
}

/** The status records of several posts of one owner, with as many statements as for one. */
export async function readStatuses(
  db: Database | Transaction,
  posts: readonly OwnPost[],
  { baseUrlOf, estimates, at }: PageContext,
): Promise<StatusRecord[]> {
  const histories = await readHistories(db, posts)
  const versions = histories.flatMap(versionsOf)
  const [queued, reviewed] = [versions.filter(isIn('queued')), versions.filter(isIn('review'))]
  const [expected, reviews] = [
    queued.length > 0 ? await estimates(queued) : [],
    reviewed.length > 0 ? await readReviews(db, reviewed, at) : [],
  ]
  const waits = new Map<string, Wait>()
  for (const [index, moderation] of expected.entries()) waits.set(nameOf(queued[index] as EditOfPost), { moderation })
  for (const [index, review] of reviews.entries()) waits.set(nameOf(reviewed[index] as EditOfPost), { review })
  const waitOf = (postId: string, edit: number) => waits.get(nameOf({ postId, edit }))
  return histories.map((history) => describe(history, baseUrlOf(history.post.kind), waitOf))
}

type EditOfPost = { postId: string; edit: number }
type Wait = { moderation?: ModerationEstimate; review?: ReviewRecord }

const nameOf = ({ postId, edit }: EditOfPost) => `${postId}/${edit}`

/** The post itself (0) and its latest edit, each with its own status. */
const versionsOf = ({ post, edit }: History) => [
  { postId: post.id, edit: 0, status: post.status as string, since: post.created_at },
  ...(edit ? [{ postId: post.id, edit: edit.number, status: edit.status as string, since: edit.submitted_at }] : []),
]

const isIn =
  (wanted: string) =>
  ({ status }: { status: string }) =>
    status === wanted

function describe(
  history: History,
  baseUrl: string,
  waitOf: (postId: string, edit: number) => Wait | undefined,
): StatusRecord {
  const { post, decisions, money, edit } = history
  const last = decisions.findLast(({ edit: number }) => number === 0)
  const refusal = refusalOf(0, history, baseUrl)
  return {
    id: post.id,
    kind: post.kind,
    status: post.status,
    created_at: post.created_at.toISOString(),
    decided_at: post.decided_at?.toISOString() ?? null,
    url: post.status === 'published' ? postUrl(baseUrl, post.id) : null,
    charged_micros: money.reduce((sum, row) => sum + row.chargedMicros, 0),
    refunded_micros: money.reduce((sum, row) => sum + row.refundedMicros, 0),
    policy_version: last?.policy_version ?? policy.version,
    ...waitOf(post.id, 0),
    ...(last && post.status !== 'queued' && { decision: decisionOf(last) }),
    ...(post.status === 'rejected' && refusal && { rejection: refusal }),
    ...(post.status === 'removed' &&
      refusal &&
      post.decided_at && { removal: { ...refusal, removed_at: post.decided_at.toISOString() } }),
    ...(edit && { edit: editOf(edit, history, baseUrl, waitOf(post.id, edit.number)) }),
  }
}

export type FoundOwnPost = NonNullable<Awaited<ReturnType<typeof findOwnPost>>>

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

type Decision = History['decisions'][number]

const decisionOf = ({ automated, model, decided_at }: Decision) => ({
  automated,
  model,
  decided_at: decided_at.toISOString(),
})

/** The latest rejection or removal of the post (0) or rejection of an edit, with the texts of its decision. */
function refusalOf(edit: number, { post, decisions, money, appeals }: History, baseUrl: string) {
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
    ...logEntryOf(refusal),
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

function appealOf(appeals: History['appeals'], refusal: Decision) {
  const appeal = appeals.find((one) => isAgainst(one, refusal))
  if (!appeal) return null
  const status = (appeal.outcome ?? 'open') as 'open' | 'upheld' | 'dismissed'
  return { status, submitted_at: appeal.submitted_at.toISOString() }
}

function editOf(edit: NonNullable<History['edit']>, history: History, baseUrl: string, wait: Wait | undefined) {
  const rejection = refusalOf(edit.number, history, baseUrl)
  return {
    status: edit.status,
    submitted_at: edit.submitted_at.toISOString(),
    ...wait,
    ...(edit.status === 'rejected' && rejection && { rejection }),
  }
}

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
