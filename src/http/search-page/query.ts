import type { Problem } from '../../contract/problems/problem.ts'

/** What the form was filled in with, as it was sent; what was left empty is not there. */
export type SearchPageQuery = { readonly [Name in FieldName | 'cursor']?: string }

export const fieldNames = ['q', 'kind', 'sort', 'topic', 'country', 'since', 'until'] as const
export type FieldName = (typeof fieldNames)[number]

export const searchPath = '/search'

/** Reads the form. A person's link may bring along what is not ours, such as marks of a campaign: it is passed over. */
export function readAsked(url: string): SearchPageQuery {
  const start = url.indexOf('?')
  const parameters = new URLSearchParams(start < 0 ? '' : url.slice(start + 1))
  const given = [...fieldNames, 'cursor'].map((name) => [name, parameters.get(name)?.toWellFormed()])
  return Object.fromEntries(given.filter(([, value]) => value))
}

const dayMs = 86_400_000

/** The same as the operation takes it: a topic however it was written, and whole days, the last one included. */
export function queryOf({ topic, since, until, ...asked }: SearchPageQuery): Record<string, string> {
  return {
    ...asked,
    ...(topic && { topic: topic.trim().replace(/^#/, '').toLowerCase().replaceAll(/\s+/g, '-') }),
    ...(since && { since: startOf(since, 0) }),
    ...(until && { until: startOf(until, dayMs) }),
  }
}

/** When a day begins in UTC, or so long after. What is no day is left as it is, and refused with the rest. */
function startOf(day: string, afterMs: number): string {
  const start = new Date(`${day}T00:00:00Z`)
  return isDay(day, start) ? new Date(start.getTime() + afterMs).toISOString() : day
}

/** The 30th of February would be read as the 2nd of March, and no calendar has a year 0. */
const isDay = (day: string, start: Date) =>
  !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day) && /^[1-9]\d{3}-\d\d-\d\d$/.test(day)

/** The address of the page that follows. */
export const nextPath = (asked: SearchPageQuery, cursor: string): string =>
  `${searchPath}?${new URLSearchParams({ ...asked, cursor })}`

/** What is wrong with each field, as a sentence for people. */
export type SearchFieldErrors = ReadonlyMap<FieldName, string>

export const noFaults: SearchFieldErrors = new Map()

export function searchFieldErrors({ members }: Problem): SearchFieldErrors {
  const faults = (members.errors ?? []).flatMap(({ pointer, detail }) => {
    const name = fieldNames.find((one) => pointer === `#/${one}`)
    return name ? [[name, `${subjects[name]} ${inWords[name] ?? detail}.`] as const] : []
  })
  // The first of a field says most.
  return new Map(faults.toReversed())
}

const subjects: Record<FieldName, string> = {
  q: 'What you look for',
  kind: 'The kind',
  sort: 'The order',
  topic: 'A topic',
  country: 'The country',
  since: 'The first day',
  until: 'The last day',
}

/** Where the contract speaks of what only programs write. */
const inWords: Partial<Record<FieldName, string>> = {
  country: 'must be one of the list',
  since: 'must be a day, such as 2026-11-15',
  until: 'must be a day, such as 2026-11-15',
}
