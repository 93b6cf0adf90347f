import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fdatasync,
  fsync,
  futimesSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { checkedPath, type PageStore, withdrawn } from './site-store.ts'

type Options = {
  /** A similar tree. Files with the same bytes are linked from it and keep their modification time. */
  like?: string
  /** True if the caller makes the whole tree durable later, with `syncTree`. */
  isSyncedLater?: boolean
}

/**
 * The files are small: each call takes about ten microseconds, and a thread pool took ten times as long. So writes are
 * synchronous and block the process for a millisecond, or for a few if the file is a long list. Only syncs wait for the
 * disk, so they run in the thread pool: those of one call and of concurrent calls together, which the file system's
 * journal commits as one.
 */
export function openPageStore(root: string, { like, isSyncedLater = false }: Options = {}): PageStore {
  return {
    writesAtOnce: 1,
    apply: async (files) => {
      const changes: Change[] = []
      try {
        for (const [path, content] of files) {
          const wanted = content === withdrawn ? null : content
          const change = prepare(join(root, checkedPath(path)), wanted, like && join(like, path))
          if (change) changes.push(change)
        }
        if (!isSyncedLater) await Promise.all(changes.flatMap(({ opened }) => opened.map((file) => sync(file))))
        for (const { commit } of changes) commit()
      } catch (error) {
        for (const { temporaries } of changes) for (const file of temporaries) rmSync(file, { force: true })
        throw error
      } finally {
        for (const { opened } of changes) for (const file of opened) closeSync(file)
      }
      if (!isSyncedLater) await syncFolders(changes.flatMap(({ folders }) => folders))
      return changes.reduce((total, { written }) => total + written, 0)
    },
    read: async (path) => readIfThere(join(root, checkedPath(path)))?.content,
    has: async (path) => statSync(join(root, checkedPath(path)), { throwIfNoEntry: false }) !== undefined,
  }
}

const sync = promisify(fdatasync)
const syncWithMetadata = promisify(fsync)

/** A file's name is part of its folder, which is synced separately. */
export async function syncFolders(folders: readonly string[]): Promise<void> {
  await Promise.all(
    [...new Set(folders)].map(async (folder) => {
      const opened = openSync(folder, 'r')
      try {
        await syncWithMetadata(opened)
      } finally {
        closeSync(opened)
      }
    }),
  )
}

/** A change of one file that is prepared beside it: the commit only renames or deletes. */
type Change = {
  commit: () => void
  /** Open files that must be on disk before the commit. */
  opened: number[]
  temporaries: string[]
  /** Folders whose entries change. */
  folders: string[]
  written: number
}

function prepare(file: string, content: string | Buffer | null, similar: string | undefined): Change | undefined {
  if (content === null) return prepareRemoval(file)
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const before = readIfThere(file)
  if (before && isWhole(file, before, bytes)) return undefined
  if (similar && !before && linkIfSame(similar, file, bytes)) return undefined
  return prepareReplacement(file, bytes, before?.second ?? 0)
}

function prepareRemoval(file: string): Change | undefined {
  // The file itself is deleted last: a web server sends a compressed version without checking for the file.
  const found = ['.br', '.gz', ''].filter((suffix) => statSync(file + suffix, { throwIfNoEntry: false }))
  if (found.length === 0) return undefined
  const commit = () => {
    for (const suffix of found) rmSync(file + suffix, { force: true })
  }
  return { commit, opened: [], temporaries: [], folders: [dirname(file)], written: 0 }
}

/** Below this size, a reader would not notice the effect of compression. */
const leastToCompress = 512

/** These files are compressed already. */
const compressed = /\.png$/

const compress = {
  '.br': (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  '.gz': (bytes: Buffer) => gzipSync(bytes, { level: 6 }),
}

type Found = { content: Buffer; second: number }

function readIfThere(file: string): Found | undefined {
  try {
    return { content: readFileSync(file), second: Number(secondOf(file)) }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function secondOf(file: string): number | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && Math.floor(found.mtimeMs / 1_000)
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

const formsOf = (file: string, bytes: Buffer) =>
  bytes.length < leastToCompress || compressed.test(file) ? [] : (['.br', '.gz'] as const)

/**
 * Whether a file has these bytes and its compressed versions were written with it. They then have the same modification
 * time in seconds.
 */
function isWhole(file: string, { content, second }: Found, bytes: Buffer): boolean {
  if (!content.equals(bytes)) return false
  const expected = formsOf(file, bytes).length > 0 ? second : undefined
  return ['.br', '.gz'].every((suffix) => secondOf(file + suffix) === expected)
}

function prepareReplacement(file: string, bytes: Buffer, replacedSecond: number): Change {
  const temporary = join(dirname(file), `.${randomUUID()}`)
  const suffixes = [...formsOf(file, bytes), ''] as const
  const opened: number[] = []
  const temporaries = suffixes.map((suffix) => temporary + suffix)
  const folders = [dirname(file)]
  try {
    for (const suffix of suffixes) {
      const created = openInFolder(temporary + suffix, folders)
      opened.push(created)
      writeFileSync(created, suffix === '' ? bytes : compress[suffix](bytes))
    }
    // A web server distinguishes versions by modification second and size, so a new version always gets a later second.
    const second = Math.max(Number(secondOf(temporary)), replacedSecond + 1)
    for (const created of opened) futimesSync(created, second, second)
  } catch (error) {
    for (const created of opened) closeSync(created)
    for (const path of temporaries) rmSync(path, { force: true })
    throw error
  }
  const commit = () => {
    // The file itself is renamed last: a reader that sees the new file also sees the new compressed versions.
    for (const suffix of suffixes) renameSync(temporary + suffix, file + suffix)
    if (suffixes.length === 1 && replacedSecond > 0)
      for (const suffix of ['.br', '.gz']) rmSync(file + suffix, { force: true })
  }
  return { commit, opened, temporaries, folders, written: suffixes.length }
}

/** Creates a file, and its folder if necessary. Adds the folders that have new entries. */
function openInFolder(file: string, folders: string[]): number {
  try {
    return openSync(file, 'w')
  } catch (error) {
    if (!isMissing(error)) throw error
    const first = mkdirSync(dirname(file), { recursive: true })
    for (let folder = dirname(file); first && folder.length >= first.length; folder = dirname(folder))
      folders.push(dirname(folder))
    return openSync(file, 'w')
  }
}

function linkIfSame(existing: string, file: string, bytes: Buffer): boolean {
  const found = readIfThere(existing)
  if (!found || !isWhole(existing, found, bytes)) return false
  mkdirSync(dirname(file), { recursive: true })
  try {
    for (const suffix of [...formsOf(file, bytes), '']) linkSync(existing + suffix, file + suffix)
    return true
  } catch {
    // The file has changed, or the file system has no links. It is written like any other file.
    return false
  }
}
