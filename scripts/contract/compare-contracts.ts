import { type Change, type Comparison, compareSchemas, type Schema } from './compare-schemas.ts'

/** The contract of one site, or the tools of one server, by the names that callers use. */
export type Contract = { document: Schema; entries: Record<string, Entry> }

/** An operation, event, problem or tool. */
export type Entry = {
  /** The parameters and the body, as members of an object. */
  sent?: Schema
  /** The contents and headers of the responses, by status. */
  received?: Record<string, Schema>
  /** The ways to authenticate, each with everything that it needs. */
  access?: readonly (readonly string[])[]
}

/** Lists the differences between two states of a contract. */
export function compareContracts(before: Contract, after: Contract, growing: ReadonlySet<unknown>): Change[] {
  const changes: Change[] = []
  const comparison = { before: before.document, after: after.document, growing, changes, visited: new Set<string>() }
  for (const [name, was] of Object.entries(before.entries)) {
    const is = after.entries[name]
    if (is) compareEntries(comparison, name, was, is)
    else changes.push({ text: `${name}: removed`, breaking: true })
  }
  for (const name of Object.keys(after.entries))
    if (!before.entries[name]) changes.push({ text: `${name}: added`, breaking: false })
  return changes
}

function compareEntries(comparison: Comparison, name: string, before: Entry, after: Entry): void {
  compareSchemas(comparison, [before.sent ?? {}, after.sent ?? {}], { direction: 'sent', place: name })
  const [was, is] = [before.received ?? {}, after.received ?? {}]
  const statuses = Object.keys(was).map((part) => part.slice(0, 3))
  for (const part of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const place = `${name} ${part}`.trimEnd()
    const [one, other] = [was[part], is[part]]
    if (one && other) compareSchemas(comparison, [one, other], { direction: 'received', place })
    // Callers must bear an error that they do not know. One who handles 200 may not handle 202.
    else if (!other) comparison.changes.push({ text: `${place}: removed`, breaking: !/^[45]/.test(part) })
    else {
      const breaking = /^[123]/.test(part) && !statuses.includes(part.slice(0, 3))
      comparison.changes.push({ text: `${place}: added`, breaking })
    }
  }
  for (const held of before.access ?? [[]])
    if (!(after.access ?? [[]]).some((needed) => needed.every((way) => held.includes(way))))
      comparison.changes.push({ text: `${name}: access with ${held.join(' and ') || 'nothing'} ends`, breaking: true })
}
