import { isDeepStrictEqual } from 'node:util'
import { listAt, propertiesOf, type Schema } from '../contract.ts'
import { compareFunctions } from './compare-functions.ts'
import { compareValues } from './compare-values.ts'
import type { Comparison, Direction } from './comparison.ts'

/** Reports what a caller notices of the change of a schema that it sends or receives. */
export function compareSchemas(
  comparison: Comparison,
  before: Schema,
  after: Schema,
  direction: Direction,
  place: string,
): void {
  const [was, is] = [nameOf(before), nameOf(after)]
  const key = `${was ?? place} ${is ?? place} ${direction}`
  if (was === is && before['type'] === after['type']) compareArguments(comparison, before, after, direction, place)
  if (was === undefined && is === undefined) {
    compareContents(comparison, before, after, direction, place)
    return
  }
  if (comparison.visited.has(key)) return
  comparison.visited.add(key)
  const [from, to] = [resolve(comparison.before, before), resolve(comparison.after, after)]
  // Callers get the instances of a class from the client, also those that they pass back to it.
  const seen = from['class'] ? 'out' : direction
  compareSchemas(comparison, from, to, seen, was !== undefined && was === is ? was : place)
}

const nameOf = (schema: Schema) => (schema['$ref'] as string | undefined)?.slice(2)

/** A name that a contract does not describe stands for itself. */
const resolve = (schemas: Record<string, Schema>, schema: Schema): Schema => {
  const name = nameOf(schema)
  return name === undefined ? schema : (schemas[name] ?? { type: name })
}

/** The type arguments of a generic type of a client. */
function compareArguments(
  comparison: Comparison,
  before: Schema,
  after: Schema,
  direction: Direction,
  place: string,
): void {
  const [was, is] = [listAt(before, 'arguments') as Schema[], listAt(after, 'arguments') as Schema[]]
  if (was.length !== is.length) {
    const what = `type arguments ${was.length} → ${is.length}`
    comparison.report(place, what, true, 'Code that uses the type no longer compiles.')
    return
  }
  for (const [index, argument] of was.entries())
    compareSchemas(comparison, argument, is[index] ?? {}, direction, `${place}<${index + 1}>`)
}

function compareContents(
  comparison: Comparison,
  before: Schema,
  after: Schema,
  direction: Direction,
  place: string,
): void {
  const [was, is] = [alternativesOf(before), alternativesOf(after)]
  if (was.length > 1 || is.length > 1) compareAlternatives(comparison, was, is, direction, place)
  else if (before['type'] === 'function' && after['type'] === 'function')
    compareFunctions(compareSchemas, comparison, before, after, direction, place)
  else {
    compareValues(comparison, before, after, direction, place)
    if (typeOf(before) !== typeOf(after)) return
    compareObjects(comparison, before, after, direction, place)
    compareParts(comparison, before, after, direction, place)
  }
}

