import type { Kind } from '../../kinds/index.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { listingPaths } from '../listing-paths.ts'

/**
 * Records that a published post is withdrawn, while its data is still available: mirrors get its identifier for 30
 * days, and calendars get its time. A post that was withdrawn before keeps the time of the first withdrawal.
 */
export async function recordWithdrawal(
  tx: Transaction,
  kind: Kind,
  post: { id: string; account_id: string; content: object | null },
  at: Date,
): Promise<void> {
  const body = post.content ?? {}
  const occasion = kind.presentation.occasion?.(body)
  await tx
    .insertInto('withdrawals')
    .values({
      post_id: post.id,
      kind: kind.name,
      withdrawn_at: at,
      shelves: listingPaths(kind, body, post.account_id),
      occasion: occasion ? JSON.stringify(occasion) : null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteWithdrawal(tx: Transaction, postId: string): Promise<void> {
  await tx.deleteFrom('withdrawals').where('post_id', '=', postId).execute()
}
