import type { Problem } from '../../contract/problems/problem.ts'
import type { Kind, SearchOption } from '../../kinds/index.ts'
import { searchFiltersOf } from '../../kinds/search-filters.ts'

/** The form fields as submitted, without empty ones. The filters of the kinds have their own names. */
export type SearchPageQuery = { readonly [Name in CommonField | 'cursor']?: string } & {
  readonly [filter: string]: string | undefined
}

type CommonField = keyof typeof commonFields

/** A filter that people can use, as a field of the form. */
export type FormFilter = { name: string; label: string } & (
  | { options: readonly SearchOption[] }
  | { maxLength: number; normalise?: (written: string) => string }
)

/** The filters of the kinds that have a field in the form. */
export function formFiltersOf(kinds: readonly Kind[]): FormFilter[] {
  return searchFiltersOf(kinds).flatMap(({ name, search }): FormFilter[] => {
    if (search === 'api-only') return []
    if (!('options' in search)) return [{ name, ...search }]
    const { label, anyLabel, options } = search
    return [{ name, label, options: [{ value: '', label: anyLabel }, ...options()] }]
  })
}

const fieldNamesWith = (filters: readonly FormFilter[]) => [
  ...['q', 'kind', 'sort'],
  ...filters.map(({ name }) => name),
  ...['since', 'until'],
]

export const searchPath = '/search'

/** Reads the form. Ignores unknown parameters, such as campaign tags in links. */
export function readAsked(url: string, filters: readonly FormFilter[]): SearchPageQuery {
  const start = url.indexOf('?')
  const parameters = new URLSearchParams(start < 0 ? '' : url.slice(start + 1))
  const given = [...fieldNamesWith(filters), 'cursor'].map((name) => [name, parameters.get(name)?.toWellFormed()])
  return Object.fromEntries(given.filter(([, value]) => value))
}

const dayMs = 86_400_000

/** Converts the form to the operation's query: text as the kinds want it, and whole days, including the last one. */
export function queryOf(asked: SearchPageQuery, filters: readonly FormFilter[]): Record<string, string> {
  const { since, until } = asked
  const written = filters.flatMap((filter) => {
    const value = asked[filter.name]
    return value && 'normalise' in filter && filter.normalise ? [[filter.name, filter.normalise(value)]] : []
  })
  return {
    ...asked,
    ...Object.fromEntries(written),
    ...(since && { since: startOf(since, 0) }),
    ...(until && { until: startOf(until, dayMs) }),
  }
}

/** The start of a UTC day, plus an offset. An invalid date is passed on unchanged, so that validation refuses it. */
function startOf(day: string, afterMs: number): string {
  const start = new Date(`${day}T00:00:00Z`)
  return isDay(day, start) ? new Date(start.getTime() + afterMs).toISOString() : day
}

/** Date would read 30 February as 2 March, and no calendar has a year 0. */
const isDay = (day: string, start: Date) =>
  !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day) && /^[1-9]\d{3}-\d\d-\d\d$/.test(day)

/** The URL of the next page. */
export const nextPath = (asked: SearchPageQuery, cursor: string): string =>
  `${searchPath}?${new URLSearchParams({ ...asked, cursor })}`

/** The error of each field, as a sentence for people. */
export type SearchFieldErrors = ReadonlyMap<string, string>

export const noFaults: SearchFieldErrors = new Map()

export function searchFieldErrors({ members }: Problem, filters: readonly FormFilter[]): SearchFieldErrors {
  const fields = new Map<string, FieldWords>([...Object.entries(commonFields), ...filters.map(filterField)])
  const faults = (members.errors ?? []).flatMap(({ pointer, detail }) => {
    const name = pointer.replace(/^#\//, '')
    const field = fields.get(name)
    return field ? [[name, `${field.subject} ${field.inWords ?? detail}.`] as const] : []
  })
  // The first error of a field is the most useful.
  return new Map(faults.toReversed())
}

/** `inWords` replaces messages that only make sense to API callers. */
type FieldWords = { subject: string; inWords?: string }

const aDate = 'must be a date, such as 2026-11-15'

const commonFields = {
  q: { subject: 'The search text' },
  kind: { subject: 'The kind' },
  sort: { subject: 'The order' },
  since: { subject: 'The first day', inWords: aDate },
  until: { subject: 'The last day', inWords: aDate },
} satisfies Record<string, FieldWords>

const filterField = (filter: FormFilter): [string, FieldWords] => [
  filter.name,
  {
    subject: `The ${filter.label.charAt(0).toLowerCase()}${filter.label.slice(1)}`,
    ...('options' in filter && { inWords: 'must be one from the list' }),
  },
]
