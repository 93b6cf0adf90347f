import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'

/** The number of entries, and the share of them that has each common word and facet. */
export type WordStatistics = { entries: number; words: Shares; facets: Shares }

type Shares = { sorted: readonly string[]; shareOf: ReadonlyMap<string, number> }

const none: Shares = { sorted: [], shareOf: new Map() }

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

type Row = { column: string; entries: number; elements: string[] | null; shares: number[] | null }

async function readStatistics(db: Database): Promise<WordStatistics> {
  const { rows } = await sql<Row>`
    select attname as column, reltuples as entries, most_common_elems::text::text[] as elements,
      most_common_elem_freqs as shares
    from pg_stats join pg_class on pg_class.oid = 'search_entries'::regclass
    where schemaname = 'public' and tablename = 'search_entries' and attname in ('words', 'facets')`.execute(db)
  const sharesOf = (name: string): Shares => {
    const { elements, shares } = rows.find(({ column }) => column === name) ?? {}
    if (!elements || !shares) return none
    return {
      sorted: elements.toSorted(),
      shareOf: new Map(elements.map((element, index) => [element, shares[index] ?? 0])),
    }
  }
  return { entries: Math.max(0, rows[0]?.entries ?? 0), words: sharesOf('words'), facets: sharesOf('facets') }
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
