import { isDeepStrictEqual } from 'node:util'
import type { Schema } from '../contract.ts'
import type { Compare } from './comparison.ts'

/** Reports changes of the type, the listed values and the limits of a schema. */
export const compareValues: Compare = (comparison, before, after, direction, place) => {
  compareTypes(comparison, before, after, direction, place)
  compareLists(comparison, before, after, direction, place)
  compareLimits(comparison, before, after, direction, place)
  compareForms(comparison, before, after, direction, place)
}

const compareTypes: Compare = ({ report }, before, after, direction, place) => {
  const [was, is] = [typeOf(before), typeOf(after)]
  if (was === is) return
  const isWider = is === 'anything' || (was === 'integer' && is === 'number')
  const isNarrower = was === 'anything' || (was === 'number' && is === 'integer')
  const breaking = direction === 'in' ? !isWider : !isNarrower
  report(place, `type ${was} → ${is}`, breaking, breaking ? 'Code for the old type fails.' : 'The old type still fits.')
}

/** A list of values has the type of its values. */
function typeOf(schema: Schema): string {
  const { type, properties } = schema
  const [first] = valuesOf(schema) ?? []
  return String(
    type ?? (first === undefined ? (properties ? 'object' : 'anything') : first === null ? 'null' : typeof first),
  )
}

const valuesOf = (schema: Schema): unknown[] | undefined =>
  'const' in schema ? [schema['const']] : (schema['enum'] as unknown[] | undefined)

const compareLists: Compare = ({ report, tolerated }, before, after, direction, place) => {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  if (!was && !is) return
  if (!was) return report(place, 'now a list of values', direction === 'in', 'Only the listed values are used.')
  if (!is) return report(place, 'no longer a list of values', direction === 'out', 'Any value is used.')
  for (const value of was.filter((one) => !is.includes(one)))
    report(place, `value ${value} removed`, true, valueNotices.removed[direction])
  const grows = was.every((value) => tolerated.has(value))
  for (const value of is.filter((one) => !was.includes(one)))
    report(place, `value ${value} added`, direction === 'out' && !grows, valueNotices.added[direction])
}

const valueNotices = {
  removed: { in: 'A request that has it is refused.', out: 'A caller that waits for it waits in vain.' },
  added: { in: 'Requests can have it.', out: 'Callers receive a value that they do not know.' },
}

const limits: Record<string, 'upper' | 'lower'> = {
  maxLength: 'upper',
  maximum: 'upper',
  exclusiveMaximum: 'upper',
  maxItems: 'upper',
  maxProperties: 'upper',
  minLength: 'lower',
  minimum: 'lower',
  exclusiveMinimum: 'lower',
  minItems: 'lower',
  minProperties: 'lower',
}

/** Callers must store longer and larger values than today: the versioning page says that limits of responses grow. */
const compareLimits: Compare = ({ report }, before, after, direction, place) => {
  for (const [keyword, side] of Object.entries(limits)) {
    const none = side === 'upper' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
    const [was, is] = [before[keyword] ?? none, after[keyword] ?? none] as [number, number]
    if (was === is) continue
    const isTighter = side === 'upper' ? is < was : is > was
    const breaking = direction === 'in' && isTighter
    const notice = breaking ? 'A request that was accepted is refused.' : 'What was valid is still valid, or is larger.'
    report(place, `${keyword} ${printLimit(was)} → ${printLimit(is)}`, breaking, notice)
  }
}

const printLimit = (limit: number) => (Number.isFinite(limit) ? String(limit) : 'none')

/** Whether one pattern accepts all that another accepts cannot be told, so each change of a pattern is breaking. */
const compareForms: Compare = ({ report }, before, after, direction, place) => {
  for (const keyword of ['pattern', 'format', 'contentEncoding', 'uniqueItems', 'default']) {
    const [was, is] = [before[keyword], after[keyword]]
    if (isDeepStrictEqual(was, is)) continue
    const isLooser = direction === 'in' ? is === undefined : was === undefined
    if (keyword === 'default' && direction === 'out') continue
    const breaking = keyword === 'default' ? was !== undefined : !isLooser
    const what = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed'
    report(place, `${keyword} ${what}`, breaking, breaking ? formNotices[direction] : 'What was valid is still valid.')
  }
  if (direction === 'in' && after['additionalProperties'] === false && before['additionalProperties'] !== false)
    report(place, 'other members refused', true, 'A request with members of its own is refused.')
}

const formNotices = {
  in: 'A request may be refused, or mean something else.',
  out: 'A caller that checks the value may refuse it.',
}