/** The schemas in a schema that have no name of their own. */
function compareParts(comparison: Comparison, before: Schema, after: Schema, direction: Direction, place: string) {
  for (const keyword of ['items', 'additionalProperties', 'propertyNames']) {
    const [was, is] = [before[keyword], after[keyword]]
    if (isSchema(was) && isSchema(is))
      compareSchemas(comparison, was, is, direction, keyword === 'items' ? `${place}[]` : `${place}.*`)
  }
  const [was, is] = [listAt(before, 'allOf') as Schema[], listAt(after, 'allOf') as Schema[]]
  if (was.length !== is.length)
    comparison.report(place, `parts ${was.length} → ${is.length}`, true, 'Its type is another one.')
  else for (const [index, part] of was.entries()) compareSchemas(comparison, part, is[index] ?? {}, direction, place)
  for (const base of listAt(before, 'bases').filter((one) => !listAt(after, 'bases').includes(one)))
    comparison.report(place, `no longer a ${base}`, true, `Code that expects a ${base} misses it.`)
  compareUses(comparison, before, after, direction)
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** What a type that is compared as text refers to. */
function compareUses(comparison: Comparison, before: Schema, after: Schema, direction: Direction): void {
  for (const name of listAt(before, 'uses'))
    if (listAt(after, 'uses').includes(name))
      compareSchemas(comparison, { $ref: `#/${name}` }, { $ref: `#/${name}` }, direction, String(name))
}

function compareObjects(
  comparison: Comparison,
  before: Schema,
  after: Schema,
  direction: Direction,
  place: string,
): void {
  const { report } = comparison
  const [was, is] = [propertiesOf(before), propertiesOf(after)]
  const [needed, needs] = [listAt(before, 'required'), listAt(after, 'required')]
  for (const [name, schema] of Object.entries(was)) {
    const at = `${place}.${name}`
    const now = is[name]
    if (!now) {
      report(at, 'removed', true, notices.removed[direction])
      continue
    }
    const [wasRequired, isRequired] = [needed.includes(name), needs.includes(name)]
    if (isRequired && !wasRequired) report(at, 'now required', direction === 'in', notices.required[direction])
    if (wasRequired && !isRequired) report(at, 'no longer required', direction === 'out', notices.optional[direction])
    compareSchemas(comparison, schema, now, direction, at)
  }
  for (const name of Object.keys(is)) {
    if (was[name]) continue
    const isNeeded = direction === 'in' && needs.includes(name)
    report(
      `${place}.${name}`,
      isNeeded ? 'added, required' : 'added',
      isNeeded,
      notices[isNeeded ? 'required' : 'added'][direction],
    )
  }
}

const notices = {
  removed: { in: 'A request that has it is refused.', out: 'A caller that reads it does not get it.' },
  required: { in: 'A request without it is refused.', out: 'Callers can rely on it.' },
  optional: { in: 'Requests can omit it.', out: 'A caller that relies on it sometimes does not get it.' },
  added: { in: 'Requests can have it.', out: 'Callers can read it.' },
}

/** The alternatives of a union. A list of values is one alternative. */
function alternativesOf(schema: Schema): Schema[] {
  const listed = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
  if (listed) return listed.flatMap(alternativesOf)
  const type = schema['type']
  if (!Array.isArray(type)) return [schema]
  const others = Object.entries(schema).filter(([keyword]) => keyword !== 'type')
  return type.map((one) => (one === 'null' ? { type: one } : { ...Object.fromEntries(others), type: one }))
}

/** Who sends must find each old alternative accepted; who receives must know each new one. */
function compareAlternatives(
  comparison: Comparison,
  before: Schema[],
  after: Schema[],
  direction: Direction,
  place: string,
): void {
  const left = [...after]
  const unmatched = before.filter((was) => {
    const index = left.findIndex((is) => isDeepStrictEqual(was, is) || isSameKind(was, is))
    if (index < 0) return true
    const [is = {}] = left.splice(index, 1)
    compareSchemas(comparison, was, is, direction, place)
    return false
  })
  const remaining = unmatched.filter((was) => {
    const index = left.findIndex((is) => typeOf(was) === typeOf(is) && typeOf(was) === 'object')
    if (index < 0) return true
    const [is = {}] = left.splice(index, 1)
    compareSchemas(comparison, was, is, direction, place)
    return false
  })
  for (const was of remaining)
    comparison.report(place, `${describe(was)} removed`, direction === 'in', 'It is no longer accepted or returned.')
  for (const is of left)
    comparison.report(
      place,
      `${describe(is)} added`,
      direction === 'out',
      'Callers receive a form that they do not know.',
    )
}

const typeOf = (schema: Schema) => (schema['properties'] ? 'object' : schema['type'])

/** The same name, the same fixed values, or, if it has no members, the same type. */
function isSameKind(one: Schema, other: Schema): boolean {
  if (nameOf(one) !== undefined || nameOf(other) !== undefined) return nameOf(one) === nameOf(other)
  if (typeOf(one) !== typeOf(other)) return false
  if (typeOf(one) !== 'object') return true
  const [fixed, others] = [fixedValues(one), fixedValues(other)]
  return fixed.length > 0 && isDeepStrictEqual(fixed, others)
}

const fixedValues = (schema: Schema) =>
  Object.entries(propertiesOf(schema)).flatMap(([name, { const: value }]) =>
    value === undefined ? [] : [[name, value]],
  )

function describe(schema: Schema): string {
  const name = nameOf(schema)
  if (name !== undefined) return name
  const fixed = fixedValues(schema).map(([member, value]) => `${member} ${value}`)
  return fixed.length > 0
    ? `object with ${fixed.join(', ')}`
    : String(schema['const'] ?? schema['type'] ?? 'alternative')
}
