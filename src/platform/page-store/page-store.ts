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
import { gunzipSync, gzipSync } from 'node:zlib'
import { gzipOptions } from './content-types.ts'
import { checkedPath, type Files, type PageStore, withdrawn } from './site-store.ts'

type Options = {
  /** A similar tree. Files with the same bytes are linked from it and keep their modification time. */
  like?: string
  /** True if the caller makes the whole tree durable later, with `syncTree`. */
  isSyncedLater?: boolean
  /**
   * True if the tree is new and nobody reads it. Files are written in place, without looking at what is there, and null
   * means that there is nothing to do.
   */
  isFilling?: boolean
}

/**
 * The files are small: each call takes about ten microseconds, and a thread pool took ten times as long. So writes are
 * synchronous and block the process for a millisecond, or for a few if the file is a long list. Only syncs wait for the
 * disk, so they run in the thread pool: those of one call and of concurrent calls together, which the file system's
 * journal commits as one.
 */
export function openPageStore(root: string, options: Options = {}): PageStore {
  const { like, isSyncedLater = false, isFilling = false } = options
  return {
    writesAtOnce: 1,
    apply: async (files) => {
      if (isFilling) return fill(root, files, like)
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
    has: async (path) => {
      const file = join(root, checkedPath(path))
      return ['.gz', ''].some((suffix) => statSync(file + suffix, { throwIfNoEntry: false }))
    },
  }
}

function fill(root: string, files: Files, like: string | undefined): number {
  let written = 0
  for (const [path, content] of files) {
    if (content === null || content === withdrawn) continue
    const file = join(root, checkedPath(path))
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    if (like && linkIfSame(join(like, path), file, bytes)) continue
    const suffix = suffixOf(file, bytes)
    const created = openInFolder(file + suffix, [])
    try {
      writeFileSync(created, suffix === '.gz' ? compress(bytes) : bytes)
    } finally {
      closeSync(created)
    }
    written += 1
  }
  return written
}

const compress = (bytes: Buffer) => gzipSync(bytes, gzipOptions)

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
  const suffix = suffixOf(file, bytes)
  if (before && isSame(before, suffix, bytes)) return undefined
  if (similar && !before && linkIfSame(similar, file, bytes)) return undefined
  return prepareReplacement(file, bytes, before?.second ?? 0)
}

/** What is stored beside a path. Earlier releases also stored the plain text, and a version compressed with Brotli. */
const suffixes = ['.br', '.gz', ''] as const

function prepareRemoval(file: string): Change | undefined {
  const found = suffixes.filter((suffix) => statSync(file + suffix, { throwIfNoEntry: false }))
  if (found.length === 0) return undefined
  const commit = () => {
    for (const suffix of found) rmSync(file + suffix, { force: true })
  }
  return { commit, opened: [], temporaries: [], folders: [dirname(file)], written: 0 }
}

/** These files are compressed already. */
const compressed = /\.(?:png|woff2|ico)$/

const suffixOf = (file: string, bytes: Buffer) => (bytes.length === 0 || compressed.test(file) ? '' : '.gz')

/** `content` is undefined if the file cannot be decompressed. */
type Found = { content: Buffer | undefined; suffix: '.gz' | ''; second: number }

function readIfThere(file: string): Found | undefined {
  for (const suffix of ['.gz', ''] as const)
    try {
      const stored = readFileSync(file + suffix)
      return { content: suffix ? decompress(stored) : stored, suffix, second: Number(secondOf(file + suffix)) }
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  return undefined
}

function decompress(bytes: Buffer): Buffer | undefined {
  try {
    return gunzipSync(bytes)
  } catch {
    return undefined
  }
}

function secondOf(file: string): number | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && Math.floor(found.mtimeMs / 1_000)
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

const isSame = (found: Found, suffix: string, bytes: Buffer) =>
  found.suffix === suffix && found.content !== undefined && found.content.equals(bytes)

function prepareReplacement(file: string, bytes: Buffer, replacedSecond: number): Change {
  const suffix = suffixOf(file, bytes)
  const temporary = join(dirname(file), `.${randomUUID()}`)
  const folders = [dirname(file)]
  const created = openInFolder(temporary, folders)
  try {
    writeFileSync(created, suffix === '.gz' ? compress(bytes) : bytes)
    // A web server distinguishes versions by modification second and size, so a new version always gets a later second.
    const second = Math.max(Number(secondOf(temporary)), replacedSecond + 1)
    futimesSync(created, second, second)
  } catch (error) {
    closeSync(created)
    rmSync(temporary, { force: true })
    throw error
  }
  const commit = () => {
    renameSync(temporary, file + suffix)
    if (replacedSecond > 0) for (const other of suffixes) if (other !== suffix) rmSync(file + other, { force: true })
  }
  return { commit, opened: [created], temporaries: [temporary], folders, written: 1 }
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
  const suffix = suffixOf(file, bytes)
  const found = readIfThere(existing)
  if (!found || !isSame(found, suffix, bytes)) return false
  mkdirSync(dirname(file), { recursive: true })
  try {
    rmSync(file + suffix, { force: true })
    linkSync(existing + suffix, file + suffix)
    return true
  } catch {
    // The file has changed, or the file system has no links. It is written like any other file.
    return false
  }
}
