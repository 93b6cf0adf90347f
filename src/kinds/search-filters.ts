import assert from 'node:assert/strict'
import type { Filter, Kind, SearchField } from './define-kind.ts'

/** A filter of search: its query parameter, and the kinds whose posts it can find. */
export type SearchFilter = Filter & { name: string; search: 'api-only' | SearchField; kinds: readonly Kind[] }

/**
 * The filters that these kinds declare for search, in the order of the kinds. The query of the operation, its SQL, the
 * terms of a search entry, the search form and the documentation derive from them.
 */
export function searchFiltersOf(kinds: readonly Kind[]): SearchFilter[] {
  const found = new Map<string, SearchFilter>()
  for (const kind of kinds)
    for (const [name, filter] of Object.entries(kind.filters)) {
      const { search } = filter
      if (search === undefined) continue
      const known = found.get(name)
      assert(!known || isSame(known, filter), `two kinds define the search filter ${name} differently; share it`)
      found.set(name, { ...filter, name, search, kinds: [...(known?.kinds ?? []), kind] })
    }
  return [...found.values()]
}

/** One parameter cannot mean two things. */
const isSame = (one: Filter, other: Filter) =>
  one.query === other.query && one.facet === other.facet && one.compare === other.compare && one.search === other.search

/** Whether the filter looks for a value that the search index has as a term. The others compare sizes. */
export const matchesExactly = ({ compare }: Filter): boolean => compare === 'equals' || compare === 'contains'
