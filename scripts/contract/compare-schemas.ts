import { isDeepStrictEqual } from 'node:util'

export type Schema = { readonly [keyword: string]: unknown }

/** One difference, as `PostStatus.url: removed`, and whether a caller of before fails. */
export type Change = { text: string; breaking: boolean }

export type Comparison = {
  /** The documents in which `$ref` is looked up. */
  before: Schema
  after: Schema
  /** Values that callers must expect to grow: problem codes and event types. */
  growing: ReadonlySet<unknown>
  changes: Change[]
  visited: Set<string>
}

/** What callers send may become wider, what they receive narrower. */
export type Direction = 'sent' | 'received'

type Compare = (comparison: Comparison, schemas: readonly [Schema, Schema], at: At) => void
type At = { direction: Direction; place: string }

const report = ({ changes }: Comparison, { place }: At, what: string, breaking: boolean) =>
  void changes.push({ text: `${place}: ${what}`, breaking })

/** Adds what a caller notices of the change of a schema. */
export const compareSchemas: Compare = (comparison, [before, after], at) => {
  const [was, is] = [resolve(comparison.before, before), resolve(comparison.after, after)]
  const name = before['$ref'] !== undefined && before['$ref'] === after['$ref'] ? nameOf(before['$ref']) : undefined
  if (name !== undefined) {
    // A named schema is compared once for each direction, also if it contains itself.
    if (comparison.visited.has(`${name} ${at.direction}`)) return
    comparison.visited.add(`${name} ${at.direction}`)
  }
  compareContents(comparison, [was, is], name === undefined ? at : { ...at, place: name })
}

const nameOf = (reference: unknown) => String(reference).split('/').at(-1)

function resolve(document: Schema, schema: Schema): Schema {
  if (typeof schema['$ref'] !== 'string') return schema
  const path = schema['$ref'].replace('#/', '').split('/')
  return path.reduce<unknown>((value, key) => (value as Schema)[key], document) as Schema
}

