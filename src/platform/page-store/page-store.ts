import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** A tree of static files, each with its compressed versions. */
export type PageStore = {
  /** Replaces a file atomically, so that a reader gets the old or the new one. Returns how many files were written. */
  write: (path: string, content: string | Buffer) => Promise<number>
  remove: (path: string) => Promise<void>
}

type Options = {
  /** A similar tree. Files with the same bytes are linked from it and keep their modification time. */
  like?: string
}

/**
 * The files are small: each call takes about ten microseconds, and a thread pool took ten times as long. So writes are
 * synchronous and block the process for a millisecond, or for a few if the file is a long list.
 */
export function openPageStore(root: string, { like }: Options = {}): PageStore {
  return {
    write: async (path, content) => {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      const file = join(root, inside(path))
      const before = readIfThere(file)
      if (before && isWhole(file, before, bytes)) return 0
      if (like && !before && linkIfSame(join(like, path), file, bytes)) return 0
      return replace(file, bytes, before?.second ?? 0)
    },
    remove: async (path) => {
      // The file itself is deleted last: a web server sends a compressed version without checking for the file.
      for (const suffix of ['.br', '.gz', '']) rmSync(join(root, inside(path)) + suffix, { force: true })
    },
  }
}

/** Below this size, a reader would not notice the effect of compression. */
const leastToCompress = 512

const compress = {
  '.br': (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  '.gz': (bytes: Buffer) => gzipSync(bytes, { level: 6 }),
}

/** The program builds paths from checked parts. A path that leads out of the tree is a bug. */
function inside(path: string): string {
  if (/^[\w-][\w./-]*$|^\.well-known\//.test(path) && !path.split('/').includes('..')) return path
  throw new Error('the path leads out of the page store')
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

const formsOf = (bytes: Buffer) => (bytes.length < leastToCompress ? [] : (['.br', '.gz'] as const))

/**
 * Whether a file has these bytes and its compressed versions were written with it. They then have the same modification
 * time in seconds.
 */
function isWhole(file: string, { content, second }: Found, bytes: Buffer): boolean {
  if (!content.equals(bytes)) return false
  const expected = formsOf(bytes).length > 0 ? second : undefined
  return ['.br', '.gz'].every((suffix) => secondOf(file + suffix) === expected)
}

function replace(file: string, bytes: Buffer, replacedSecond: number): number {
  const temporary = join(dirname(file), `.${randomUUID()}`)
  const suffixes = [...formsOf(bytes), ''] as const
  try {
    for (const suffix of suffixes) writeInFolder(temporary + suffix, suffix === '' ? bytes : compress[suffix](bytes))
    // A web server distinguishes versions by modification second and size, so a new version always gets a later second.
    const second = Math.max(Number(secondOf(temporary)), replacedSecond + 1)
    for (const suffix of suffixes) utimesSync(temporary + suffix, second, second)
    // The file itself is renamed last: a reader that sees the new file also sees the new compressed versions.
    for (const suffix of suffixes) renameSync(temporary + suffix, file + suffix)
  } catch (error) {
    for (const suffix of suffixes) rmSync(temporary + suffix, { force: true })
    throw error
  }
  if (suffixes.length === 1 && replacedSecond > 0)
    for (const suffix of ['.br', '.gz']) rmSync(file + suffix, { force: true })
  return suffixes.length
}

function writeInFolder(file: string, content: Buffer): void {
  try {
    writeFileSync(file, content)
  } catch (error) {
    if (!isMissing(error)) throw error
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}

function linkIfSame(existing: string, file: string, bytes: Buffer): boolean {
  const found = readIfThere(existing)
  if (!found || !isWhole(existing, found, bytes)) return false
  mkdirSync(dirname(file), { recursive: true })
  try {
    for (const suffix of [...formsOf(bytes), '']) linkSync(existing + suffix, file + suffix)
    return true
  } catch {
    // The file has changed, or the file system has no links. It is written like any other file.
    return false
  }
}
