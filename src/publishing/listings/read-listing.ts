import { type RawBuilder, sql } from 'kysely'
import type { Occasion, PublicPost } from '../../kinds/presentation/presentation.ts'
import type { Database } from '../../platform/database/database.ts'
import {
  calendarSize,
  type ListingLink,
  type ListingView,
  listingSize,
  type SiteView,
  type Withdrawn,
} from '../views.ts'
import { listingName, parentsOf } from './listing-names.ts'
import { isOrdered, readNeighbours } from './neighbours.ts'
import { readFirstPage, readOlderPage } from './read-listing-page.ts'
import { selectPosts, shown } from './read-posts.ts'

export type ListingContents = ListingView & {
  /** The upcoming events, for the calendar; empty for a kind without times. */
  coming: readonly PublicPost[]
}

/** Everything that the page and the feeds of a listing show; undefined if the listing is empty. */
export async function readListing(db: Database, site: SiteView, path: string): Promise<ListingContents | undefined> {
  const { kind } = site
  const counts = await db
    .selectFrom('shelves')
    .select(['listed', 'standing'])
    .where('kind', '=', kind.name)
    .where('path', '=', path)
    .executeTakeFirst()
  const hasTimes = kind.presentation.occasion !== undefined
  const withdrawn = hasTimes ? await readWithdrawn(db, kind.name, path) : []
  if (path !== '' && !counts?.standing && withdrawn.length === 0) return undefined
  const newest = await readEntries(db, site, path, 'newest')
  const coming = hasTimes ? await readEntries(db, site, path, 'soonest') : []
  const isFront = path === ''
  const lastPage = isFront ? null : await readOlderPage(db, { kind: kind.name, path })
  const first = isFront || hasTimes ? { posts: newest, older: lastPage } : await readFirstPage(db, site, path)
  return {
    path,
    name: listingName(site, path),
    parents: parentsOf(site, path),
    posts: hasTimes ? inOrderOfStart(site, coming.slice(0, listingSize)) : first.posts,
    newest,
    coming,
    withdrawn,
    listedCount: counts?.listed ?? 0,
    standingCount: counts?.standing ?? 0,
    neighbours: counts?.listed && isOrdered(kind, path) ? await readNeighbourLinks(db, site, path) : undefined,
    older: first.older,
    lastPage,
    topics: isFront ? await readListings(db, site, ['topics'], 24) : [],
    places: await readListings(db, site, isFront ? ['places'] : [path, `${path}/-`], isFront ? 24 : 60),
    own: isFront ? await readOwnListings(db, site) : [],
  }
}

/** Only pages with posts have these links, so that they change with few others. */
async function readNeighbourLinks(db: Database, site: SiteView, path: string): Promise<ListingView['neighbours']> {
  const link = (one: string | null) => (one === null ? null : { path: one, name: listingName(site, one) })
  const { previous, next } = await readNeighbours(db, site.kind, path)
  return { previous: link(previous), next: link(next) }
}

/** The kind's own types of listing, in the order in which the kind declares them. */
async function readOwnListings(db: Database, site: SiteView): Promise<ListingView['own']> {
  const own: ListingView['own'][number][] = []
  for (const [type, { title, index }] of Object.entries(site.kind.listingTypes ?? {}))
    if (index) own.push({ path: type, title, links: await readListings(db, site, [type], 24, index.order) })
  return own
}

function inOrderOfStart({ kind }: SiteView, posts: readonly PublicPost[]): PublicPost[] {
  const startOf = ({ content }: PublicPost) => Date.parse(kind.presentation.occasion?.(content).starts_at ?? '')
  return posts.toSorted((one, other) => startOf(one) - startOf(other) || (one.id < other.id ? -1 : 1))
}

const orders: Record<'newest' | 'soonest', { by: RawBuilder<unknown>; having: RawBuilder<boolean>; size: number }> = {
  newest: {
    by: sql`shelf_entries.published_at desc, shelf_entries.post_id desc`,
    having: sql<boolean>`true`,
    size: listingSize,
  },
  soonest: {
    // Sorted by end time, because a months-long event must not come before all events that end soon.
    by: sql`shelf_entries.ends_at, shelf_entries.post_id`,
    having: sql<boolean>`shelf_entries.ends_at is not null`,
    size: calendarSize,
  },
}

async function readEntries(db: Database, site: SiteView, path: string, order: keyof typeof orders) {
  const { by, having, size } = orders[order]
  const rows = await selectPosts(db)
    .innerJoin('shelf_entries', 'shelf_entries.post_id', 'posts.id')
    .where('shelf_entries.kind', '=', site.kind.name)
    .where('shelf_entries.path', '=', path)
    .where('shelf_entries.listed', '=', true)
    .where(having)
    // A post taken down since its entry was written is about to leave the listing.
    .where('posts.listed', '=', true)
    .orderBy(by)
    .limit(sql.lit(size))
    .execute()
  return rows.map((row) => shown(site, row))
}

/** The listings directly within the given parents: the largest first, or in the order of their paths. */
export async function readListings(
  db: Database,
  site: SiteView,
  parents: readonly string[],
  limit: number,
  order: 'by-size' | 'by-path' = 'by-size',
): Promise<ListingLink[]> {
  const rows = await db
    .selectFrom('shelves')
    .select(['path', 'listed'])
    .where('kind', '=', site.kind.name)
    .where('parent', 'in', parents)
    .where('listed', '>', 0)
    .$if(order === 'by-size', (query) => query.orderBy('listed', 'desc'))
    .orderBy('path')
    .limit(limit)
    .execute()
  return rows.map(({ path, listed }) => ({ path, name: listingName(site, path), count: listed }))
}

/** Each update of a calendar replaces the previous one, so it must include almost all cancellations. */
const withdrawnShown = 1_000

async function readWithdrawn(db: Database, kind: string, path: string): Promise<Withdrawn[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select(['post_id', 'withdrawn_at', 'occasion'])
    .where('kind', '=', kind)
    .where('occasion', 'is not', null)
    .where(sql<boolean>`shelves @> ${[path]}::text[]`)
    .orderBy('withdrawn_at', 'desc')
    .orderBy('post_id')
    .limit(withdrawnShown)
    .execute()
  return rows.map(({ post_id, withdrawn_at, occasion }) => ({
    id: post_id,
    withdrawn_at: withdrawn_at.toISOString(),
    occasion: occasion as Occasion,
  }))
}
