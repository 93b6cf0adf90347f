import { enqueue } from '../../jobs/enqueue.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { isAbusive } from '../../policy/policy.ts'
import type { Sites } from '../../posts/sites.ts'
import { type LockedPost, lockPost } from '../../posts/status/change-status.ts'
import { decisionsAbout, isRefusal, refusalsThatStand } from '../../posts/status/refusals.ts'
import { applyDecision, recordDecision } from '../decisions/apply-decision.ts'
import { settle } from '../decisions/consequences.ts'

/** A post's open appeals, oldest first: 0 for the post itself, otherwise the number of the edit. */
export async function openAppeals(tx: Transaction, postId: string): Promise<number[]> {
  const appeals = await tx
    .selectFrom('appeals')
    .select('edit')
    .where('post_id', '=', postId)
    .where('outcome', 'is', null)
    .orderBy('submitted_at')
    .execute()
  return appeals.map(({ edit }) => edit)
}

type Closed = { post: LockedPost; edit: number; outcome: 'upheld' | 'dismissed'; at: Date }

/** Closes the open appeal for the post (0) or an edit, and notifies the owner. Returns false if none is open. */
export async function closeAppeal(tx: Transaction, { post, edit, outcome, at }: Closed): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('appeals')
    .set({ outcome, decided_at: at })
    .where('post_id', '=', post.id)
    .where('edit', '=', edit)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  const subject = `${post.id}/${edit}`
  await enqueue(tx, 'tell-owner', { account_id: post.account_id, about: 'appeal_decided', subject })
  return true
}

type Upheld = {
  postId: string
  /** The decision to reverse: the one on the post (0) or on an edit. If omitted, `findRefusal` chooses. */
  edit?: number
  actor: string
  at: Date
}

/**
 * Reverses a rejection or removal, with its strike and penalty. A removed post is published again unless its author has
 * deleted it. A rejected post or edit can no longer be published, so its whole fee is refunded and the author can
 * submit it again. The owner is notified even if nobody appealed. Returns false if there is nothing to reverse.
 */
export async function upholdAppeal(tx: Transaction, sites: Sites, upheld: Upheld): Promise<boolean> {
  const { postId, actor, at } = upheld
  const post = await lockPost(tx, postId)
  const refusal = post && (await findRefusal(tx, post, upheld.edit))
  if (!refusal) return false
  const { edit, punished } = refusal
  const wasBanned = await isBanned(tx, post.account_id)
  const decision = { postId, edit, outcome: 'restore' as const, category: null, by: { automated: false, actor }, at }
  if (edit === 0 && post.status === 'removed') {
    await applyDecision(tx, sites, { ...decision, from: ['removed'], punished })
  } else {
    const whose = { accountId: post.account_id, postId, edit, priceMicros: 0, at }
    // The fee for a post that was published is not refunded.
    const refunds = edit > 0 || post.published_at === null
    await settle(tx, { refunds, punishes: false, absolves: punished }, whose)
    await recordDecision(tx, decision)
  }
  if (!(await closeAppeal(tx, { post, edit, outcome: 'upheld', at })))
    await notifyOfReversal(tx, post, { edit, wasBanned })
  return true
}

/** Without an appeal, the owner would not otherwise learn of the refund or the end of a ban. */
async function notifyOfReversal(tx: Transaction, post: LockedPost, { edit, wasBanned }: TakenBack): Promise<void> {
  const endsBan = wasBanned && !(await isBanned(tx, post.account_id))
  const subject = `${post.id}/${edit}${endsBan ? '/unbanned' : ''}`
  await enqueue(tx, 'tell-owner', { account_id: post.account_id, about: 'refusal_taken_back', subject })
}

type TakenBack = { edit: number; wasBanned: boolean }

/**
 * The decision to reverse. Unless an edit is named: a removal first, then an appealed decision, then the latest
 * rejection in effect.
 */
async function findRefusal(tx: Transaction, post: LockedPost, meant: number | undefined) {
  const standing = await standingRefusals(tx, post)
  if (meant !== undefined) return standing.find(({ edit }) => edit === meant)
  const appeals = await openAppeals(tx, post.id)
  const removal = post.status === 'removed' ? standing.find(({ edit }) => edit === 0) : undefined
  const appealed = standing.find(({ edit }) => appeals.includes(edit))
  return removal ?? appealed ?? standing[0]
}

/** Rejections and removals of the post and its edits that were not reversed, newest first. */
async function standingRefusals(tx: Transaction, { id }: LockedPost) {
  const standing = refusalsThatStand(await decisionsAbout(tx, id))
  return standing.map(({ edit, category }) => ({ edit, punished: isAbusive(category) }))
}

async function isBanned(tx: Transaction, accountId: string): Promise<boolean> {
  const { standing } = await tx
    .selectFrom('accounts')
    .select('standing')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return standing === 'banned'
}

type Dismissed = { postId: string; edit: number; actor: string; at: Date }

/**
 * Dismisses an appeal: closes it and changes nothing else. Returns false if no appeal is open, or if the actor made the
 * original decision, because authors are promised a different reviewer.
 */
export async function dismissAppeal(tx: Transaction, { postId, edit, actor, at }: Dismissed): Promise<boolean> {
  const post = await lockPost(tx, postId)
  if (!post || (await refusedBy(tx, postId, edit)) === actor) return false
  return closeAppeal(tx, { post, edit, outcome: 'dismissed', at })
}

async function refusedBy(tx: Transaction, postId: string, edit: number): Promise<string | undefined> {
  const decisions = await decisionsAbout(tx, postId)
  return decisions.find((decision) => decision.edit === edit && isRefusal(decision))?.actor
}
