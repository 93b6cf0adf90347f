import { sql } from 'kysely'
import { isClosed } from '../accounts/deletion/close-account.ts'
import type { KeyedCall } from '../contract/call.ts'
import type { Kind } from '../kinds/index.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import { type Sites, siteOf } from './sites.ts'
import { enqueuePostPages, eraseEdits, type LockedPost, lockPost, markDeleted } from './status/change-status.ts'
import { lockOwnPost } from './status/read-post-status.ts'

/** Permanently deletes the caller's post and everything that contains the author's text. Idempotent. */
export async function deletePost({ db, caller, clock }: KeyedCall, kind: Kind, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const post = await lockOwnPost(tx, { id, accountId: caller.accountId, kind: kind.name })
    await erasePost(tx, kind, post, clock.now())
  })
}

/** Deletes a locked post with the texts of its appeals. Returns false if it was already deleted. */
export async function erasePost(tx: Transaction, kind: Kind, post: LockedPost, at: Date): Promise<boolean> {
  if (post.status === 'deleted') return false
  await markDeleted(tx, kind, post, at)
  await tx.updateTable('appeals').set({ message: null }).where('post_id', '=', post.id).execute()
  return true
}

type Erasing = { db: Database; sites: Sites; postId: string; at: Date }

/** Deletes a post that was removed after its account was closed. Its page still answers 410. */
export function eraseRemovedPost({ db, sites, postId, at }: Erasing): Promise<void> {
  return inTransaction(db, async (tx) => {
    const post = await lockPost(tx, postId)
    if (post?.status !== 'removed' || !(await isClosed(tx, post.account_id))) return
    await markDeleted(tx, siteOf(sites, post.kind).kind, post, at)
  })
}

type Clearing = { db: Database; sites: Sites; accountId: string; at: Date }

/**
 * Runs after an account is closed: deletes its unpublished posts and rewrites the pages of the others without the
 * author. Each transaction handles a few posts. After a restart, it continues with the rest.
 */
export async function clearAccount(clearing: Clearing): Promise<void> {
  if (!(await isClosed(clearing.db, clearing.accountId))) return
  let after = ''
  for (let batch = 0; batch < maxBatches; batch++) {
    const ids = await inTransaction(clearing.db, (tx) => clearSome(tx, clearing, after))
    if (ids.length < batchSize) return
    after = ids.at(-1) ?? ''
  }
}

const batchSize = 100
const maxBatches = 100_000

async function clearSome(tx: Transaction, { sites, accountId, at }: Clearing, after: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('posts')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(batchSize)
    .execute()
  for (const { id } of rows) {
    const post = await lockPost(tx, id)
    if (!post || post.status === 'deleted') continue
    if (post.status !== 'published') {
      await markDeleted(tx, siteOf(sites, post.kind).kind, post, at)
      continue
    }
    await eraseEdits(tx, id)
    await tx.deleteFrom('decision_proofs').where('post_id', '=', id).execute()
    await enqueuePostPages(tx, id)
    // For readers of the stream, the post has changed: it no longer shows its author.
    await sql`select note_author_gone(${id})`.execute(tx)
  }
  return rows.map(({ id }) => id)
}
