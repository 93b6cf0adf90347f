import type { Database } from '../platform/database.ts'
import { calendar } from './feeds/calendar.ts'
import { jsonFeed } from './feeds/json-feed.ts'
import { rss } from './feeds/rss.ts'
import type { Files } from './files-of-a-post.ts'
import { archiveIndexPage } from './pages/archive-index.ts'
import { archivePage } from './pages/archive-page.ts'
import { frontPage } from './pages/front-page.ts'
import { placesPage } from './pages/places-page.ts'
import { shelfPage } from './pages/shelf-page.ts'
import { topicsPage } from './pages/topics-page.ts'
import { transparencyPage } from './pages/transparency-page.ts'
import { archiveFile, shelfFile, sitemapFile } from './paths.ts'
import { readArchivePage, readListed, readMonths } from './read-archive.ts'
import { readShelf, readShelves } from './read-shelf.ts'
import { readLatelyWithdrawn } from './read-withdrawals.ts'
import { sitemapIndex, sitemapShard } from './sitemap.ts'
import { readDays } from './transparency/read-days.ts'
import { transparencyJson } from './transparency/transparency-json.ts'
import { archivePageSize, type SiteView, sitemapSize } from './views.ts'

/** Reads what a page shows and makes its files. Nothing else decides what is in them, so that a rebuild makes the same. */
type Builder = (db: Database, site: SiteView, argument: string) => Promise<Files>

/** Every page that is not one post's own. Its name is the builder's, with what it is to be told after a colon. */
export const builders: Readonly<Record<string, Builder>> = {
  shelf: buildShelf,
  archive: async (db, site, argument) => {
    const [month, number] = monthAndNumber(argument)
    return one(archiveFile(month, number), archivePage(site, await readArchivePage(db, site, month, number)))
  },
  'archive-index': async (db, site) => {
    const months = (await readMonths(db, site.kind.name)).map(({ month, count }) => ({
      month,
      pages: Math.ceil(count / archivePageSize),
    }))
    return one('archive/index.html', archiveIndexPage(site, { months }))
  },
  topics: async (db, site) =>
    one(
      'topics/index.html',
      topicsPage(site, { shelves: await readShelves(db, site.kind.name, ['topics'], topicsShown) }),
    ),
  // A kind without a place has no such page, and nothing links to it.
  places: async (db, site) =>
    'location' in site.kind.content.shape
      ? one(
          'places/index.html',
          placesPage(site, { shelves: await readShelves(db, site.kind.name, ['places'], placesShown) }),
        )
      : new Map([['places/index.html', null]]),
  sitemap: buildSitemap,
  'sitemap-index': async (db, site) => {
    const shards = (await readMonths(db, site.kind.name)).flatMap(({ month, count }) =>
      Array.from({ length: Math.ceil(count / sitemapSize) }, (_, index) => sitemapFile(month, index + 1)),
    )
    return one('sitemap.xml', sitemapIndex(site.baseUrl, ['sitemaps/site.xml', ...shards]))
  },
  deleted: async (db, site) =>
    one('deleted.json', `${JSON.stringify(await readLatelyWithdrawn(db, site.kind.name), null, 2)}\n`),
  transparency: async (db, site) => {
    const view = await readDays(db, site.kind.name)
    return new Map([
      ['transparency/index.html', transparencyPage(site, view)],
      ['transparency/index.json', transparencyJson(site, view)],
    ])
  },
}

/** More would make a page that nobody reads to its end. */
const topicsShown = 500
const placesShown = 300

const one = (path: string, content: string): Files => new Map([[path, content]])

async function buildShelf(db: Database, site: SiteView, path: string): Promise<Files> {
  const view = await readShelf(db, site, path)
  const file = (name: string, content: (contents: NonNullable<typeof view>) => string) =>
    [shelfFile(path, name), view ? content(view) : null] as const
  return new Map([
    file('index.html', (shelf) => (path === '' ? frontPage(site, shelf) : shelfPage(site, shelf))),
    file('index.json', (shelf) => jsonFeed(site, shelf)),
    file('feed.xml', (shelf) => rss(site, shelf)),
    ...(site.kind.presentation.occasion
      ? [file('events.ics', (shelf) => calendar(site, { ...shelf, posts: shelf.coming }))]
      : []),
  ])
}

/** Archive pages are in it too, so that a part whose ads have all expired is not empty, which the format forbids. */
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
