import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import { selectPosts, shown } from './read-posts.ts'
import { type ArchivePageView, archivePageSize, type SiteView } from './views.ts'

/** How many posts were ever published in each month that has any, last month first. One look-up for each month. */
export async function readMonths(db: Database, kind: string): Promise<{ month: string; count: number }[]> {
  const last = (before: ReturnType<typeof sql>) => sql`
    select month, number from publications where kind = ${kind} and ${before} order by month desc, number desc limit 1`
  const { rows } = await sql<{ month: string; count: number }>`
    with recursive months as (
      (${last(sql`true`)})
      union all
      select earlier.month, earlier.number from months, lateral (${last(sql`month < months.month`)}) as earlier
    )
    select month, number as count from months`.execute(db)
  return rows
}

/** Posts of a month from one number to another, as far as they still stand. */
const selectNumbered = (db: Database, kind: string, month: string, from: number, to: number) =>
  selectPosts(db)
    .innerJoin('publications', 'publications.post_id', 'posts.id')
    .select('publications.number')
    .where('publications.kind', '=', kind)
    .where('publications.month', '=', month)
    .where('publications.number', '>=', from)
    .where('publications.number', '<=', to)
    .where('posts.status', '=', 'published')
    .orderBy('publications.number')

export async function readArchivePage(
  db: Database,
  site: SiteView,
  month: string,
  number: number,
): Promise<ArchivePageView> {
  const last = number * archivePageSize
  const rows = await selectNumbered(db, site.kind.name, month, last - archivePageSize + 1, last).execute()
  const next = await db
    .selectFrom('publications')
    .select('number')
    .where('kind', '=', site.kind.name)
    .where('month', '=', month)
    .where('number', '=', last + 1)
    .executeTakeFirst()
  return {
    month,
    number,
    posts: rows.map((row) => shown(site, row)),
    hasPrevious: number > 1,
    hasNext: next !== undefined,
  }
}

export type Numbered = { id: string; changedAt: Date }

/** For the sitemap: those of a range that are listed, and how many numbers of it are given. */
export async function readListed(db: Database, kind: string, month: string, from: number, to: number) {
  const { last } = await db
    .selectFrom('publications')
    .select((query) => query.fn.max('number').as('last'))
    .where('kind', '=', kind)
    .where('month', '=', month)
    .where('number', '>=', from)
    .where('number', '<=', to)
    .executeTakeFirstOrThrow()
  const posts = await db
    .selectFrom('publications')
    .innerJoin('posts', 'posts.id', 'publications.post_id')
    .select(['posts.id', 'posts.published_at', 'posts.edited_at'])
    .where('publications.kind', '=', kind)
    .where('publications.month', '=', month)
    .where('publications.number', '>=', from)
    .where('publications.number', '<=', to)
    .where('posts.listed', '=', true)
    .orderBy('publications.number')
    .execute()
  return {
    last: last ?? 0,
    posts: posts.map(({ id, published_at, edited_at }) => ({ id, changedAt: (edited_at ?? published_at) as Date })),
  }
}
