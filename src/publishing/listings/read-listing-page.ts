import { sql } from 'kysely'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import type { Database } from '../../platform/database/database.ts'
import { type ListingPageView, listingPageSize, type SiteView } from '../views.ts'
import { listingName, parentsOf } from './listing-names.ts'
import { selectPosts, shown } from './read-posts.ts'

/** The listed posts of a listing with their numbers, newest first. */
const selectEntries = (db: Database, site: SiteView, path: string) =>
  selectPosts(db)
    .innerJoin('shelf_entries', 'shelf_entries.post_id', 'posts.id')
    .select((query) => query.ref('shelf_entries.number').$notNull().as('number'))
    .where('shelf_entries.number', 'is not', null)
    .where('shelf_entries.kind', '=', site.kind.name)
    .where('shelf_entries.path', '=', path)
    .where('shelf_entries.listed', '=', true)
    // A post taken down since its entry was written is about to leave the listing.
    .where('posts.listed', '=', true)
    .orderBy('shelf_entries.number', 'desc')

const pageOf = (number: number) => Math.ceil(number / listingPageSize)

/** The newest posts, to the end of the page that the last of them is on, and the page that continues them. */
export async function readFirstPage(db: Database, site: SiteView, path: string) {
  const rows = await selectEntries(db, site, path)
    .limit(sql.lit(2 * listingPageSize - 1))
    .execute()
  const last = rows.at(listingPageSize - 1) ?? rows.at(-1)
  const page = last ? pageOf(last.number) : 1
  const posts = rows.filter(({ number }) => pageOf(number) >= page).map((row) => shown(site, row))
  const older = await readOlderPage(db, { kind: site.kind.name, path, before: page })
  return { posts: newestFirst(posts), older }
}

/** A restored post has a late number but an early date. */
const newestFirst = (posts: readonly PublicPost[]): PublicPost[] =>
  posts.toSorted((one, other) => compare(other.published_at, one.published_at) || compare(other.id, one.id))

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))

/** A full page of a listing; undefined if it has no posts. */
export async function readListingPage(
  db: Database,
  site: SiteView,
  path: string,
  number: number,
): Promise<ListingPageView | undefined> {
  const kind = site.kind.name
  const rows = await selectEntries(db, site, path)
    .where('shelf_entries.number', '>', (number - 1) * listingPageSize)
    .where('shelf_entries.number', '<=', number * listingPageSize)
    .execute()
  if (rows.length === 0) return undefined
  const { last_number, older, newer } = await readPagesBeside(db, { kind, path, number })
  if ((last_number ?? 0) < number * listingPageSize) return undefined
  return {
    path,
    name: listingName(site, path),
    parents: parentsOf(site, path),
    number,
    posts: newestFirst(rows.map((row) => shown(site, row))),
    older,
    newer,
  }
}

/** The nearest page with posts before the given one; without one, the newest full page. */
export async function readOlderPage(
  db: Database,
  { kind, path, before }: { kind: string; path: string; before?: number },
): Promise<number | null> {
  const row = await selectPages(db, kind, path)
    .$if(before !== undefined, (query) => query.where('number', '<', Number(before)))
    .orderBy('number', 'desc')
    .executeTakeFirst()
  return row?.number ?? null
}

type PagesBeside = { last_number: number | null; older: number | null; newer: number | null }

/** The nearest pages with posts on both sides of a page, and the number of the listing's newest entry. */
async function readPagesBeside(
  db: Database,
  { kind, path, number }: { kind: string; path: string; number: number },
): Promise<PagesBeside> {
  const { rows } = await sql<PagesBeside>`select
    (select last_number from shelves where kind = ${kind} and path = ${path}),
    (select max(number) from listing_pages where kind = ${kind} and path = ${path} and listed > 0 and number < ${number}) as older,
    (select min(number) from listing_pages where kind = ${kind} and path = ${path} and listed > 0 and number > ${number}) as newer`.execute(
    db,
  )
  return rows[0] as PagesBeside
}

const selectPages = (db: Database, kind: string, path: string) =>
  db
    .selectFrom('listing_pages')
    .select('number')
    .where('kind', '=', kind)
    .where('path', '=', path)
    .where('listed', '>', 0)
    .limit(sql.lit(1))
