import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { type ArchivePageView, archivePageSize, type SiteView } from '../views.ts'
import { readMonthsBeside } from './neighbours.ts'
import { selectPosts, shown } from './read-posts.ts'

/** Number of posts ever published in each month that has any, latest month first. One lookup per month. */
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

/** The posts of a month with these numbers, first and last included. */
type Range = { kind: string; month: string; from: number; to: number }

const within = ({ kind, month, from, to }: Range) =>
  sql<boolean>`publications.kind = ${kind} and publications.month = ${month} and publications.number between ${from} and ${to}`

export async function readArchivePage(
  db: Database,
  site: SiteView,
  month: string,
  number: number,
): Promise<ArchivePageView> {
  const kind = site.kind.name
  const last = number * archivePageSize
  const rows = await selectPosts(db)
    .innerJoin('publications', 'publications.post_id', 'posts.id')
    .where(within({ kind, month, from: last - archivePageSize + 1, to: last }))
    .where('posts.status', '=', 'published')
    .orderBy('publications.number')
    .execute()
  const posts = rows.map((row) => shown(site, row))
  const hasNext = (await readLast(db, { kind, month, from: last + 1, to: last + 1 })) > 0
  const months = number === 1 ? await readMonthsBeside(db, kind, month) : undefined
  return { month, number, posts, hasPrevious: number > 1, hasNext, months }
}

/** For the sitemap: the listed posts in a range, and the last used number in it. */
export async function readListed(db: Database, range: Range) {
  const posts = await db
    .selectFrom('publications')
    .innerJoin('posts', 'posts.id', 'publications.post_id')
    .select(['posts.id', 'posts.published_at', 'posts.edited_at'])
    .where(within(range))
    .where('posts.listed', '=', true)
    .orderBy('publications.number')
    .execute()
  return {
    last: await readLast(db, range),
    posts: posts.map(({ id, published_at, edited_at }) => ({ id, changedAt: (edited_at ?? published_at) as Date })),
  }
}

async function readLast(db: Database, range: Range): Promise<number> {
  const { last } = await db
    .selectFrom('publications')
    .select((query) => query.fn.max('number').as('last'))
    .where(within(range))
    .executeTakeFirstOrThrow()
  return last ?? 0
}
