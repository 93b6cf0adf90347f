import type { Problem } from '../../contract/problems/problem.ts'
import type { Kind, SearchOption } from '../../kinds/index.ts'
import { searchFiltersOf } from '../../kinds/search-filters.ts'

/** The form fields as submitted, without empty ones. The filters of the kinds have their own names. */
export type SearchPageQuery = { readonly [Name in CommonField | 'cursor']?: string } & {
  readonly [filter: string]: string | undefined
}

type CommonField = keyof typeof commonFields

/** A filter that people can use, as a field of the form, and the kinds that have it. */
export type FormFilter = { name: string; label: string; kinds: readonly string[] } & (
  | { options: readonly SearchOption[] }
  | { amount: true }
  | { day: 'start' | 'end' }
  | { maxLength: number; normalise?: (written: string) => string }
)

/** The filters of the kinds that have a field in the form. */
export function formFiltersOf(kinds: readonly Kind[]): FormFilter[] {
  return searchFiltersOf(kinds).flatMap(({ name, search, kinds: those }): FormFilter[] => {
    if (search === 'api-only') return []
    const common = { name, kinds: those.map((kind) => kind.name) }
    if (!('options' in search)) return [{ ...common, ...search }]
    const { label, anyLabel, options } = search
    return [{ ...common, label, options: [{ value: '', label: anyLabel }, ...options()] }]
  })
}

/** The value of the field `kind` for posts of all sites. */
export const allSites = ''

const fieldNamesWith = (filters: readonly FormFilter[]) => [
  ...['q', 'kind', 'sort'],
  ...filters.map(({ name }) => name),
  ...['since', 'until'],
]

export const searchPath = '/search'

/**
 * Reads the form. Ignores unknown parameters, such as campaign tags in links. Without a choice, a search finds posts of
 * the site that it is on. Drops the filters of other kinds, which are left when somebody chooses another site.
 */
export function readAsked(url: string, filters: readonly FormFilter[], siteKind: string): SearchPageQuery {
  const start = url.indexOf('?')
  const parameters = new URLSearchParams(start < 0 ? '' : url.slice(start + 1))
  const kind = parameters.get('kind')?.toWellFormed() ?? siteKind
  const fitting = filters.filter(({ kinds }) => kind === allSites || kinds.includes(kind))
  const given = [...fieldNamesWith(fitting), 'cursor'].map((name) => [name, parameters.get(name)?.toWellFormed()])
  return { ...Object.fromEntries(given.filter(([, value]) => value)), kind }
}

/** The filters that the form shows: those of the chosen kind. For all sites, those that kinds share or that are set. */
export const shownFilters = (asked: SearchPageQuery, filters: readonly FormFilter[]): FormFilter[] =>
  filters.filter(({ name, kinds }) =>
    asked.kind === allSites ? kinds.length > 1 || asked[name] !== undefined : kinds.includes(asked.kind ?? ''),
  )

const dayMs = 86_400_000

/** Converts the form to the operation's query: text as the kinds want it, and whole days, including the last one. */
export function queryOf(asked: SearchPageQuery, filters: readonly FormFilter[]): Record<string, string> {
  const { kind, since, until, ...others } = asked
  const written = filters.flatMap((filter) => {
    const value = asked[filter.name]
    return value ? [[filter.name, parameterOf(filter, value)]] : []
  })
  return {
    ...others,
    ...(kind !== allSites && kind !== undefined && { kind }),
    ...Object.fromEntries(written),
    ...(since && { since: startOf(since, 0) }),
    ...(until && { until: startOf(until, dayMs) }),
  }
}

function parameterOf(filter: FormFilter, value: string): string {
  // The last second, because the filter includes the moment that it is given.
  if ('day' in filter) return startOf(value, filter.day === 'end' ? dayMs - 1_000 : 0)
  return 'normalise' in filter && filter.normalise ? filter.normalise(value) : value
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
  kind: { subject: 'The site', inWords: 'must be one from the list' },
  sort: { subject: 'The order' },
  since: { subject: 'The first day', inWords: aDate },
  until: { subject: 'The last day', inWords: aDate },
} satisfies Record<string, FieldWords>

function filterField(filter: FormFilter): [string, FieldWords] {
  if ('day' in filter) return [filter.name, { subject: `“${filter.label}”`, inWords: aDate }]
  const subject = `The ${filter.label.charAt(0).toLowerCase()}${filter.label.slice(1)}`
  return [filter.name, { subject, ...('options' in filter && { inWords: 'must be one from the list' }) }]
}
