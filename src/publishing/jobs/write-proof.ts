import { enqueueSoon } from '../../jobs/enqueue.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { withdrawn } from '../../platform/page-store/site-store.ts'
import { readProof, selectPostPages } from '../listings/read-posts.ts'
import type { Publishing } from '../publishing.ts'
import { proofPath } from '../site-files.ts'
import { noteWritten } from './note-written.ts'
import { writeLocked } from './write-locked.ts'

/** Enqueues the files with the proofs of posts that the transparency log has taken up. */
export const enqueueProofs = (tx: Transaction, postIds: readonly string[]): Promise<void> =>
  enqueueSoon(
    tx,
    'write-proof',
    postIds.map((id) => ({ payload: { post_id: id }, once: id, delaySeconds: 0 })),
  )

/** Writes the proof that a post is in the transparency log, and nothing else: its page links to it from the beginning. */
export async function writeProof(
  { db, sites, requestPurges }: Publishing,
  payload: { post_id: string },
): Promise<void> {
  const postId = payload.post_id
  const post = await db.selectFrom('posts').select('kind').where('id', '=', postId).executeTakeFirst()
  const site = post && sites.get(post.kind)
  if (!site) return
  const { view, store } = site
  await writeLocked(db, {
    ...{ kind: view.kind.name, site: view.kind.site.slug, page: postId, store, requestPurges },
    makeFiles: async (tx) => {
      const row = await selectPostPages(tx).where('posts.id', '=', postId).executeTakeFirstOrThrow()
      // Another job has taken the proof of a withdrawn post away. A process that was paused may have put it back.
      return new Map([[proofPath(postId), row.status === 'published' ? await readProof(tx, row) : withdrawn]])
    },
    afterWrite: (tx) => noteWritten(tx, view.kind.name, postId),
    enqueueAgain: (tx) => enqueueProofs(tx, [postId]),
  })
}