const compareContents: Compare = (comparison, [before, after], at) => {
  const [was, is] = [alternativesOf(before), alternativesOf(after)]
  if (was.length > 1 || is.length > 1) return compareAlternatives(comparison, was, is, at)
  if (!compareTypes(comparison, [before, after], at)) return
  compareLists(comparison, [before, after], at)
  compareLimits(comparison, [before, after], at)
  compareOthers(comparison, [before, after], at)
  compareMembers(comparison, [before, after], at)
  for (const keyword of ['items', 'additionalProperties', 'propertyNames']) {
    const place = `${at.place}${keyword === 'items' ? '[]' : '.*'}`
    const [one, other] = [before[keyword], after[keyword]]
    if (isSchema(one) && isSchema(other)) compareSchemas(comparison, [one, other], { ...at, place })
  }
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** The alternatives of a union. */
function alternativesOf(schema: Schema): Schema[] {
  const listed = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
  if (listed) return listed.flatMap(alternativesOf)
  const { type } = schema
  return Array.isArray(type) ? type.map((one) => (one === 'null' ? { type: one } : { ...schema, type: one })) : [schema]
}

/** Alternatives of one kind are compared; then the others, if they are objects. */
function compareAlternatives(comparison: Comparison, before: Schema[], after: Schema[], at: At): void {
  let [was, is] = [before, after]
  for (const fits of [isDeepStrictEqual, isSameKind, areObjects])
    was = was.filter((one) => {
      const match = is.find((other) => fits(one, other))
      if (match) compareSchemas(comparison, [one, match], at)
      is = is.filter((other) => other !== match)
      return !match
    })
  for (const one of was) report(comparison, at, `${describe(one)} removed`, at.direction === 'sent')
  for (const one of is) report(comparison, at, `${describe(one)} added`, at.direction === 'received')
}

/** The same name, the same fixed values, or the same type without members. */
function isSameKind(one: Schema, other: Schema): boolean {
  if (one['$ref'] ?? other['$ref']) return one['$ref'] === other['$ref']
  const fixed = describe(one)
  return fixed !== 'object' && fixed === describe(other)
}

const areObjects = (one: Schema, other: Schema) => describe(one).startsWith('object') && typeOf(other) === 'object'

function describe(schema: Schema): string {
  const fixed = Object.entries(membersOf(schema)).flatMap(([name, { const: value }]) =>
    value ? `${name} ${value}` : [],
  )
  if (schema['$ref'] !== undefined) return String(nameOf(schema['$ref']))
  return fixed.length > 0 ? `object with ${fixed.join(', ')}` : String(schema['const'] ?? typeOf(schema))
}

/** Whether the contents can be compared. */
function compareTypes(comparison: Comparison, [before, after]: readonly [Schema, Schema], at: At): boolean {
  const [was, is] = [typeOf(before), typeOf(after)]
  const [narrow, wide] = at.direction === 'sent' ? [was, is] : [is, was]
  const fits = wide === 'anything' || (narrow === 'integer' && wide === 'number')
  if (was !== is) report(comparison, at, `type ${was} → ${is}`, !fits)
  return was === is
}

function typeOf(schema: Schema): string {
  const [first] = valuesOf(schema) ?? []
  const implied = first === undefined ? (schema['properties'] ? 'object' : 'anything') : typeof first
  return String(schema['type'] ?? implied)
}

const valuesOf = (schema: Schema) => ('const' in schema ? [schema['const']] : (schema['enum'] as unknown[] | undefined))

const compareLists: Compare = (comparison, [before, after], at) => {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  const isSent = at.direction === 'sent'
  if (!was && is) return report(comparison, at, 'now a list of values', isSent)
  if (was && !is) return report(comparison, at, 'no longer a list of values', !isSent)
  const grows = was?.every((value) => comparison.growing.has(value)) ?? false
  for (const value of was ?? []) if (!is?.includes(value)) report(comparison, at, `value ${value} removed`, true)
  for (const value of is ?? [])
    if (!was?.includes(value)) report(comparison, at, `value ${value} added`, !isSent && !grows)
}

/** Callers must bear longer and larger values than today, so that only limits of what they send matter. */
const compareLimits: Compare = (comparison, [before, after], at) => {
  for (const keyword of limits) {
    const isUpper = /max/i.test(keyword)
    const none = isUpper ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
    const [was, is] = [before[keyword] ?? none, after[keyword] ?? none] as [number, number]
    const isTighter = isUpper ? is < was : is > was
    if (was !== is)
      report(comparison, at, `${keyword} ${shown(was)} → ${shown(is)}`, at.direction === 'sent' && isTighter)
  }
}

const shown = (limit: number) => (Number.isFinite(limit) ? limit : 'none')

const limits = ['Length', 'Items', 'Properties', 'imum']
  .flatMap((end) => [`min${end}`, `max${end}`])
  .concat('exclusiveMinimum', 'exclusiveMaximum')
const explaining = ['description', 'title', 'examples', 'example', 'deprecated', '$comment']
const compared = ['$ref', 'type', 'anyOf', 'oneOf', 'const', 'enum', 'properties', 'required', 'items', 'propertyNames']
const known = new Set([...limits, ...explaining, ...compared])

/** Patterns, formats and all that has no rule: whether the new one accepts as much as the old one cannot be told. */
const compareOthers: Compare = (comparison, [before, after], at) => {
  const isSent = at.direction === 'sent'
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[keyword], after[keyword]]
    if (known.has(keyword) || keyword.startsWith('x-') || isDeepStrictEqual(was, is)) continue
    if (keyword === 'additionalProperties' && isSchema(was) && isSchema(is)) continue
    const what = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed'
    const isLooser = isSent ? is === undefined : was === undefined
    // A default says what is meant by leaving a field out, and is sent by nobody.
    report(comparison, at, `${keyword} ${what}`, keyword === 'default' ? isSent && was !== undefined : !isLooser)
  }
}

const compareMembers: Compare = (comparison, [before, after], at) => {
  const [was, is] = [membersOf(before), membersOf(after)]
  const isNeeded = (schema: Schema, name: string) => ((schema['required'] ?? []) as string[]).includes(name)
  const isSent = at.direction === 'sent'
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const member = { ...at, place: `${at.place}.${name}` }
    const [one, other, needed, needs] = [was[name], is[name], isNeeded(before, name), isNeeded(after, name)]
    if (!other) report(comparison, member, 'removed', true)
    else if (!one) report(comparison, member, needs && isSent ? 'added, required' : 'added', needs && isSent)
    else {
      if (needs && !needed) report(comparison, member, 'now required', isSent)
      if (needed && !needs) report(comparison, member, 'no longer required', !isSent)
      compareSchemas(comparison, [one, other], member)
    }
  }
}

const membersOf = (schema: Schema) => (schema['properties'] ?? {}) as Record<string, Schema>
