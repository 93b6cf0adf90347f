import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { sitesFromSettings } from '../../../../src/bin/sites.ts'
import { kinds } from '../../../../src/kinds/index.ts'
import { connect, type Database, inTransaction } from '../../../../src/platform/database/database.ts'
import { type Files, withdrawn } from '../../../../src/platform/page-store/site-store.ts'
import { makePage } from '../../../../src/publishing/jobs/build-page.ts'
import { postView, selectPostPages } from '../../../../src/publishing/listings/read-posts.ts'
import { filesOfPost } from '../../../../src/publishing/site-files.ts'
import { archivePageSize, type SiteView, siteViews } from '../../../../src/publishing/views.ts'
import type { SizedDatabase } from './place.ts'
import { round } from './results.ts'

const sample = 100

export type StoredFiles = { filesPerPost: number; bytesPerPost: number }

/**
 * The stored files of a post and its share of the listings: made for a sample of each kind, compressed as the page store
 * compresses them, and weighted by how many of each the database has.
 */
export async function measureStoredFiles({ urls, posts }: SizedDatabase): Promise<StoredFiles> {
  await using worker = connect(urls.worker, { poolMax: 1, applicationName: 'bench', statementTimeoutMs: 0 })
  const baseUrls = Object.fromEntries(kinds.map(({ name }) => [name, `https://${name}.example`]))
  const total = { files: 0, bytes: 0 }
  for (const site of siteViews(sitesFromSettings(baseUrls)).values())
    for (const { count, make } of await partsOf(worker.db, site)) {
      const files = []
      // One after the other, because there is one connection.
      for (const makeOne of make) files.push(...(await makeOne()).values().filter(isStored))
      if (make.length === 0) continue
      total.files += (count * files.length) / make.length
      total.bytes += (count * files.reduce((sum, content) => sum + gzipSync(content).length, 0)) / make.length
    }
  return { filesPerPost: round(total.files / posts), bytesPerPost: Math.round(total.bytes / posts) }
}

const isStored = (content: string | Buffer | null | typeof withdrawn) => content !== null && content !== withdrawn

type Part = { count: number; make: (() => Promise<Files>)[] }

async function partsOf(db: Database, site: SiteView): Promise<Part[]> {
  const kind = site.kind.name
  const at = new Date()
  const count = async (table: 'posts' | 'shelves' | 'listing_pages') => {
    const { rows } = await sql<{
      count: number
    }>`select count(*)::int from ${sql.table(table)} where kind = ${kind}`.execute(db)
    return rows[0]?.count ?? 0
  }
  const page = (name: string) => inTransaction(db, (tx) => makePage(tx, site, name, at))
  const rows = await selectPostPages(db).where('posts.kind', '=', kind).limit(sample).execute()
  const shelves = await sql<{ path: string }>`
    select path from shelves where kind = ${kind} order by md5(path) limit ${sample}`.execute(db)
  const pages = await sql<{ path: string; number: number }>`
    select path, number from listing_pages where kind = ${kind} order by md5(path), number limit ${sample}`.execute(db)
  const month = at.toISOString().slice(0, 7)
  const stored = await count('posts')
  return [
    { count: stored, make: rows.map((row) => async () => filesOfPost(site, row.id, postView(site, row))) },
    {
      count: await count('shelves'),
      make: shelves.rows.map(
        ({ path }) =>
          () =>
            page(`shelf:${path}`),
      ),
    },
    {
      count: await count('listing_pages'),
      make: pages.rows.map(
        ({ path, number }) =>
          () =>
            page(`listing-page:${path}/${number}`),
      ),
    },
    { count: stored / archivePageSize, make: [() => page(`archive:${month}/1`)] },
  ]
}
