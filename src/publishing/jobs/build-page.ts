import assert from 'node:assert/strict'
import type { Database } from '../../platform/database/database.ts'
import { type Files, withdrawn } from '../../platform/page-store/site-store.ts'
import { calendar } from '../feeds/calendar.ts'
import { feedOfListing, feedOfPage } from '../feeds/feed-fields.ts'
import { jsonFeed } from '../feeds/json-feed.ts'
import { rss } from '../feeds/rss.ts'
import { sitemapIndex, sitemapShard } from '../feeds/sitemap.ts'
import { keysDocument } from '../keys-document.ts'
import { readArchivePage, readListed, readMonths } from '../listings/read-archive.ts'
import { readAuthor } from '../listings/read-author.ts'
import { readListing, readListings } from '../listings/read-listing.ts'
import { readListingPage } from '../listings/read-listing-page.ts'
import { readSoon, type Span } from '../listings/read-soon.ts'
import { readLatelyWithdrawn } from '../listings/read-withdrawals.ts'
import { archiveIndexPage, archivePage } from '../pages/archive-page.ts'
import { authorPage } from '../pages/author-page.ts'
import { frontPage } from '../pages/front-page.ts'
import { ownIndexPage, placesPage, topicsPage } from '../pages/listing-indexes.ts'
import { listingPage, numberedPage } from '../pages/listing-page.ts'
import { soonPage } from '../pages/soon-page.ts'
import type { Publishing } from '../publishing.ts'
import { archiveFile, listingFile, listingPageFile, sitemapFile } from '../site-files.ts'
import { readDays } from '../transparency/read-days.ts'
import { transparencyJson } from '../transparency/transparency-json.ts'
import { transparencyPage } from '../transparency/transparency-page.ts'
import { archivePageSize, type SiteView, sitemapSize } from '../views.ts'
import { enqueuePages } from './enqueue-pages.ts'
import { awaitChanges } from './locks.ts'
import { writeLocked } from './write-locked.ts'

/** Rewrites one page from the current database rows. */
export async function buildPage(
  { db, clock, sites, delays, observe, requestPurges }: Publishing,
  { kind, page }: { kind: string; page: string },
): Promise<void> {
  const site = sites.get(kind)
  if (!site) return
  const startedAt = performance.now()
  const name = `${kind} ${page}`
  await awaitChanges(db, name)
  const files = await writeLocked(db, {
    ...{ kind, site: site.view.kind.site.slug, page: name, store: site.store, requestPurges },
    makeFiles: (tx) => makePage(tx, site.view, page, clock.now()),
    enqueueAgain: (tx) => enqueuePages(tx, kind, { lists: [], others: [page] }, delays),
  })
  observe?.({ work: 'build-page', files, seconds: (performance.now() - startedAt) / 1_000 })
}

/** The files of a page, by its name. */
export function makePage(db: Database, site: SiteView, page: string, at: Date): Promise<Files> {
  const colon = page.indexOf(':')
  const name = colon < 0 ? page : page.slice(0, colon)
  const build = builders[name] ?? (site.kind.listingTypes?.[name]?.index && buildOwnIndex(name))
  assert(build, 'a job names an unknown page')
  return build(db, site, colon < 0 ? '' : page.slice(colon + 1), at)
}

/** Reads the data of a page and creates its files. Jobs and rebuilds both use it, so they create the same files. */
type Builder = (db: Database, site: SiteView, argument: string, at: Date) => Promise<Files>

/**
 * All pages except post pages. A page's name is the name of its builder, followed by a colon and an argument if there
 * is one.
 */
export const builders: Readonly<Record<string, Builder>> = {
  shelf: buildListing,
  archive: async (db, site, argument) => {
    const [month, number] = monthAndNumber(argument)
    return one(archiveFile(month, number), archivePage(site, await readArchivePage(db, site, month, number)))
  },
  'archive-index': async (db, site) =>
    one('archive/index.html', archiveIndexPage(site, { months: await readMonths(db, site.kind.name) })),
  'listing-page': buildListingPage,
  // A kind without topics or without a place has no such page, and nothing links to it.
  topics: async (db, site) =>
    'topics' in site.kind.content.shape
      ? one('topics/index.html', topicsPage(site, { shelves: await readListings(db, site, ['topics'], topicsShown) }))
      : new Map([['topics/index.html', null]]),
  places: async (db, site) =>
    'location' in site.kind.content.shape
      ? one('places/index.html', placesPage(site, { shelves: await readListings(db, site, ['places'], placesShown) }))
      : new Map([['places/index.html', null]]),
  soon: buildSoon,
  sitemap: buildSitemap,
  'sitemap-index': async (db, site) => {
    const shards = (await readMonths(db, site.kind.name)).flatMap(({ month, count }) =>
      Array.from({ length: Math.ceil(count / sitemapSize) }, (_, index) => sitemapFile(month, index + 1)),
    )
    return one('sitemap.xml', sitemapIndex(site.baseUrl, ['sitemaps/site.xml', ...shards]))
  },
  deleted: async (db, site) =>
    one('deleted.json', `${JSON.stringify(await readLatelyWithdrawn(db, site.kind.name), null, 2)}\n`),
  keys: async (db, site) => one('.well-known/broadside-keys.json', await keysDocument(db, site.baseUrl)),
  transparency: async (db, site) => {
    const view = await readDays(db, site.kind.name)
    return new Map([
      ['transparency/index.html', transparencyPage(site, view)],
      ['transparency/index.json', transparencyJson(site, view)],
    ])
  },
}

