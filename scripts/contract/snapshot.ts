import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { CommandError } from '../../src/bin/command.ts'
import { type Contracts, contractNames, type Entry, type Parts, type Schema } from './contract.ts'

/** Where the contracts of the last release are. */
export const snapshotFolder = 'generated/last-release'

export type Snapshot = { version: string; contracts: Contracts }

/** Null before the first release. */
export function readSnapshot(root: string): Snapshot | null {
  const folder = join(root, snapshotFolder)
  if (!existsSync(join(folder, 'release.json'))) return null
  const read = (file: string): unknown => {
    try {
      return JSON.parse(readFileSync(join(folder, file), 'utf8'))
    } catch (error) {
      throw new CommandError(`${snapshotFolder}/${file} cannot be read: ${(error as Error).message}`)
    }
  }
  const contracts = contractNames.map((name) => [name, toParts(read(`${name}.json`) as Recorded)])
  return { version: (read('release.json') as Snapshot).version, contracts: Object.fromEntries(contracts) as Contracts }
}

export function writeSnapshot(root: string, { version, contracts }: Snapshot): void {
  const folder = join(root, snapshotFolder)
  mkdirSync(folder, { recursive: true })
  for (const name of contractNames)
    writeFileSync(join(folder, `${name}.json`), `${print(fromParts(contracts[name]))}\n`)
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify({ version })}\n`)
}

/** What parts have under a name, by their names: `all`, or `messages stories`. */
type Variants<Value> = Record<string, Record<string, Value>>
/** Most of a contract is the same for all sites, and is written once. */
type Recorded = { parts: string[]; entries: Variants<Entry>; schemas: Variants<Schema> }

function fromParts(parts: Parts): Recorded {
  const collect = <Value>(read: (part: Parts[string]) => Record<string, Value>): Variants<Value> => {
    const names = new Set(Object.values(parts).flatMap((part) => Object.keys(read(part))))
    return Object.fromEntries([...names].sort().map((name) => [name, variants(parts, (part) => read(part)[name])]))
  }
  return {
    parts: Object.keys(parts),
    entries: collect((part) => part.entries),
    schemas: collect((part) => part.schemas),
  }
}

function variants<Value>(parts: Parts, read: (part: Parts[string]) => Value | undefined): Record<string, Value> {
  const found: { names: string[]; value: Value }[] = []
  for (const [name, part] of Object.entries(parts)) {
    const value = read(part)
    if (value === undefined) continue
    const same = found.find((one) => isDeepStrictEqual(one.value, value))
    if (same) same.names.push(name)
    else found.push({ names: [name], value })
  }
  const count = Object.keys(parts).length
  return Object.fromEntries(
    found.map(({ names, value }) => [names.length === count ? everyPart : names.join(' '), value]),
  )
}

const everyPart = 'all'

function toParts({ parts, entries, schemas }: Recorded): Parts {
  return Object.fromEntries(
    parts.map((part) => [part, { entries: select(entries, part), schemas: select(schemas, part) }]),
  )
}

function select<Value>(variants: Variants<Value>, part: string): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(variants).flatMap(([name, values]) => {
      const found = Object.entries(values).find(([parts]) => parts === everyPart || parts.split(' ').includes(part))
      return found ? [[name, found[1]]] : []
    }),
  )
}

const lineWidth = 120

/** JSON with everything on one line that fits, so that a difference is short and can be read. */
function print(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  if (indent.length + line.length <= lineWidth || typeof value !== 'object' || value === null) return line
  const inner = `${indent} `
  const members = Array.isArray(value)
    ? value.map((one) => print(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${print(one, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`
}

export function isNewer(version: string, than: string): boolean {
  const [one, other] = [version.split('.').map(Number), than.split('.').map(Number)]
  const at = one.findIndex((number, index) => number !== other[index])
  return at >= 0 && Number(one[at]) > Number(other[at])
}
