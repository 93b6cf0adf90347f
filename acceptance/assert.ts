/** Assertions. Each failure reads "<what>: expected <this>, came <that>". */
import { Failure, type Json, show, skip } from './checks.ts'
import type { Reply } from './http.ts'
import { accountPage } from './targets.ts'

export function fail(what: string | undefined, expected: string, came: string): never {
  const failure = new Failure(`expected ${expected}, came ${came}`)
  // The line of the check, which says what was looked at.
  const [place] = /[\w-]+\.ts:\d+/.exec(failure.stack.replaceAll('assert.ts', '')) ?? []
  failure.message = `${[place, what].filter(Boolean).join(' ')}: ${failure.message}`
  throw failure
}
export function holds(condition: boolean, what: string | undefined, expected: string, came: unknown): void {
  if (!condition) fail(what, expected, typeof came === 'string' ? came : show(came))
}
type List = string | readonly unknown[]
export const includes = (list: List, item: Json, what: string) => holds(list.includes(item), what, show(item), list)
export const excludes = (list: List, item: Json, what: string) =>
  holds(!list.includes(item), what, `no ${show(item)}`, 'one')
export const equal = (came: unknown, expected: unknown, what?: string) =>
  holds(Object.is(came, expected), what, show(expected), show(came))
export const oneOf = (came: unknown, expected: readonly unknown[], what?: string) =>
  holds(expected.includes(came), what, `one of ${show(expected)}`, show(came))
export const match = (came: unknown, pattern: RegExp, what?: string) =>
  holds(typeof came === 'string' && pattern.test(came), what, `text like ${pattern}`, show(came))
export const noMatch = (came: string, pattern: RegExp, what?: string) =>
  holds(!pattern.test(came), what, `nothing like ${pattern}`, show(pattern.exec(came)?.[0]))
export const isString = (came: unknown, what?: string) =>
  holds(typeof came === 'string' && came.length > 0, what, 'a non-empty string', show(came))
export const isInteger = (came: Json, what?: string, { min = -Infinity, max = Infinity } = {}) =>
  holds(Number.isSafeInteger(came) && came >= min && came <= max, what, `an integer in ${min}..${max}`, show(came))
export const isBoolean = (came: unknown, what?: string) =>
  holds(typeof came === 'boolean', what, 'true or false', show(came))
export const isArray = (came: unknown, what?: string) => holds(Array.isArray(came), what, 'an array', show(came))
export const isObject = (came: unknown, what?: string) =>
  holds(typeof came === 'object' && came !== null && !Array.isArray(came), what, 'an object', show(came))
export const lacks = (object: Json, member: string, what?: string) =>
  holds(object?.[member] === undefined, what, `no member ${member}`, show(object?.[member]))

/** Deep equality that ignores the order of members. */
export const sameJson = (came: unknown, expected: unknown, what?: string) =>
  holds(canonical(came) === canonical(expected), what, show(expected, 400), show(came, 400))
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!value || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.keys(value).toSorted()
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`
}

type Near = { near?: number; withinSeconds?: number }
/** ISO 8601 in UTC with Z (decisions, first paragraph). */
export function isTime(came: Json, what?: string, { near, withinSeconds = 120 }: Near = {}): void {
  match(came, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, what)
  const at = Date.parse(came)
  holds(!Number.isNaN(at), what, 'a real time', came)
  if (near === undefined) return
  const expected = `a time within ${withinSeconds} s of ${new Date(near).toISOString()}`
  holds(Math.abs(at - near) <= withinSeconds * 1000, what, expected, came)
}

export const hasStatus = (reply: Reply, expected: number | number[], what = `${reply.method} ${reply.url}`) =>
  holds([expected].flat().includes(reply.status), what, [expected].flat().join(' or '), String(reply))
export const hasType = (reply: Reply, pattern: RegExp, what = `content type of ${reply.method} ${reply.url}`) =>
  match(reply.type, pattern, what)
export function isOkJson(reply: Reply, status = 200): Json {
  hasStatus(reply, status)
  hasType(reply, /^application\/json\b/i)
  return reply.json
}

export const idPattern = (prefix: string) => new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`)

