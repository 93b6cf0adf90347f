import type { Kind } from '../kinds/index.ts'
import type { KeyedCall } from '../platform/call.ts'
import { inTransaction, type Transaction } from '../platform/database.ts'
import { lockPost } from './change-status.ts'
import { undecided } from './lifecycle.ts'
import { postNotFound } from './read-post.ts'

/** Deletes the caller's post for good: the text is erased, a tombstone stays. Repeating it changes nothing. */
export async function deletePost({ db, caller }: KeyedCall, kind: Kind, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const post = await lockPost(tx, id)
    if (!post || post.account_id !== caller.accountId || post.kind !== kind.name) throw postNotFound()
    if (post.status === 'deleted') return
    const erased = { content: null, facets: '{}' }
    await tx
      .updateTable('posts')
      .set({ ...erased, status: 'deleted', paid_links: [], listed: false })
      .where('id', '=', id)
      .execute()
    await eraseTraces(tx, id, erased)
  })
}

/** What else holds the author's words: edits, the appeal, and what the post resembles. */
async function eraseTraces(tx: Transaction, id: string, erased: { content: null; facets: string }): Promise<void> {
  await tx
    .updateTable('post_edits')
    .set({ ...erased, status: 'cancelled', links: [] })
    .where('post_id', '=', id)
    .where('status', 'in', undecided)
    .execute()
  await tx.updateTable('appeals').set({ message: null }).where('post_id', '=', id).execute()
  await tx.deleteFrom('post_signatures').where('post_id', '=', id).execute()
}
