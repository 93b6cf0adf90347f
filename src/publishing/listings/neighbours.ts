import { sql } from 'kysely'
import type { Kind } from '../../kinds/index.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import type { Neighbours } from '../views.ts'

/** Whether the listing belongs to a type with a natural order, such as months. */
export const isOrdered = ({ listingTypes }: Kind, path: string): boolean =>
  path.includes('/') && listingTypes?.[path.split('/')[0] ?? '']?.index?.order === 'by-path'

/** The paths of the nearest listings with posts. */
export async function readNeighbours(db: Database, kind: Kind, path: string): Promise<Neighbours<string>> {
  const beside = () =>
    db
      .selectFrom('shelves')
      .where('kind', '=', kind.name)
      .where('parent', '=', path.slice(0, path.indexOf('/')))
      .where('listed', '>', 0)
  const { previous } = await beside()
    .select((query) => query.fn.max('path').as('previous'))
    .where('path', '<', path)
    .executeTakeFirstOrThrow()
  const { next } = await beside()
    .select((query) => query.fn.min('path').as('next'))
    .where('path', '>', path)
    .executeTakeFirstOrThrow()
  return { previous, next }
}

/** The listings that link to the given ones. */
export async function readListingsBeside(db: Database, kind: Kind, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths.filter((one) => isOrdered(kind, one)))
    found.push(...Object.values(await readNeighbours(db, kind, path)).filter((one) => one !== null))
  return found
}

/**
 * The listings whose links change after a post joined or left the given ones: those beside a listing that got its first
 * post or lost its last. The transaction has changed the front page's row, so no other one can do the same meanwhile.
 */
export async function readRelinked(tx: Transaction, kind: Kind, touched: readonly string[]): Promise<string[]> {
  const ordered = touched.filter((path) => isOrdered(kind, path))
  if (ordered.length === 0) return []
  const turned = await tx
    .selectFrom('shelves')
    .select('path')
    .where('kind', '=', kind.name)
    .where('path', 'in', ordered)
    .where('listed', '<=', 1)
    .execute()
  return readListingsBeside(
    tx,
    kind,
    turned.map(({ path }) => path),
  )
}

/** The nearest months in which posts were published. */
export async function readMonthsBeside(db: Database, kind: string, month: string): Promise<Neighbours<string>> {
  const { rows } = await sql<Neighbours<string>>`select
    (select max(month) from publications where kind = ${kind} and month < ${month}) as previous,
    (select min(month) from publications where kind = ${kind} and month > ${month}) as next`.execute(db)
  return rows[0] as Neighbours<string>
}

/** The archive pages that link to a month whose first post has this number: only first pages have such links. */
export async function readArchiveBeside(
  db: Database,
  kind: string,
  { month, number }: { month: string; number: number },
): Promise<string[]> {
  if (number !== 1) return []
  const { previous, next } = await readMonthsBeside(db, kind, month)
  return [previous, next].filter((one) => one !== null).map((one) => `archive:${one}/1`)
}
