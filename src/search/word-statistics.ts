import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'

/** How many entries there are, and the share of them that has each common word and facet. */
export type WordStatistics = { entries: number; words: Shares; facets: Shares }

type Shares = { sorted: readonly string[]; shareOf: ReadonlyMap<string, number> }

/** Common words change slowly, and a wrong estimate costs time but no results. */
const keptMs = 10 * 60_000

const kept = new WeakMap<Database, { statistics: Promise<WordStatistics>; until: number }>()

/** PostgreSQL's latest statistics, at most ten minutes old. */
export function wordStatistics(db: Database): Promise<WordStatistics> {
  const before = kept.get(db)
  if (before && performance.now() < before.until) return before.statistics
  const statistics = readStatistics(db)
  kept.set(db, { statistics, until: performance.now() + keptMs })
  statistics.catch(() => {
    if (kept.get(db)?.statistics === statistics) kept.delete(db)
  })
  return statistics
}

type ShareRow = { of_column: string; element: string; share: number }

async function readStatistics(db: Database): Promise<WordStatistics> {
  const counted = await sql<{ entries: number }>`
    select greatest(reltuples, 0)::float8 as entries from pg_class where oid = 'public.search_entries'::regclass`.execute(
    db,
  )
  const { rows } = await sql<ShareRow>`select of_column, element, share from search_shares()`.execute(db)
  const sharesOf = (column: string): Shares => {
    const own = rows.filter(({ of_column }) => of_column === column)
    return {
      sorted: own.map(({ element }) => element).toSorted(),
      shareOf: new Map(own.map(({ element, share }) => [element, share])),
    }
  }
  return {
    entries: counted.rows[0]?.entries ?? 0,
    words: sharesOf('words'),
    facets: sharesOf('facets'),
  }
}

/** The share of entries that have this word. Words that are not listed as common are rare. */
export const shareOf = ({ shareOf }: Shares, element: string): number => shareOf.get(element) ?? 0

/** The same for all words with this prefix, by binary search. */
export function shareBeginningWith({ sorted, shareOf }: Shares, beginning: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < beginning) low = middle + 1
    else high = middle
  }
  let share = 0
  for (let at = low; sorted[at]?.startsWith(beginning); at++) share += shareOf.get(sorted[at] ?? '') ?? 0
  return Math.min(share, 1)
}
