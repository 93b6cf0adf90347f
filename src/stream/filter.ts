import type { Filter, Kind } from '../kinds/index.ts'
import type { LogRow } from './stream-log.ts'

/** What a reader wants: one kind or all, one author, and values of the kinds' filters by their names. */
export type StreamFilter = {
  kind: string | undefined
  author: string | undefined
  facets: Readonly<Record<string, unknown>>
}

/** Readers with the same filter get the same bytes. */
export const keyOfFilter = ({ kind, author, facets }: StreamFilter): string =>
  JSON.stringify([kind, author, ...Object.entries(facets).sort()])

type Described = Pick<LogRow, 'kind' | 'type' | 'account_id' | 'author_standing' | 'facets'>

/**
 * Whether the reader gets the entry. A post that was taken down has no fields left to compare, so that every reader of
 * its kind gets its removal. Posts of closed accounts show no author and are not found by it; their removals reach
 * everyone, because a reader may have got the post before the account was closed.
 */
export function wantsEntry({ kind, author, facets }: StreamFilter, entry: Described, of: Kind): boolean {
  if (kind !== undefined && entry.kind !== kind) return false
  const isClosed = entry.author_standing === 'closed'
  const isByAuthor = author === undefined || entry.account_id === author
  if (entry.type === 'post.removed') return isByAuthor || isClosed
  if (!isByAuthor || (author !== undefined && isClosed)) return false
  return Object.entries(facets).every(([name, value]) => {
    const filter = of.filters[name]
    return filter !== undefined && compare(filter, entry.facets[filter.facet], value)
  })
}

/** The same comparisons as `facetComparison`, which lists posts. */
function compare({ compare: how }: Filter, facet: unknown, wanted: unknown): boolean {
  if (facet === undefined || facet === null) return false
  if (how === 'contains') return Array.isArray(facet) && facet.includes(wanted)
  if (how === 'at_least') return Number(facet) >= Number(wanted)
  if (how === 'at_most') return Number(facet) <= Number(wanted)
  return facet === wanted
}
