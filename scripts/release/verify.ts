import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What two builders may have differently. Each list has a value for the first build and one for the second. */
const settings = {
  TZ: ['UTC', 'Pacific/Auckland'],
  LC_ALL: ['C.UTF-8', 'C'],
  LANG: ['C.UTF-8', 'C'],
  umask: ['022', '077'],
  folder: ['one', 'another/deeper folder'],
} as const

type Order = { out: string; withImage: boolean }

/** Builds twice, keeps the first build in `out`, and returns the files that differ. Then the second is kept beside it. */
export async function verify({ out, withImage }: Order): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-release-'))
  try {
    const outs = [join(folder, 'out-1'), join(folder, 'out-2')] as const
    for (const [index, built] of outs.entries()) {
      console.log(`Build ${index + 1} of 2: ${describe(index)}`)
      await buildApart(index, { out: built, clone: join(folder, String(settings.folder[index])), withImage })
    }
    rmSync(out, { recursive: true, force: true })
    cpSync(outs[0], out, { recursive: true })
    const differences = compareBuilds(...outs)
    if (differences.length > 0) cpSync(outs[1], `${out}-second`, { recursive: true })
    return differences
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const describe = (index: number) =>
  Object.entries(settings)
    .map(([name, values]) => `${name} ${values[index]}`)
    .join(', ')

async function buildApart(index: number, { out, clone, withImage }: Order & { clone: string }): Promise<void> {
  const program = [process.execPath, join(import.meta.dirname, 'main.ts'), '--into', out, '--clone', clone]
  const environment = { TZ: settings.TZ[index], LC_ALL: settings.LC_ALL[index], LANG: settings.LANG[index] }
  const child = spawn(
    'sh',
    ['-c', `umask ${settings.umask[index]} && exec "$@"`, 'sh', ...program, ...(withImage ? [] : ['--without-image'])],
    { stdio: 'inherit', env: { ...process.env, ...environment } },
  )
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`Build ${index + 1} failed.`)
}

/** The files that only one build has, or that have other bytes in the other. */
export function compareBuilds(first: string, second: string): string[] {
  const [sums, others] = [first, second].map((out) => new Map(sumsIn(out).map(({ name, sha256 }) => [name, sha256])))
  const names = new Set([...(sums?.keys() ?? []), ...(others?.keys() ?? [])])
  return [...names].filter((name) => sums?.get(name) !== others?.get(name))
}

/** The lines of SHA256SUMS. */
export const sumsIn = (out: string): { sha256: string; name: string }[] =>
  readFileSync(join(out, 'SHA256SUMS'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => ({ sha256: line.slice(0, 64), name: line.slice(66) }))
