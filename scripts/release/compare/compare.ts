import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../tooling/shell.ts'

type Entry = { path: string; about: Record<string, unknown> }

/** The system's Python, because another one that comes first in the PATH does not see the system's packages. */
export const python = process.env['PYTHON'] ?? '/usr/bin/python3'

const maxShown = 10

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

/** What differs between two builds, a line each, with the entry inside an archive. Empty if they have the same bytes. */
export async function compareFolders(first: string, second: string): Promise<string[]> {
  const names = new Set([first, second].flatMap((folder) => readdirSync(folder)))
  const differences: string[] = []
  for (const name of [...names].sort()) {
    const paths = [join(first, name), join(second, name)] as const
    const missing = paths.findIndex((path) => !existsSync(path))
    if (missing >= 0) differences.push(`${name} is missing in the ${missing === 0 ? 'first' : 'second'} build`)
    else if ((await sha256Of(paths[0])) !== (await sha256Of(paths[1])))
      differences.push(...(await compareFiles(name, paths)))
  }
  return differences
}

async function compareFiles(name: string, [first, second]: readonly [string, string]): Promise<string[]> {
  const [before, after] = await Promise.all([entriesOf(first), entriesOf(second)])
  const places = new Map(after.map((entry, index) => [entry.path, { entry, index }]))
  const found = before.flatMap(({ path, about }) => {
    const other = places.get(path)?.entry
    if (!other) return [`${name}: ${path} is missing in the second build`]
    const fields = Object.keys(about).filter((key) => JSON.stringify(about[key]) !== JSON.stringify(other.about[key]))
    return fields.map((key) => `${name}: ${path}: ${key} ${show(about[key])} ≠ ${show(other.about[key])}`)
  })
  const known = new Set(before.map(({ path }) => path))
  found.push(
    ...after.filter(({ path }) => !known.has(path)).map(({ path }) => `${name}: ${path} is missing in the first build`),
  )
  if (found.length > maxShown) return [...found.slice(0, maxShown), `${name}: ${found.length - maxShown} more`]
  if (found.length > 0) return found
  const moved = before.find(({ path }, index) => places.get(path)?.index !== index)
  if (moved) return [`${name}: ${moved.path} is in another place, so the order of the entries differs`]
  return [before.length > 0 ? `${name}: the entries are equal, but packed differently` : `${name}: the content differs`]
}

const show = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** The entries of an archive, in its order; none for another file. */
async function entriesOf(path: string): Promise<Entry[]> {
  const lines = await run(python, [join(import.meta.dirname, 'entries.py'), path])
  return lines === '' ? [] : lines.split('\n').map((line) => JSON.parse(line) as Entry)
}
