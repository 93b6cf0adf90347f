import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Verification } from '../verify/index.ts'
import { CliError } from './cli-error.ts'
import { credentialsPath } from './config.ts'
import { withLock } from './file-lock.ts'

/**
 * What `verify` saw last: the checkpoint of each log by the log’s name, and the names of the logs of each site by the
 * site’s address, with a space between.
 */
type Checkpoints = ReadonlyMap<string, string>

const checkpointsPath = (environment: NodeJS.ProcessEnv): string =>
  join(dirname(credentialsPath(environment)), 'checkpoints.json')

/** Empty before the first visit. A file that cannot be read is an error: without it, a changed log would pass. */
export function readCheckpoints(environment: NodeJS.ProcessEnv): Checkpoints {
  const path = checkpointsPath(environment)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return new Map()
    throw unusable(path, 'cannot be read', 'Correct its permissions.')
  }
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isObject && Object.values(value).every((seen) => typeof seen === 'string'))
      return new Map(Object.entries(value as Record<string, string>))
  } catch {}
  throw unusable(
    path,
    'is damaged',
    'Delete it only if you accept that changes to the log since your last visit will go unnoticed.',
  )
}

/** Remembers a visit. Replaces the file as a whole, and keeps what other runs have saved since this one began. */
export async function saveVisit(environment: NodeJS.ProcessEnv, visit: Verification): Promise<void> {
  if (!visit.checkpoint) return
  const path = checkpointsPath(environment)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    await withLock(path, () => replaceFile(path, withVisit(readCheckpoints(environment), visit)))
  } catch (error) {
    if (error instanceof CliError) throw error
    throw unusable(path, 'cannot be written', 'Correct the permissions of the folder, or set XDG_CONFIG_HOME.')
  }
}

function withVisit(saved: Checkpoints, { checkpoint, logs }: Verification): Checkpoints {
  const seen = new Map(saved)
  if (checkpoint) {
    const known = saved.get(checkpoint.origin)
    // Another run can have seen a larger tree meanwhile.
    if (known === undefined || sizeIn(known) <= sizeIn(checkpoint.note)) seen.set(checkpoint.origin, checkpoint.note)
  }
  if (logs) seen.set(logs.site, [...new Set([...logsIn(saved.get(logs.site)), ...logs.origins])].join(' '))
  return seen
}

function replaceFile(path: string, seen: Checkpoints): void {
  const draft = `${path}.${process.pid}`
  try {
    rmSync(draft, { force: true })
    writeFileSync(draft, `${JSON.stringify(Object.fromEntries(seen), null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } finally {
    removeDraft(draft)
  }
}

/** The names of logs, as the file has them for a site. */
export const logsIn = (names: string | undefined): string[] => names?.split(' ').filter(Boolean) ?? []

/** The size in a checkpoint; -1 if it has none. */
function sizeIn(note: string): bigint {
  const written = note.split('\n')[1] ?? ''
  return /^\d{1,19}$/.test(written) ? BigInt(written) : -1n
}

function removeDraft(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {}
}

const unusable = (path: string, why: string, advice: string) =>
  new CliError(`The record of log checkpoints ${why}: ${path}`, {
    exit: 'failed',
    code: 'checkpoints_unusable',
    advice,
  })
