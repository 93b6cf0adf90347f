import { sql } from 'kysely'
import type { Kind } from '../../kinds/index.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { listingPaths } from '../../posts/listing-paths.ts'
import { enqueuePostPages, lockPost } from '../../posts/status/change-status.ts'
import { cardOf, keptCard } from '../cards/post-card.ts'
import { readArchiveBeside, readRelinked } from '../listings/neighbours.ts'
import { postView, selectPostPages } from '../listings/read-posts.ts'
import { type ListingUpdate, touchedPages } from '../listings/touched-pages.ts'
import type { PublishedSite, Publishing } from '../publishing.ts'
import { cardFile, filesOfPost } from '../site-files.ts'
import { listingPageSize } from '../views.ts'
import { enqueueCard } from './draw-card.ts'
import { datePagesOf, enqueuePages } from './enqueue-pages.ts'
import { holdTree } from './locks.ts'
import { writeLocked } from './write-locked.ts'

/**
 * Writes a post's own files, updates its listings and enqueues the pages that show it, all from the current state of
 * its row. The files come first, because the author waits for them and a takedown must not wait for listings.
 */
export async function publishPost(publishing: Publishing, payload: { post_id: string }): Promise<void> {
  const { db, sites, observe } = publishing
  const startedAt = performance.now()
  // Waits for a change that is about to commit and added no job because this one was already waiting.
  const post = await lockPost(db, payload.post_id)
  const site = post && sites.get(post.kind)
  if (!post?.published_at || !site) return
  const files = await writePost(publishing, site, post.id)
  const isNew = await listPost(publishing, site, post.id)
  const publicationSeconds = observe && isNew ? await secondsSinceSubmission(publishing, post.id) : undefined
  observe?.({ work: 'publish-post', files, seconds: (performance.now() - startedAt) / 1_000, publicationSeconds })
}

/** Undefined if a person reviewed the post: then its time is not the service's. */
async function secondsSinceSubmission({ db, clock }: Publishing, postId: string): Promise<number | undefined> {
  const post = await db
    .selectFrom('posts')
    .select('created_at')
    .where('id', '=', postId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('reviews').select('post_id').where('post_id', '=', postId).where('edit', '=', 0))),
    )
    .executeTakeFirst()
  return post && (clock.now().getTime() - post.created_at.getTime()) / 1_000
}

/** True if the post had not been listed before. */
function listPost({ db, clock, delays, sites }: Publishing, { view: { kind } }: PublishedSite, postId: string) {
  return inTransaction(db, async (tx) => {
    await lockPost(tx, postId)
    await holdTree(tx, kind.name)
    // Listings are always locked before the archive, because a post withdrawn before it was ever listed locks both.
    const cancelled = await touchCalendars(tx, postId, clock.now())
    const shelved = await updateListings(tx, kind, postId, clock.now())
    const relinked = await readRelinked(tx, kind, shelved.touched)
    const touched = [...new Set([...shelved.touched, ...cancelled, ...relinked])].sort()
    const pages = touchedPages({ ...shelved, touched })
    const { archive_month: month, archive_number: number } = shelved
    const months = shelved.is_new ? await readArchiveBeside(tx, kind.name, { month, number }) : []
    const others = [...pages.others, ...months, ...datePagesOf(kind)]
    await enqueuePages(tx, kind.name, { ...pages, others }, delays)
    await enqueueAuthorPages(tx, { sites, kind, touched: pages.lists, delays })
    if (shelved.isStanding) await enqueueCard(tx, postId)
    return shelved.is_new
  })
}

type AuthorChange = { sites: Publishing['sites']; kind: Kind; touched: readonly string[]; delays: Publishing['delays'] }

/** An author's page on each site also shows the posts on the other sites. */
async function enqueueAuthorPages(tx: Transaction, { sites, kind, touched, delays }: AuthorChange): Promise<void> {
  const authors = touched.filter((page) => page.startsWith('shelf:by/'))
  if (authors.length === 0) return
  for (const other of sites.keys())
    if (other !== kind.name) await enqueuePages(tx, other, { lists: [], others: authors }, delays)
}

/** Adds a post to its listings and the archive, or removes it from the listings. */
export async function updateListings(tx: Transaction, kind: Kind, postId: string, at: Date): Promise<ListingUpdate> {
  const post = await tx
    .selectFrom('posts')
    .innerJoin('accounts', 'accounts.id', 'posts.account_id')
    .select(['posts.status', 'posts.content', 'posts.listed', 'posts.published_at', 'posts.account_id'])
    .select('accounts.standing as author_standing')
    .where('posts.id', '=', postId)
    .executeTakeFirstOrThrow()
  const body = (post.content ?? {}) as object
  const isStanding = post.status === 'published'
  const authorId = post.author_standing === 'closed' ? null : post.account_id
  const endsAt = isStanding ? (kind.presentation.occasion?.(body).ends_at ?? null) : null
  const { rows } = await sql<Omit<ListingUpdate, 'isStanding'>>`
    select touched, archive_month, archive_number, is_new, pages from shelve_post(
      ${postId}, ${kind.name}, ${post.published_at}, ${endsAt}, ${post.listed},
      ${isStanding ? listingPaths(kind, body, authorId) : []}, ${at}, ${listingPageSize}
    )`.execute(tx)
  return { ...(rows[0] as Omit<ListingUpdate, 'isStanding'>), isStanding }
}

/**
 * The listings whose calendars cancel a withdrawn event. They exist until the withdrawal expires, even if they are
 * empty.
 */
async function touchCalendars(tx: Transaction, postId: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    insert into shelves as s (kind, path, listed, standing, version, emptied_at)
    select kind, path, 0, 0, nextval('page_versions'), ${at}
    from withdrawals, unnest(shelves) as path where post_id = ${postId} and occasion is not null order by path collate "C"
    on conflict (kind, path) do update set version = excluded.version
    returning s.path`.execute(tx)
  return rows.map(({ path }) => path)
}

function writePost({ db, requestPurges }: Publishing, { view, store }: PublishedSite, postId: string): Promise<number> {
  return writeLocked(db, {
    kind: view.kind.name,
    site: view.kind.site.slug,
    page: postId,
    store,
    requestPurges,
    makeFiles: async (tx) => {
      const row = await selectPostPages(tx).where('posts.id', '=', postId).executeTakeFirstOrThrow()
      const post = postView(view, row)
      const card = post && (await keptCard(cardOf(view, post.post), cardFile(postId), store))
      return filesOfPost(view, postId, post, card)
    },
    enqueueAgain: (tx) => enqueuePostPages(tx, postId),
  })
}

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
