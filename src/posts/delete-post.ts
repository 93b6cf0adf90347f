import type { Kind } from '../kinds/index.ts'
import type { KeyedCall } from '../platform/call.ts'
import { inTransaction } from '../platform/database.ts'
import { lockPost, markDeleted } from './change-status.ts'
import { postNotFound } from './read-post.ts'

/** Deletes the caller's post for good, with everything that holds the author's words. Repeating it changes nothing. */
export async function deletePost({ db, caller }: KeyedCall, kind: Kind, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const post = await lockPost(tx, id)
    if (!post || post.account_id !== caller.accountId || post.kind !== kind.name) throw postNotFound()
    if (post.status === 'deleted') return
    await markDeleted(tx, post)
    await tx.updateTable('appeals').set({ message: null }).where('post_id', '=', id).execute()
  })
}
