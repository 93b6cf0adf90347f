import assert from 'node:assert/strict'
import type { Call } from '../contract/call.ts'
import type { Kind } from '../kinds/index.ts'
import { searchFiltersOf } from '../kinds/search-filters.ts'
import type { Database } from '../platform/database/database.ts'
import { publicPost } from '../posts/public/public-post.ts'
import type { Language } from '../text-analysis/languages.ts'
import { branchesOf, pairsIn, writeBranch } from './branches.ts'
import { chooseWay } from './choose-way.ts'
import { readRankedCursor, writeNewestCursor, writeRankedCursor } from './cursor.ts'
import { highlighter } from './highlight.ts'
import { readQuery, type SearchQuery } from './read-query.ts'
import {
  type AppliedFilter,
  type Criteria,
  type FoundRow,
  facetsOf,
  type Plan,
  searchStatement,
  wantedBy,
} from './search-statement.ts'
import { explainTimeout } from './time-limit.ts'
import { type WordStatistics, wordStatistics } from './word-statistics.ts'

/** A parsed query; the filters of the kinds are among its other members. */
export type SearchInput = Omit<Criteria, 'filters'> & { q: string; [filter: string]: unknown }
export type QueryReading = { isTyped: boolean }

/** One page of matching posts of all kinds, with their highlights. */
export async function findPosts(call: Call, kinds: readonly Kind[], input: SearchInput, reading: QueryReading) {
  const at = call.clock.now()
  const query = readQuery(input.q, reading)
  const criteria = criteriaOf(kinds, input)
  const { result: rows, asOf } = await call.searchReader
    .read((db) => runSearch(db, query, criteria, at))
    .catch(explainTimeout)
  const shown = rows.slice(0, input.limit)
  const last = rows.length > input.limit ? shown.at(-1) : undefined
  const highlights = highlighter(query)
  return {
    data: shown.map((row) => {
      const kind = kinds.find(({ name }) => name === row.kind)
      assert(kind, 'a stored post has an unknown kind')
      const fields = kind.texts(row.content).map(({ field }) => field)
      return {
        ...publicPost(kind, call.baseUrls[kind.name] ?? '', row),
        highlights: highlights(fields, row.content, row.language as Language | null),
      }
    }),
    next_cursor: last ? cursorAfter(last, criteria, at) : null,
    as_of: asOf.toISOString(),
  }
}

export function criteriaOf(kinds: readonly Kind[], input: SearchInput): Criteria {
  const { kind, since, until, sort, limit, cursor } = input
  const filters = searchFiltersOf(kinds).flatMap((filter) => {
    const value = input[filter.name] as AppliedFilter['value'] | undefined
    return value === undefined ? [] : [{ filter, value }]
  })
  return { kind, filters, since, until, sort, limit, cursor }
}

async function runSearch(db: Database, query: SearchQuery, criteria: Criteria, at: Date): Promise<FoundRow[]> {
  const plan = planOf(query, criteria, at, await wordStatistics(db))
  return plan ? (await searchStatement(plan).execute(db)).rows : []
}

/** Null if nothing can match. */
export function planOf(query: SearchQuery, criteria: Criteria, at: Date, known: WordStatistics): Plan | null {
  const branches = branchesOf(query).filter(({ alternatives }) => alternatives.length > 0)
  if (branches.length === 0) return null
  const wanted = { facets: facetsOf(criteria), count: wantedBy(criteria) }
  const way = chooseWay(branches, wanted, known)
  const words = Object.fromEntries(branches.map((branch) => [branch.language ?? '', writeBranch(branch)]))
  return {
    ...criteria,
    words,
    pairs: pairsIn(branches),
    way,
    at,
  }
}

function cursorAfter({ published_at, score, id }: FoundRow, { sort, cursor }: Criteria, at: Date) {
  if (sort === 'newest') return writeNewestCursor({ publishedAt: published_at, id })
  const begunAt = cursor ? readRankedCursor(cursor)?.at : undefined
  return writeRankedCursor({ at: begunAt ?? at, score, id })
}
