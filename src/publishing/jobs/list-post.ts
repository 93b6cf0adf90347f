import { sql } from 'kysely'
import { enqueue } from '../../jobs/enqueue.ts'
import type { Kind } from '../../kinds/index.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { listingPaths } from '../../posts/listing-paths.ts'
import { lockPost } from '../../posts/status/change-status.ts'
import { readArchiveBeside, readRelinked } from '../listings/neighbours.ts'
import { type ListingUpdate, touchedPages } from '../listings/touched-pages.ts'
import type { Publishing } from '../publishing.ts'
import { listingPageSize } from '../views.ts'
import { type ChangedPages, datePagesOf, enqueuePagesOfSites } from './enqueue-pages.ts'
import { holdTree } from './locks.ts'

/** Enqueues the update of a post's listings. */
export const enqueueListing = (tx: Transaction, postId: string): Promise<void> =>
  enqueue(tx, 'list-post', { post_id: postId }, { once: postId })

/** Updates a post's listings from the current state of its row, and enqueues the pages that show it. */
export async function listPost(publishing: Publishing, { post_id: postId }: { post_id: string }): Promise<void> {
  const { db, sites, observe } = publishing
  const startedAt = performance.now()
  const post = await db.selectFrom('posts').select(['kind', 'published_at']).where('id', '=', postId).executeTakeFirst()
  const kind = post && sites.get(post.kind)?.view.kind
  if (!post?.published_at || !kind) return
  const isNew = await updateLists(publishing, kind, postId)
  const publicationSeconds = observe && isNew ? await secondsSinceSubmission(publishing, postId) : undefined
  observe?.({ work: 'list-post', files: 0, seconds: (performance.now() - startedAt) / 1_000, publicationSeconds })
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
function updateLists({ db, clock, delays, sites }: Publishing, kind: Kind, postId: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await holdTree(tx, kind.name)
    await lockPost(tx, postId)
    // Listings are always locked before the archive, because a post withdrawn before it was ever listed locks both.
    const cancelled = await touchCalendars(tx, postId, clock.now())
    const shelved = await updateListings(tx, kind, postId, clock.now())
    const relinked = await readRelinked(tx, kind, shelved.touched)
    const touched = [...new Set([...shelved.touched, ...cancelled, ...relinked])].sort()
    const pages = touchedPages({ ...shelved, touched })
    const { archive_month: month, archive_number: number } = shelved
    const months = shelved.is_new ? await readArchiveBeside(tx, kind.name, { month, number }) : []
    const others = [...pages.others, ...months, ...datePagesOf(kind)]
    const onOthers = authorPagesOnOthers({ sites, kind, touched: pages.lists })
    await enqueuePagesOfSites(tx, new Map([...onOthers, [kind.name, { ...pages, others }]]), delays)
    return shelved.is_new
  })
}

type AuthorChange = { sites: Publishing['sites']; kind: Kind; touched: readonly string[] }

/** An author's page on each site also shows the posts on the other sites. */
function authorPagesOnOthers({ sites, kind, touched }: AuthorChange): [string, ChangedPages][] {
  const authors = touched.filter((page) => page.startsWith('shelf:by/'))
  if (authors.length === 0) return []
  return [...sites.keys()].filter((name) => name !== kind.name).map((name) => [name, { lists: [], others: authors }])
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
  await tx.deleteFrom('unlisted_posts').where('post_id', '=', postId).execute()
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
