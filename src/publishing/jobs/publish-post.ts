import { sql } from 'kysely'
import type { Transaction } from '../../platform/database/database.ts'
import { signPost } from '../../posts/public/sign-post.ts'
import type { Site } from '../../posts/sites.ts'
import { enqueuePostPages, lockPost } from '../../posts/status/change-status.ts'
import { type PostPageRow, postView, readProof, selectPostPages } from '../listings/read-posts.ts'
import type { PublishedSite, Publishing } from '../publishing.ts'
import { filesOfPost } from '../site-files.ts'
import { enqueueListing } from './list-post.ts'
import { noteWritten } from './note-written.ts'
import { writeLocked } from './write-locked.ts'

/**
 * Writes a post's own files from the current state of its row, and enqueues the update of its listings. That is a job of
 * its own: all posts of a site change the row of the front listing, and neither an author nor a takedown may wait for it.
 */
export async function publishPost(publishing: Publishing, payload: { post_id: string }): Promise<void> {
  const { db, sites, observe } = publishing
  const startedAt = performance.now()
  // Waits for a change that is about to commit and added no job because this one was already waiting.
  const post = await lockPost(db, payload.post_id)
  const site = post && sites.get(post.kind)
  if (!post?.published_at || !site) return
  const files = await writePost(publishing, site, post.id)
  observe?.({ work: 'publish-post', files, seconds: (performance.now() - startedAt) / 1_000 })
}

function writePost(
  { db, clock, requestPurges }: Publishing,
  { view, store, signer }: PublishedSite,
  postId: string,
): Promise<number> {
  return writeLocked(db, {
    kind: view.kind.name,
    site: view.kind.site.slug,
    page: postId,
    store,
    requestPurges,
    makeFiles: async (tx) => {
      const row = await readSigned(tx, { ...view, signer }, postId, clock.now())
      const post = postView(view, row)
      return filesOfPost(view, postId, post, post ? await readProof(tx, row) : null)
    },
    afterWrite: async (tx) => {
      await noteWritten(tx, view.kind.name, postId)
      await enqueueListing(tx, postId)
    },
    enqueueAgain: (tx) => enqueuePostPages(tx, postId),
  })
}

/** Signs a public post that a process without the key has published or changed. */
async function readSigned(tx: Transaction, site: Site, postId: string, at: Date): Promise<PostPageRow> {
  const row = await readPage(tx, postId)
  if (!site.signer || !isUnsigned(row)) return row
  // A removal waits for the signature, or has taken place.
  await lockPost(tx, postId)
  if (isUnsigned(await readPage(tx, postId))) await signPost(tx, site, postId, at)
  return readPage(tx, postId)
}

const isUnsigned = ({ status, signature }: PostPageRow) => status === 'published' && !signature

const readPage = (tx: Transaction, postId: string) =>
  selectPostPages(tx).where('posts.id', '=', postId).executeTakeFirstOrThrow()

type Since = { kind: string; since: Date; onProgress: (done: number, total: number) => void }

/**
 * Republishes into the live tree all posts that were published, changed, ended or withdrawn since a time, in case jobs
 * or files were lost. Jobs then write the listings.
 */
export async function publishSince(publishing: Publishing, { kind, since, onProgress }: Since): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from posts where kind = ${kind} and published_at is not null and (
      published_at >= ${since} or edited_at >= ${since} or decided_at >= ${since}
      or visible_until >= ${since} and not listed
      or exists (select from withdrawals where post_id = id and withdrawn_at >= ${since})
    ) order by id`.execute(publishing.db)
  for (const [index, { id }] of rows.entries()) {
    await publishPost(publishing, { post_id: id })
    onProgress(index + 1, rows.length)
  }
  return rows.length
}
