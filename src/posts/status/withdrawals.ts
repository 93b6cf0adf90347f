import type { Kind } from '../../kinds/index.ts'
import type { Transaction } from '../../platform/database/database.ts'

/**
 * Records that a public post is taken down, while its data is still readable: mirrors get its identifier for some time,
 * and calendars get its time. A post that was taken down before keeps its first time.
 */
export async function recordWithdrawal(
  tx: Transaction,
  kind: Kind,
  post: { id: string; content: object | null },
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
      shelves: ['', ...kind.shelves(body)],
      occasion: occasion ? JSON.stringify(occasion) : null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteWithdrawal(tx: Transaction, postId: string): Promise<void> {
  await tx.deleteFrom('withdrawals').where('post_id', '=', postId).execute()
}
