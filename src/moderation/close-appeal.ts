import { enqueue } from '../jobs/enqueue.ts'
import type { Transaction } from '../platform/database.ts'
import type { LockedPost } from '../posts/change-status.ts'

/** What of a post is appealed and waits: 0 for the post itself, else the number of an edit. The oldest first. */
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

/** Ends the open appeal of a post (0) or of an edit, and has its owner told. False when none is open. */
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
