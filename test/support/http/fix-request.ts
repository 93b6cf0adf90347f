import { randomUUID } from 'node:crypto'
import type { Sent } from './mistakes.ts'
import type { Answer } from './send-mistake.ts'

type FieldError = { pointer: string; detail: string; allowed?: unknown[]; closest?: unknown; expected?: unknown }
type Hint = { method: string; path: string; url: string }
type ProblemBody = { code: string; errors?: FieldError[]; closest?: Hint; expected?: string; site_url?: string }

/** Corrects a request by what the response says and nothing else; null if the response does not say enough. */
export function fixRequest(sent: Sent, answer: Answer, apiKey: string, siteOf: (url: string) => string): Sent | null {
  const { code, errors, closest, expected, site_url } = answer.body as unknown as ProblemBody
  if ('tool' in sent) return errors ? { ...sent, given: fixValue(sent.given, errors) as typeof sent.given } : null
  if (site_url) return { ...sent, kind: siteOf(site_url) }
  if (closest)
    return { ...sent, kind: siteOf(closest.url), method: closest.method, path: fill(closest.path, sent.path) }
  if (expected?.startsWith('Authorization: '))
    return { ...sent, headers: { authorization: expected.slice(15).replace('<API key>', apiKey) } }
  if (answer.headers['accept-post'] === 'application/json') return { ...sent, as: 'json' }
  if (code === 'idempotency_key_reused')
    return { ...sent, headers: { ...sent.headers, 'idempotency-key': randomUUID() } }
  if (!errors) return null
  if (code === 'invalid_query') return { ...sent, path: fixQuery(sent.path, errors) }
  return { ...sent, body: fixValue(sent.body, errors) }
}

/** Puts the identifier of the path that was sent into the template. */
const fill = (template: string, path: string) =>
  template.replace(/\{[a-z_]+\}/, /[a-z]+_[0-9a-z]{26}/.exec(path)?.[0] ?? 'missing')

function fixQuery(path: string, errors: readonly FieldError[]): string {
  const url = new URL(path, 'http://site')
  const fixed = fixValue(Object.fromEntries(url.searchParams), errors) as Record<string, string>
  return `${url.pathname}?${new URLSearchParams(fixed)}`
}

function fixValue(value: unknown, errors: readonly FieldError[]): unknown {
  let fixed = structuredClone(value)
  // Unknown names first: a renamed field is no longer missing.
  const ordered = errors.toSorted((one, other) => Number(isUnknown(other)) - Number(isUnknown(one)))
  for (const error of ordered) fixed = fixOne(fixed, error)
  return fixed
}

const isUnknown = ({ detail }: FieldError) => detail === 'is not recognized'

function fixOne(value: unknown, error: FieldError): unknown {
  const steps = error.pointer.slice(1).split('/').slice(1).map(decodeURIComponent)
  if (steps.length === 0) return replacement(value, error)
  const name = steps.pop() as string
  const holder = steps.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], value)
  const fields = holder as Record<string, unknown>
  if (isUnknown(error)) {
    const { [name]: given, ...rest } = fields
    for (const key of Object.keys(fields)) delete fields[key]
    // A page number is no cursor: what cannot be kept is left out.
    Object.assign(fields, rest, typeof error.closest === 'string' && { [error.closest]: given })
  } else if (error.detail !== 'is required' || !(name in fields)) fields[name] = replacement(fields[name], error)
  return value
}

/** A value of another form if it can be kept, else the closest or expected one. */
function replacement(given: unknown, { closest, expected, allowed }: FieldError): unknown {
  if (Array.isArray(expected) && typeof given === 'string') return [given]
  if (typeof expected === 'object' && expected !== null) {
    if (typeof given === 'string' && given.startsWith('{')) return JSON.parse(given)
    if (Array.isArray(given) && given.length === 1) return given[0]
  }
  return closest ?? allowed?.[0] ?? expected
}
