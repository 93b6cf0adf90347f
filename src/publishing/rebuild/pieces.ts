import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { standingPages } from '../jobs/enqueue-pages.ts'
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
export async function* pagePieces(db: Database, kind: string, from: string | null): AsyncGenerator<PagePiece> {
  for (let after = from; ; ) {
    const paths = await readListingPaths(db, kind, after)
    if (paths.length === 0) break
    after = paths.at(-1) as string
    yield { piece: { pages: paths.map((path) => `shelf:${path}`) }, shelvesDone: after, count: paths.length }
  }
  for await (const pages of otherPages(db, kind)) yield { piece: { pages }, shelvesDone: null, count: pages.length }
}

async function readListingPaths(db: Database, kind: string, after: string | null): Promise<string[]> {
  const rows = await db
    .selectFrom('shelves')
    .select('path')
    .where('kind', '=', kind)
    .$if(after !== null, (query) => query.where('path', '>', String(after)))
    .orderBy('path')
    .limit(pagesInPiece)
    .execute()
  return rows.map(({ path }) => path)
}

async function* otherPages(db: Database, kind: string): AsyncGenerator<string[]> {
  yield [...standingPages]
  for (const { month, count } of await readMonths(db, kind)) {
    const numbered = (name: string, size: number) =>
      Array.from({ length: Math.ceil(count / size) }, (_, index) => `${name}:${month}/${index + 1}`)
    const pages = [...numbered('archive', archivePageSize), ...numbered('sitemap', sitemapSize)]
    for (let start = 0; start < pages.length; start += pagesInPiece) yield pages.slice(start, start + pagesInPiece)
  }
}
