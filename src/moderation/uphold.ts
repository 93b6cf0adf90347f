import type { Transaction } from '../platform/database.ts'
import { isAbusive } from '../policy/policy.ts'
import { type LockedPost, lockPost } from '../posts/change-status.ts'
import type { Sites } from '../posts/sites.ts'
import { applyDecision } from './apply-decision.ts'
import { settle } from './consequences.ts'
import { recordDecision } from './record-decision.ts'

type Upheld = { postId: string; actor: string; at: Date }

/**
 * Says that a refusal was wrong: strike and penalty are taken back. A removed post returns. A rejected one or a rejected
 * edit cannot be published any more, so all of its fee comes back, and it can be submitted again. False when there is
 * nothing to uphold.
 */
export async function upholdAppeal(tx: Transaction, sites: Sites, { postId, actor, at }: Upheld): Promise<boolean> {
  const post = await lockPost(tx, postId)
  const refusal = post && (await findRefusal(tx, post))
  if (!refusal) return false
  const decision = { postId, outcome: 'restore' as const, category: null, by: { automated: false, actor }, at }
  if (post.status === 'removed') {
    await applyDecision(tx, sites, { ...decision, edit: 0, from: ['removed'], punished: refusal.punished })
  } else {
    const whose = { accountId: post.account_id, postId, edit: refusal.edit, priceMicros: 0, at }
    await settle(tx, { refunds: true, punishes: false, absolves: refusal.punished }, whose)
    await recordDecision(tx, { ...decision, edit: refusal.edit })
  }
  await tx
    .updateTable('appeals')
    .set({ outcome: 'upheld', decided_at: at })
    .where('post_id', '=', postId)
    .where('outcome', 'is', null)
    .execute()
  return true
}

/** The last refusal of the post, or of its last edit, unless it was taken back already. */
async function findRefusal(tx: Transaction, post: LockedPost) {
  const last = await tx
    .selectFrom('moderation_decisions')
    .select(['edit', 'outcome', 'category'])
    .where('post_id', '=', post.id)
    .where('outcome', 'in', ['low_quality', 'abuse', 'remove', 'restore'])
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const isOpen =
    post.status === 'removed' || post.status === 'rejected' || (post.status === 'published' && (last?.edit ?? 0) > 0)
  if (!last || !isOpen || last.outcome === 'restore') return undefined
  return { edit: last.edit, punished: isAbusive(last.category) }
}
