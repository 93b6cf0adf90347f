import type { Kind } from '../kinds/index.ts'
import type { KeyedCall } from '../platform/call.ts'
import { inTransaction } from '../platform/database.ts'
import { markDeleted } from './change-status.ts'
import { lockOwnPost } from './lock-own-post.ts'

/** Deletes the caller's post for good, with everything that holds the author's words. Repeating it changes nothing. */
export async function deletePost({ db, caller, clock }: KeyedCall, kind: Kind, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const post = await lockOwnPost(tx, { id, accountId: caller.accountId, kind: kind.name })
    if (post.status === 'deleted') return
    await markDeleted(tx, kind, post, clock.now())
    await tx.updateTable('appeals').set({ message: null }).where('post_id', '=', id).execute()
  })
}
