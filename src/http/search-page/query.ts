import type { Problem } from '../../contract/problems/problem.ts'

/** The form fields as submitted, without empty ones. */
export type SearchPageQuery = { readonly [Name in FieldName | 'cursor']?: string }

export const fieldNames = ['q', 'kind', 'sort', 'topic', 'country', 'since', 'until'] as const
export type FieldName = (typeof fieldNames)[number]

export const searchPath = '/search'

/** Reads the form. Ignores unknown parameters, such as campaign tags in links. */
export function readAsked(url: string): SearchPageQuery {
  const start = url.indexOf('?')
  const parameters = new URLSearchParams(start < 0 ? '' : url.slice(start + 1))
  const given = [...fieldNames, 'cursor'].map((name) => [name, parameters.get(name)?.toWellFormed()])
  return Object.fromEntries(given.filter(([, value]) => value))
}

const dayMs = 86_400_000

/** Converts the form to the operation's query: topics as slugs, and whole days, including the last one. */
export function queryOf({ topic, since, until, ...asked }: SearchPageQuery): Record<string, string> {
  return {
    ...asked,
    ...(topic && { topic: topic.trim().replace(/^#/, '').toLowerCase().replaceAll(/\s+/g, '-') }),
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
export type SearchFieldErrors = ReadonlyMap<FieldName, string>

export const noFaults: SearchFieldErrors = new Map()

export function searchFieldErrors({ members }: Problem): SearchFieldErrors {
  const faults = (members.errors ?? []).flatMap(({ pointer, detail }) => {
    const name = fieldNames.find((one) => pointer === `#/${one}`)
    return name ? [[name, `${subjects[name]} ${inWords[name] ?? detail}.`] as const] : []
  })
  // The first error of a field is the most useful.
  return new Map(faults.toReversed())
}

const subjects: Record<FieldName, string> = {
  q: 'The search text',
  kind: 'The kind',
  sort: 'The order',
  topic: 'The topic',
  country: 'The country',
  since: 'The first day',
  until: 'The last day',
}

/** Replaces messages that only make sense to API callers. */
const inWords: Partial<Record<FieldName, string>> = {
  country: 'must be one from the list',
  since: 'must be a date, such as 2026-11-15',
  until: 'must be a date, such as 2026-11-15',
}
