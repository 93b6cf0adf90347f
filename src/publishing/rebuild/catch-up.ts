import { sql } from 'kysely'
import type { Kind } from '../../kinds/index.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { standingPagesOf } from '../jobs/enqueue-pages.ts'
import { stopTree } from '../jobs/locks.ts'
import { readArchiveBeside, readListingsBeside } from '../listings/neighbours.ts'
import { touchedPages } from '../listings/touched-pages.ts'

/** The number of the site's last change. The lock ensures that no change with a smaller number commits later. */
export async function readVersion(tx: Transaction, kind: string): Promise<number> {
  await sql`set local lock_timeout = '60s'`.execute(tx)
  await stopTree(tx, kind)
  const { rows } = await sql<{ last_value: number }>`select last_value from page_versions`.execute(tx)
  return rows[0]?.last_value ?? 0
}

export type Changes = { posts: string[]; pages: string[] }

/** The posts that changed after a version, and the pages that show them. */
export async function readChanges(tx: Transaction, of: Kind, after: number): Promise<Changes> {
  const kind = of.name
  const publications = await tx
    .selectFrom('publications')
    .select(['post_id', 'month', 'number'])
    .where('kind', '=', kind)
    .where('version', '>', after)
    .execute()
  const unlisted = await tx
    .selectFrom('unlisted_posts')
    .select('post_id')
    .where('kind', '=', kind)
    .where('version', '>', after)
    .execute()
  const shelves = await tx
    .selectFrom('shelves')
    .select('path')
    .where('kind', '=', kind)
    .where('version', '>', after)
    .execute()
  // An author's page shows the posts on all sites.
  const authors = await tx
    .selectFrom('shelves')
    .select('path')
    .where('path', '>=', 'by/')
    .where('path', '<', 'by0')
    .where('version', '>', after)
    .execute()
  const full = await readFullPages(tx, kind, after)
  const numbered = publications.flatMap(
    ({ month, number }) =>
      touchedPages({
        ...{ touched: [], pages: [], archive_month: month, archive_number: number },
        ...{ is_new: true, isStanding: false },
      }).others,
  )
  const beside: string[] = []
  for (const { month, number } of publications) beside.push(...(await readArchiveBeside(tx, kind, { month, number })))
  const changed = shelves.map(({ path }) => path)
  for (const path of await readListingsBeside(tx, of, changed)) beside.push(`shelf:${path}`)
  return {
    posts: [...publications, ...unlisted].map(({ post_id }) => post_id),
    pages: [
      ...new Set([
        ...[...shelves, ...authors].map(({ path }) => `shelf:${path}`),
        ...full.map(({ path, number }) => `listing-page:${path}/${number}`),
        ...numbered,
        ...beside,
        ...standingPagesOf(of),
      ]),
    ],
  }
}

/** The full pages that changed after a version, and the ones beside them, which link to a page only while it has posts. */
async function readFullPages(tx: Transaction, kind: string, after: number) {
  const { rows } = await sql<{ path: string; number: number }>`
    select distinct path, near.number from listing_pages changed cross join lateral (
      select changed.number
      union all
      (select number from listing_pages beside where kind = changed.kind and path = changed.path
        and number < changed.number and listed > 0 order by number desc limit 1)
      union all
      (select number from listing_pages beside where kind = changed.kind and path = changed.path
        and number > changed.number and listed > 0 order by number limit 1)
    ) near (number) where kind = ${kind} and version > ${after}`.execute(tx)
  return rows
}
