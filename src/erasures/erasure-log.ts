import { type FileHandle, mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { erasureLogKeptDays } from '../contract/retention/backups.ts'
import { syncFolders } from '../platform/page-store/page-store.ts'
import { policyCategoryIds } from '../policy/policy.ts'

export const erasureKinds = [
  'account.closed',
  'post.deleted',
  'post.removed',
  'post.restored',
  'webhook.deleted',
  'key.revoked',
  'staff.disabled',
  'passkey.revoked',
  'draft.withdrawn',
] as const

/** A line of the log: identifiers and codes, nothing that anybody wrote. */
const erasureLine = z.object({
  /** When the line was written, by the machine's clock: never before the commit of the erasure. */
  at: z.iso.datetime().transform((text) => new Date(text)),
  kind: z.enum(erasureKinds),
  id: z.string().min(1).max(1_500),
  category: z.enum(policyCategoryIds).optional(),
})

export type Erasure = z.output<typeof erasureLine>
export type ErasureKind = Erasure['kind']

export type ErasureLog = ReturnType<typeof openErasureLog>

/**
 * The log in a directory: a file for each day and machine, a line of JSON for each erasure. The machines' logs can be copied
 * into one directory.
 */
export function openErasureLog(directory: string, machine = hostname()) {
  return {
    /** When the promise resolves, a power failure cannot undo the lines. */
    append: (erasures: readonly Erasure[]) => append(directory, machine, erasures),
    read: (since: Date) => readErasures(directory, since),
    prune: (at: Date) => prune(directory, at),
  }
}

async function append(directory: string, machine: string, erasures: readonly Erasure[]): Promise<void> {
  const byDay = Map.groupBy(erasures, ({ at }) => dayOf(at))
  await mkdir(directory, { recursive: true, mode: 0o750 })
  for (const [day, lines] of byDay) {
    // In one write and in append mode, so that the lines of two processes do not mix.
    await using file = await open(join(directory, fileOf(day, machine)), 'a+', 0o640)
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    await file.appendFile((await endsWithinLine(file)) ? `\n${text}` : text)
    await file.datasync()
  }
  await syncFolders([directory])
}

/** A crash can leave half a line, which was not acknowledged. The next line must not continue it. */
async function endsWithinLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return false
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer.toString() !== '\n'
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)
const dayMs = 86_400_000
const fileOf = (day: string, machine: string) => `${day}.${machine.replaceAll(/[^A-Za-z0-9_-]+/g, '-')}.jsonl`
/** Every file that begins with a day is read: an erasure in a file that nobody reads would be lost without a word. */
const fileName = /^(\d{4}-\d{2}-\d{2})\..*jsonl$/

async function filesIn(directory: string): Promise<{ name: string; day: string }[]> {
  const names = (await readdir(directory)).sort()
  return names.flatMap((name) => {
    const day = fileName.exec(name)?.[1]
    return day ? [{ name, day }] : []
  })
}

export type ReadLog = {
  /** In the order in which they were written. */
  erasures: Erasure[]
  /** File and number of each line that cannot be read. */
  unreadable: string[]
}

async function readErasures(directory: string, since: Date): Promise<ReadLog> {
  const found: ReadLog = { erasures: [], unreadable: [] }
  for (const { name } of (await filesIn(directory)).filter(({ day }) => day >= dayOf(since))) {
    const lines = (await readFile(join(directory, name), 'utf8')).split('\n')
    for (const [index, line] of lines.entries()) {
      if (line === '') continue
      const read = erasureLine.safeParse(jsonOf(line))
      if (!read.success) found.unreadable.push(`${name}:${index + 1}`)
      else if (read.data.at >= since) found.erasures.push(read.data)
    }
  }
  found.erasures.sort((one, other) => one.at.getTime() - other.at.getTime())
  return found
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Deletes the files of days that no backup reaches. Returns how many. */
async function prune(directory: string, at: Date): Promise<number> {
  const oldest = dayOf(new Date(at.getTime() - erasureLogKeptDays * dayMs))
  const files = await filesIn(directory).catch(unlessMissing)
  const old = files.filter(({ day }) => day < oldest)
  for (const { name } of old) await rm(join(directory, name), { force: true })
  return old.length
}

function unlessMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}
