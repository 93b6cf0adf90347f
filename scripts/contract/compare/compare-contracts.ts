import { type Change, type Contract, type Contracts, contractNames, type Entry, type Schema } from '../contract.ts'
import { compareSchemas } from './compare-schemas.ts'
import type { Comparison, Report } from './comparison.ts'

/**
 * Lists the differences between two states of all contracts, breaking ones first. What changed in the same way in all
 * parts of a contract is listed once.
 */
export function compareContracts(before: Contracts, after: Contracts): Change[] {
  const tolerated = toleratedValues(before)
  const changes = contractNames.flatMap((name) => {
    if (before[name] === after[name]) return []
    const parts = [...new Set([...Object.keys(before[name]), ...Object.keys(after[name])])]
    const found = parts.map((part) => ({
      part,
      changes: compareContract(before[name][part] ?? nothing, after[name][part] ?? nothing, tolerated),
    }))
    const having = (place: string) => parts.filter((part) => hasPlace(before[name][part] ?? nothing, place))
    return merge(name, found, having)
  })
  return [...changes.filter(({ breaking }) => breaking), ...changes.filter(({ breaking }) => !breaking)]
}

const nothing: Contract = { entries: {}, schemas: {} }

/** The versioning page tells callers to expect new problem codes and new event types. */
function toleratedValues(contracts: Contracts): ReadonlySet<unknown> {
  const lists = [contracts.problems, contracts.asyncapi].flatMap((parts) => Object.values(parts))
  return new Set(lists.flatMap(({ entries }) => Object.keys(entries)))
}

type Found = { place: string; what: string; breaking: boolean; notice: string }

function compareContract(before: Contract, after: Contract, tolerated: ReadonlySet<unknown>): Map<string, Found> {
  const found = new Map<string, Found>()
  const report: Report = (place, what, breaking, notice) => {
    const key = `${place}: ${what}`
    if (!found.get(key)?.breaking) found.set(key, { place, what, breaking, notice })
  }
  const comparison: Comparison = { before: before.schemas, after: after.schemas, tolerated, visited: new Set(), report }
  for (const [place, entry] of Object.entries(before.entries)) {
    const now = after.entries[place]
    if (now) compareEntries(comparison, place, entry, now)
    else report(place, 'removed', true, 'A caller that uses it fails.')
  }
  compareTypes(comparison, before, after)
  for (const place of Object.keys(after.entries))
    if (!before.entries[place]) report(place, 'added', false, 'Callers can use it.')
  return found
}

/** A type is compared where it is sent or received. One that nothing else uses is something that callers receive. */
function compareTypes(comparison: Comparison, before: Contract, after: Contract): void {
  for (const [place, { type }] of Object.entries(before.entries)) {
    const now = after.entries[place]
    if (!type || !now) continue
    if (!now.type) comparison.report(place, 'no longer a type', true, 'Code that names the type fails.')
    else if (!isVisited(comparison, type)) compareSchemas(comparison, type, now.type, 'out', place)
  }
}

function isVisited({ visited }: Comparison, { $ref }: Schema): boolean {
  const name = String($ref).slice(2)
  return $ref === undefined || ['in', 'out'].some((direction) => visited.has(`${name} ${name} ${direction}`))
}

function compareEntries(comparison: Comparison, place: string, before: Entry, after: Entry): void {
  compareInputs(comparison, place, before.inputs ?? {}, after.inputs ?? {})
  compareOutputs(comparison, place, before.outputs ?? {}, after.outputs ?? {})
  compareAccess(comparison.report, place, before.access ?? [[]], after.access ?? [[]])
  const [was, is] = [before.facts ?? {}, after.facts ?? {}]
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)]))
    if (was[name] !== is[name])
      comparison.report(
        place,
        `${name} ${was[name]} → ${is[name]}`,
        true,
        'A caller that relies on it behaves wrongly.',
      )
}

type Inputs = NonNullable<Entry['inputs']>

function compareInputs(comparison: Comparison, place: string, before: Inputs, after: Inputs): void {
  const { report } = comparison
  for (const [name, was] of Object.entries(before)) {
    const at = `${place}: ${name}`
    const is = after[name]
    if (!is) {
      report(at, 'removed', true, 'A request that has it is refused, or it is ignored.')
      continue
    }
    if (is.required && !was.required) report(at, 'now required', true, 'A request without it is refused.')
    if (was.required && !is.required) report(at, 'no longer required', false, 'Requests can omit it.')
    compareSchemas(comparison, was.schema, is.schema, 'in', at)
  }
  for (const [name, is] of Object.entries(after)) {
    if (before[name]) continue
    if (is.required) report(`${place}: ${name}`, 'added, required', true, 'A request without it is refused.')
    else report(`${place}: ${name}`, 'added', false, 'Requests can have it.')
  }
}

type Outputs = NonNullable<Entry['outputs']>

function compareOutputs(comparison: Comparison, place: string, before: Outputs, after: Outputs): void {
  const { report } = comparison
  for (const [name, was] of Object.entries(before)) {
    const is = after[name]
    if (is) compareSchemas(comparison, was.schema, is.schema, 'out', name === '' ? place : `${place}: ${name}`)
    else if (isProblem(name)) report(`${place}: ${name}`, 'removed', false, 'It is no longer returned.')
    else report(`${place}: ${name}`, 'removed', true, 'A caller that reads it does not get it.')
  }
  const statuses = new Set(Object.keys(before).map((name) => name.slice(0, 3)))
  for (const name of Object.keys(after)) {
    if (before[name]) continue
    // A caller that handles 200 may not handle 202. Every caller must handle an error that it does not know.
    if (/^[123]\d\d /.test(name) && !statuses.has(name.slice(0, 3)))
      report(`${place}: ${name}`, 'added', true, 'A caller that does not handle this status fails.')
    else report(`${place}: ${name}`, 'added', false, 'Callers can read it.')
  }
}

const isProblem = (name: string) => /^[45]\d\d /.test(name)

/** Each way in that a caller may use must still suffice: another scheme or one more scope locks it out. */
function compareAccess(report: Report, place: string, before: string[][], after: string[][]): void {
  const suffices = (held: string[]) => after.some((needed) => needed.every((name) => held.includes(name)))
  for (const held of before) {
    if (suffices(held)) continue
    const needed = after.map(nameAccess).join(' or ')
    report(place, `access with ${nameAccess(held)} → ${needed}`, true, 'A caller with the old access is refused.')
  }
}

const nameAccess = (names: string[]) => names.join(' and ') || 'nothing'

/** Whether the operation, the event, the schema … that contains the place exists. */
function hasPlace({ entries, schemas }: Contract, place: string): boolean {
  return [...Object.keys(entries), ...Object.keys(schemas)].some(
    (name) => place === name || (place.startsWith(name) && ':.([<'.includes(place.charAt(name.length))),
  )
}

/** Names the parts of a change, unless it is the same wherever its place exists. */
function merge(
  name: string,
  found: { part: string; changes: Map<string, Found> }[],
  having: (place: string) => string[],
): Change[] {
  const keys = [...new Set(found.flatMap(({ changes }) => [...changes.keys()]))]
  return keys.flatMap((key) =>
    [true, false].flatMap((breaking) => {
      const same = found.filter(({ changes }) => changes.get(key)?.breaking === breaking)
      const first = same[0]?.changes.get(key)
      if (!first) return []
      const count = having(first.place).length || found.length
      const where = same.length < count ? ` (${same.map(({ part }) => part).join(', ')})` : ''
      return [{ id: `${name}${where}: ${key}`, breaking, notice: first.notice }]
    }),
  )
}
