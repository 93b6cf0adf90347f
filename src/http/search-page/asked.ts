/** What the form was filled in with, as it was sent; what was left empty is not there. */
export type Asked = { readonly [Name in FieldName | 'cursor']?: string }

export const fieldNames = ['q', 'kind', 'sort', 'topic', 'country', 'since', 'until'] as const
export type FieldName = (typeof fieldNames)[number]

export const searchPath = '/search'

/** Reads the form. A person's link may bring along what is not ours, such as marks of a campaign: it is passed over. */
export function readAsked(url: string): Asked {
  const start = url.indexOf('?')
  const parameters = new URLSearchParams(start < 0 ? '' : url.slice(start + 1))
  const given = [...fieldNames, 'cursor'].map((name) => [name, parameters.get(name)?.toWellFormed()])
  return Object.fromEntries(given.filter(([, value]) => value))
}

const dayMs = 86_400_000

/** The same as the operation takes it: a topic however it was written, and whole days, the last one included. */
export function queryOf({ topic, since, until, ...asked }: Asked): Record<string, string> {
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
export const nextPath = (asked: Asked, cursor: string): string =>
  `${searchPath}?${new URLSearchParams({ ...asked, cursor })}`