/** decisions 1: owner links are {account_page_url}/o/{32 random bytes in base64url}. */
export function isOwnerLink(came: Json, what = 'account_url'): void {
  const start = `${accountPage}/o/`
  const valid = String(came).startsWith(start) && /^[A-Za-z0-9_-]{43}$/.test(came.slice(start.length))
  holds(valid, what, `${start}{43 characters of base64url}`, came)
}

/** Codes whose remedy is the owner's, and codes of which the documents do not say (undefined: nothing is asserted). */
const ownerNeeded: Record<string, boolean | undefined> = {
  insufficient_balance: true,
  owner_required: true,
  email_unverified: true,
  account_banned: undefined,
  owner_session_required: undefined,
}
type ProblemOptions = { owner?: boolean; instance?: boolean; base?: string }

/** An RFC 9457 document with the older error object beside it (spec Errors 1 and 2, decisions 10). */
export function isProblem(reply: Reply, status: number, code?: string, options: ProblemOptions = {}): Json {
  const what = `${reply.method} ${reply.url}`
  hasStatus(reply, status, what)
  equal(reply.mediaType, 'application/problem+json', `content type of ${what}`)
  const problem = reply.json
  if (code !== undefined) equal(problem.code, code, `code of ${what} (detail ${show(problem.detail)})`)
  for (const member of ['code', 'title', 'detail']) isString(problem[member], `${member} of ${what}`)
  equal(problem.type, `${options.base ?? new URL(reply.url).origin}/problems/${problem.code}`, `type of ${what}`)
  equal(problem.status, status, `status member of ${what}`)
  if (options.instance !== false) isString(problem.instance, `instance of ${what}`)
  isObject(problem.error, `older error object of ${what}`)
  equal(problem.error.code, problem.code, `error.code of ${what}`)
  isString(problem.error.message, `error.message of ${what}`)
  const owner = 'owner' in options ? options.owner : code && code in ownerNeeded ? ownerNeeded[code] : false
  if (owner === true)
    for (const [object, name] of [
      [problem, ''],
      [problem.error, 'error.'],
    ]) {
      isOwnerLink(object.account_url, `${name}account_url of ${what}`)
      equal(object.for_human, true, `${name}for_human of ${what}`)
    }
  if (owner === false) {
    lacks(problem, 'account_url', `problem of ${what}, where no owner is needed`)
    holds(problem.for_human !== true, `for_human of ${what}, where no owner is needed`, 'absent or false', 'true')
  }
  return problem
}

/** The pointers of a problem without their #: a pointer is a JSON Pointer as a URI fragment (decisions 10). */
export const pointersOf = (problem: Json): string[] =>
  (problem.errors ?? []).map((error: Json) => String(error.pointer).replace(/^#/, ''))

/** 422 validation_failed with an entry that points at `pointer` (or below it; any of several will do). */
export function isInvalid(
  reply: Reply,
  pointer: string | string[],
  expected = { status: 422, code: 'validation_failed' },
) {
  const problem = isProblem(reply, expected.status, expected.code)
  const what = `errors of ${reply.method} ${reply.url}`
  isArray(problem.errors, what)
  for (const error of problem.errors) {
    match(error?.pointer, /^#(\/|$)/, 'errors[].pointer')
    isString(error.detail, 'errors[].detail')
  }
  const wanted = [pointer].flat()
  const found = pointersOf(problem).some((given) => wanted.some((one) => given === one || given.startsWith(`${one}/`)))
  holds(found, what, `an entry pointing at ${wanted.join(' or ')}`, problem.errors)
  return problem
}

const day = 86_400_000
/** Seconds until 00:00 UTC. */
export const secondsToMidnight = (now = Date.now()) => Math.ceil((day - (now % day)) / 1000)
/** Daily allowances reset at 00:00 UTC: a check that counts them must not run across it. */
export function notNearMidnight(seconds = 90): void {
  if (secondsToMidnight() < seconds) skip(`less than ${seconds} s before 00:00 UTC, when the allowance resets`)
}
