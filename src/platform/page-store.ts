import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

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

export function openPageStore(root: string, { like }: Options = {}): PageStore {
  return {
    write: async (path, content) => {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      const file = join(root, inside(path))
      const before = await readIfThere(file)
      if (before && (await isWhole(file, before, bytes))) return 0
      if (like && !before && (await linkIfSame(join(like, path), file, bytes))) return 0
      return replace(file, bytes, before?.second ?? 0)
    },
    remove: async (path) => {
      // The file itself goes last: a web server sends a compressed form without looking for the file that it is of.
      for (const suffix of ['.br', '.gz', '']) await rm(join(root, inside(path)) + suffix, { force: true })
    },
  }
}

/** Below this a compressed form saves nothing that a reader would notice. */
const leastToCompress = 512

const compress = {
  '.br': (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  '.gz': (bytes: Buffer) => promisify(gzip)(bytes, { level: 6 }),
}

/** Paths are made by the program, of parts that were checked. One that leads elsewhere is a wrong program. */
function inside(path: string): string {
  if (/^[\w-][\w./-]*$|^\.well-known\//.test(path) && !path.split('/').includes('..')) return path
  throw new Error('a path of the page store leads out of it')
}

type Found = { content: Buffer; second: number }

async function readIfThere(file: string): Promise<Found | undefined> {
  try {
    const [content, second] = await Promise.all([readFile(file), secondOf(file)])
    return { content, second }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const secondOf = async (file: string) => Math.floor((await stat(file)).mtimeMs / 1_000)

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

const formsOf = (bytes: Buffer) => (bytes.length < leastToCompress ? [] : (['.br', '.gz'] as const))

/** Whether a file has these bytes, and its compressed forms are those that were written with it: they bear its second. */
async function isWhole(file: string, { content, second }: Found, bytes: Buffer): Promise<boolean> {
  if (!content.equals(bytes)) return false
  const forms = formsOf(bytes)
  const seconds = await Promise.all(['.br', '.gz'].map((suffix) => secondOf(file + suffix).catch(() => undefined)))
  return seconds.every((found) => found === (forms.length > 0 ? second : undefined))
}

async function replace(file: string, bytes: Buffer, replacedSecond: number): Promise<number> {
  const temporary = join(dirname(file), `.${randomUUID()}`)
  const suffixes = [...formsOf(bytes), ''] as const
  try {
    const contents = await Promise.all(suffixes.map((suffix) => (suffix === '' ? bytes : compress[suffix](bytes))))
    for (const [index, suffix] of suffixes.entries()) await writeInFolder(temporary + suffix, contents[index] as Buffer)
    // A web server tells versions apart by their second and size: two of the same second must not look alike.
    const second = Math.max(await secondOf(temporary), replacedSecond + 1)
    for (const suffix of suffixes) await utimes(temporary + suffix, second, second)
    // The file itself comes last: whoever finds it new has the compressed forms too.
    for (const suffix of suffixes) await rename(temporary + suffix, file + suffix)
  } catch (error) {
    for (const suffix of suffixes) await rm(temporary + suffix, { force: true })
    throw error
  }
  if (suffixes.length === 1 && replacedSecond > 0)
    for (const suffix of ['.br', '.gz']) await rm(file + suffix, { force: true })
  return suffixes.length
}

async function writeInFolder(file: string, content: Buffer): Promise<void> {
  try {
    await writeFile(file, content)
  } catch (error) {
    if (!isMissing(error)) throw error
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
}

async function linkIfSame(existing: string, file: string, bytes: Buffer): Promise<boolean> {
  const found = await readIfThere(existing)
  if (!found || !(await isWhole(existing, found, bytes))) return false
  await mkdir(dirname(file), { recursive: true })
  try {
    for (const suffix of [...formsOf(bytes), '']) await link(existing + suffix, file + suffix)
    return true
  } catch {
    // It changed meanwhile, or the file system has no links: then it is written like any other.
    return false
  }
}
