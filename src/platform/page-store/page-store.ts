import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** A tree of files that a web server sends as they are, each with its compressed forms beside it. */
export type PageStore = {
  /** Replaces a file at once, so that a reader gets the old or the new one; gives how many files were written. */
  write: (path: string, content: string | Buffer) => Promise<number>
  remove: (path: string) => Promise<void>
}

type Options = {
  /** A tree like this one: what has the same bytes there is linked from it, and keeps its date. */
  like?: string
}

/**
 * The files are small: each call takes some ten microseconds, and to hand it over to a thread took ten times as long. So
 * a file is made at once, and the process does nothing else meanwhile: a millisecond, or a few for a long list.
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
      // The file itself goes last: a web server sends a compressed form without looking for the file that it is of.
      for (const suffix of ['.br', '.gz', '']) rmSync(join(root, inside(path)) + suffix, { force: true })
    },
  }
}

/** Below this a compressed form saves nothing that a reader would notice. */
const leastToCompress = 512

const compress = {
  '.br': (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  '.gz': (bytes: Buffer) => gzipSync(bytes, { level: 6 }),
}

/** Paths are made by the program, of parts that were checked. One that leads elsewhere is a wrong program. */
function inside(path: string): string {
  if (/^[\w-][\w./-]*$|^\.well-known\//.test(path) && !path.split('/').includes('..')) return path
  throw new Error('a path of the page store leads out of it')
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

/** Whether a file has these bytes, and its compressed forms are those that were written with it: they bear its second. */
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
    // A web server tells versions apart by their second and size: two of the same second must not look alike.
    const second = Math.max(Number(secondOf(temporary)), replacedSecond + 1)
    for (const suffix of suffixes) utimesSync(temporary + suffix, second, second)
    // The file itself comes last: whoever finds it new has the compressed forms too.
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
    // It changed meanwhile, or the file system has no links: then it is written like any other.
    return false
  }
}
