import type { Random } from '../../../../tooling/random.ts'

const oddTexts = [
  '',
  ' ',
  '\0',
  '\u202e\u200b',
  '\ud800',
  '\udc00\ud800',
  '🦑'.repeat(80),
  `e${'\u0301'.repeat(500)}`,
  'a'.repeat(81),
  'a'.repeat(5_000),
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; drop table accounts; --",
  '{{7*7}}%s%n',
  '../../../etc/passwd',
  '%00%0d%0aSet-Cookie:a=b',
  'http://169.254.169.254/',
  'https://user:pass@[::1]:99999/',
  'NaN',
  '-1',
  '1e400',
  '9007199254740993',
  '2026-02-30T25:61:00Z',
  '9999-12-31T23:59:59.999Z',
  'post_00000000000000000000000000',
  'acct_zzzzzzzzzzzzzzzzzzzzzzzzzz',
  '__proto__',
  'مرحبا بالعالم',
  '世界',
  '"a phrase" -word or',
  '-or "',
  '((((((((',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
] as const

const oddValues = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  [],
  {},
  [[]],
  [null],
  { a: { b: { c: [] } } },
] as const

export const oddText = (random: Random): string => {
  if (random.chance(0.1)) return random.bytes(random.below(40)).toString('latin1')
  return random.pick(oddTexts)
}

const oddValue = (random: Random): unknown => (random.chance(0.5) ? oddText(random) : random.pick(oddValues))

const oddNames = ['__proto__', 'constructor', 'toString', '', ' ', 'NAME', 'a/b~c', '\0', '$where', 'then', 'nonsense']

/** The same value with one or a few places changed: replaced, removed, doubled or with another member. */
export function spoil(value: unknown, random: Random): unknown {
  const spoilt = spoilOnce(structuredClone(value), random)
  return random.chance(0.3) ? spoil(spoilt, random) : spoilt
}

function spoilOnce(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.05)) return oddValue(random)
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.3))
      return Array(1 + random.below(random.chance(0.1) ? 500 : 4)).fill(oddValue(random))
    const at = random.below(value.length)
    return value.map((item, index) => (index === at ? spoilOnce(item, random) : item))
  }
  const members = Object.entries(value)
  if (members.length === 0 || random.chance(0.15))
    return Object.fromEntries([...members, [random.pick(oddNames), oddValue(random)]])
  const chosen = random.below(members.length)
  if (random.chance(0.2)) return Object.fromEntries(members.filter((_, index) => index !== chosen))
  return Object.fromEntries(
    members.map(([name, member], index) => [name, index === chosen ? spoilOnce(member, random) : member]),
  )
}

/** Fields of a query or a form: the usual ones, some of them odd, doubled or missing. */
export function oddFields(usual: Readonly<Record<string, unknown>>, random: Random): URLSearchParams {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(usual)) {
    if (random.chance(0.1)) continue
    fields.append(name, random.chance(0.5) ? oddText(random).toWellFormed() : String(value))
    if (random.chance(0.05)) fields.append(name, oddText(random).toWellFormed())
  }
  if (random.chance(0.2)) fields.append(random.pick(oddNames), oddText(random).toWellFormed())
  return fields
}

/** The path with something in place of each parameter: `{id}` or `:id`. */
export const filledPath = (path: string, params: Readonly<Record<string, unknown>>, random: Random): string =>
  path.replaceAll(/\{(\w+)\}|:(\w+)/g, (_, one, other) => {
    const usual = params[one ?? other]
    return encodeURIComponent(
      (random.chance(0.5) && usual !== undefined ? String(usual) : oddText(random)).toWellFormed(),
    )
  })
