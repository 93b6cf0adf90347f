import { sql } from 'kysely'
import type { Kind } from '../../kinds/index.ts'
import type { Database } from '../../platform/database/database.ts'
import { standingPagesOf } from '../jobs/enqueue-pages.ts'
import { readMonths } from '../listings/read-archive.ts'
import { archivePageSize, sitemapSize } from '../views.ts'
import type { Piece } from './write-piece.ts'

/** Small enough to limit memory use and to report progress, large enough that the queries cost almost nothing. */
const postsInPiece = 500
const pagesInPiece = 50

export type PostPiece = { piece: Piece; upTo: string; count: number }
export type PagePiece = { piece: Piece; shelvesDone: string | null; count: number }

/** All posts that were ever public, in pieces, after the given id. */
export async function* postPieces(db: Database, kind: string, from: string): AsyncGenerator<PostPiece> {
  for (let after = from; ; ) {
    const { rows } = await sql<{ last: string | null; count: number }>`
      select max(id collate "C") as last, count(*) as count from (
        select id from posts where id > ${after} and kind = ${kind} and published_at is not null
        order by id limit ${sql.lit(postsInPiece)}
      ) as piece`.execute(db)
    const { last, count } = rows[0] as { last: string | null; count: number }
    if (last === null) return
    yield { piece: { posts: { after, upTo: last } }, upTo: last, count }
    after = last
  }
}

/** All pages except post pages, in pieces: the listings after the given path, then all others. */
export async function* pagePieces(db: Database, of: Kind, from: string | null): AsyncGenerator<PagePiece> {
  const kind = of.name
  let hasFront = from !== null
  for (let after = from; ; ) {
    const paths = await readListingPaths(db, kind, after)
    if (paths.length === 0) break
    hasFront ||= paths.includes('')
    after = paths.at(-1) as string
    for await (const pages of fullPages(db, kind, paths))
      yield { piece: { pages }, shelvesDone: null, count: pages.length }
    // Last, because an interrupted rebuild continues after this path.
    yield { piece: { pages: paths.map((path) => `shelf:${path}`) }, shelvesDone: after, count: paths.length }
  }
  for await (const pages of otherPages(db, of, hasFront))
    yield { piece: { pages }, shelvesDone: null, count: pages.length }
}

/** The site's listings, and the authors of every site: an author's page is on all of them. */
async function readListingPaths(db: Database, kind: string, after: string | null): Promise<string[]> {
  const paths = db
    .selectFrom('shelves')
    .select('path')
    .$if(after !== null, (query) => query.where('path', '>', String(after)))
    .orderBy('path')
    .limit(pagesInPiece)
  const own = await paths.where('kind', '=', kind).execute()
  const authors = await paths.distinct().where('path', '>=', 'by/').where('path', '<', 'by0').execute()
  const all = new Set([...own, ...authors].map(({ path }) => path))
  return [...all].sort().slice(0, pagesInPiece)
}

/** The full pages of these listings, which follow each other. Most listings have few, so a piece has those of many. */
async function* fullPages(db: Database, kind: string, paths: readonly string[]): AsyncGenerator<string[]> {
  for (let after = { path: String(paths[0]), number: 0 }; ; ) {
    const { rows } = await sql<{ path: string; number: number }>`
      select path, number from listing_pages
      where kind = ${kind} and (path, number) > (${after.path}, ${after.number}::int) and path <= ${String(paths.at(-1))}
      order by path, number limit ${sql.lit(pagesInPiece)}`.execute(db)
    if (rows.length > 0) yield rows.map(({ path, number }) => `listing-page:${path}/${number}`)
    const last = rows.at(-1)
    if (!last || rows.length < pagesInPiece) return
    after = last
  }
}

/** Two pieces must not write the same page at the same time, so the front page is left out if it was among the listings. */
async function* otherPages(db: Database, of: Kind, hasFront: boolean): AsyncGenerator<string[]> {
  const kind = of.name
  yield standingPagesOf(of).filter((page) => page !== 'shelf:' || !hasFront)
  for (const { month, count } of await readMonths(db, kind)) {
    const numbered = (name: string, size: number) =>
      Array.from({ length: Math.ceil(count / size) }, (_, index) => `${name}:${month}/${index + 1}`)
    const pages = [...numbered('archive', archivePageSize), ...numbered('sitemap', sitemapSize)]
    for (let start = 0; start < pages.length; start += pagesInPiece) yield pages.slice(start, start + pagesInPiece)
  }
}
