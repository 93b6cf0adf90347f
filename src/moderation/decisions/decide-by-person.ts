import type { Transaction } from '../../platform/database/database.ts'
import type { PolicyCategoryId } from '../../policy/policy.ts'
import type { Sites } from '../../posts/sites.ts'
import { cancelOpenEdit, lockPost } from '../../posts/status/change-status.ts'
import { undecided } from '../../posts/status/lifecycle.ts'
import { applyDecision } from './apply-decision.ts'
import { settle } from './consequences.ts'

type ByPerson = { postId: string; actor: string; at: Date }
export type PersonVerdict = { outcome: 'publish' | 'low_quality' | 'abuse'; category: PolicyCategoryId | null }

/** Decides the waiting post, or otherwise its waiting edit. Returns false if neither is waiting. */
export async function decideReview(tx: Transaction, sites: Sites, verdict: PersonVerdict & ByPerson): Promise<boolean> {
  const { postId, outcome, category, actor, at } = verdict
  const decision = { postId, outcome, category, by: { automated: false, actor }, from: undecided, at }
  const edit = await openEdit(tx, postId)
  return (
    (await applyDecision(tx, sites, { ...decision, edit: 0 })) ||
    (edit !== undefined && (await applyDecision(tx, sites, { ...decision, edit })))
  )
}

/**
 * Removes a published post. Cancels its waiting edit and refunds the edit's fee. Returns false if the post is not
 * published.
 */
export async function removePost(
  tx: Transaction,
  sites: Sites,
  { postId, category, actor, at }: ByPerson & { category: PolicyCategoryId },
): Promise<boolean> {
  const post = await lockPost(tx, postId)
  if (post?.status !== 'published') return false
  // This runs before the decision, which ends with the event: locks are always taken on money first, then on events.
  const edit = await cancelOpenEdit(tx, postId)
  if (edit !== undefined) await settle(tx, refundOnly, { accountId: post.account_id, postId, edit, priceMicros: 0, at })
  const by = { automated: false, actor }
  return applyDecision(tx, sites, { postId, edit: 0, outcome: 'remove', category, by, from: ['published'], at })
}

const refundOnly = { refunds: true, punishes: false, absolves: false }

async function openEdit(tx: Transaction, postId: string): Promise<number | undefined> {
  const edit = await tx
    .selectFrom('post_edits')
    .select('number')
    .where('post_id', '=', postId)
    .where('status', 'in', undecided)
    .executeTakeFirst()
  return edit?.number
}