/** Nobody reads a longer page to the end. */
const topicsShown = 500
const placesShown = 300

const one = (path: string, content: string): Files => new Map([[path, content]])

/** The index of one of the kind's own types of listing. */
const buildOwnIndex =
  (type: string): Builder =>
  async (db, site) => {
    const order = site.kind.listingTypes?.[type]?.index?.order
    const shelves = await readListings(db, site, [type], topicsShown, order)
    return one(`${type}/index.html`, ownIndexPage(site, type, { shelves }))
  }

async function buildListing(db: Database, site: SiteView, path: string): Promise<Files> {
  if (path.startsWith('by/')) return buildAuthor(db, site, path)
  const view = await readListing(db, site, path)
  const file = (name: string, content: (contents: NonNullable<typeof view>) => string) =>
    [listingFile(path, name), view ? content(view) : withdrawn] as const
  return new Map([
    file('index.html', (shelf) => (path === '' ? frontPage(site, shelf) : listingPage(site, shelf))),
    file('index.json', (shelf) => jsonFeed(site, feedOfListing(shelf))),
    file('feed.xml', (shelf) => rss(site, feedOfListing(shelf))),
    ...(site.kind.presentation.occasion
      ? [file('events.ics', (shelf) => calendar(site, { ...shelf, posts: shelf.coming }))]
      : []),
  ])
}

/** A full page of a listing, such as `topics/ferries/3`. */
async function buildListingPage(db: Database, site: SiteView, argument: string): Promise<Files> {
  const slash = argument.lastIndexOf('/')
  const path = argument.slice(0, slash)
  const number = Number(argument.slice(slash + 1))
  const view = await readListingPage(db, site, path, number)
  const file = (name: string, content: (contents: NonNullable<typeof view>) => string) =>
    [listingPageFile(path, number, name), view ? content(view) : withdrawn] as const
  return new Map([
    file('index.html', (page) => numberedPage(site, page)),
    file('index.json', (page) => jsonFeed(site, feedOfPage(page))),
    file('feed.xml', (page) => rss(site, feedOfPage(page))),
  ])
}

/** An author's page exists on every site while the author has posts on any of them. */
async function buildAuthor(db: Database, site: SiteView, path: string): Promise<Files> {
  const found = await readAuthor(db, site, path)
  const view = found === 'closed' ? undefined : found
  const file = (name: string, content: (contents: NonNullable<typeof view>) => string) =>
    [listingFile(path, name), view ? content(view) : withdrawn] as const
  return new Map<string, string | null | typeof withdrawn>([
    file('index.html', (author) => authorPage(site, author)),
    file('index.json', ({ listing }) => jsonFeed(site, feedOfListing(listing))),
    file('feed.xml', ({ listing }) => rss(site, feedOfListing(listing))),
    ...(site.kind.presentation.occasion
      ? [file('events.ics', ({ listing, coming }) => calendar(site, { ...listing, posts: coming }))]
      : []),
    // The gateway responds with 410 where this file is.
    [listingFile(path, 'gone'), found === 'closed' ? '' : null],
  ])
}

/** The events of a few days: `today` or `weekend`. */
async function buildSoon(db: Database, site: SiteView, span: string, at: Date): Promise<Files> {
  const view = await readSoon(db, site, { span: span as Span, at })
  return new Map([
    [listingFile(span, 'index.html'), soonPage(site, view)],
    [listingFile(span, 'events.ics'), calendar(site, view)],
  ])
}

/** Includes archive pages, because a sitemap must not be empty and all its posts may have expired. */
async function buildSitemap(db: Database, { kind, baseUrl }: SiteView, argument: string): Promise<Files> {
  const [month, shard] = monthAndNumber(argument)
  const before = (shard - 1) * sitemapSize
  const { last, posts } = await readListed(db, { kind: kind.name, month, from: before + 1, to: before + sitemapSize })
  const firstPage = before / archivePageSize + 1
  const pages = Array.from(
    { length: Math.ceil((last - before) / archivePageSize) },
    (_, index) => `archive/${month}/${firstPage + index}/`,
  )
  const entries = [
    ...pages.map((path) => ({ path })),
    ...posts.map(({ id, changedAt }) => ({ path: `p/${id}`, lastmod: changedAt.toISOString() })),
  ]
  return one(sitemapFile(month, shard), sitemapShard(baseUrl, entries))
}

function monthAndNumber(argument: string): [string, number] {
  const [month = '', number] = argument.split('/')
  return [month, Number(number)]
}
