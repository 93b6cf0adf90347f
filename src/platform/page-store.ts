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
      if (before?.content.equals(bytes)) return 0
      if (like && !before && (await linkIfSame(join(like, path), file, bytes))) return 0
      return replace(file, bytes, before?.mtimeMs ?? 0)
    },
    remove: async (path) => {
      // The file itself goes first: without it, nobody is sent the compressed forms.
      for (const suffix of ['', '.gz', '.br']) await rm(join(root, inside(path)) + suffix, { force: true })
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

async function readIfThere(file: string): Promise<{ content: Buffer; mtimeMs: number } | undefined> {
  try {
    const [content, { mtimeMs }] = await Promise.all([readFile(file), stat(file)])
    return { content, mtimeMs }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

async function replace(file: string, bytes: Buffer, replacedMtimeMs: number): Promise<number> {
  const forms: [suffix: string, content: Buffer][] =
    bytes.length < leastToCompress
      ? []
      : await Promise.all([
          compress['.br'](bytes).then((content): [string, Buffer] => ['.br', content]),
          compress['.gz'](bytes).then((content): [string, Buffer] => ['.gz', content]),
        ])
  const temporary = join(dirname(file), `.${randomUUID()}`)
  // The file itself is replaced last: whoever finds it new, or compares with it, has the compressed forms too.
  for (const [suffix, content] of [...forms, ['', bytes] as const]) {
    await writeInFolder(temporary + suffix, content)
    await makeNewer(temporary + suffix, replacedMtimeMs)
    await rename(temporary + suffix, file + suffix)
  }
  if (forms.length === 0 && replacedMtimeMs > 0)
    for (const suffix of ['.br', '.gz']) await rm(file + suffix, { force: true })
  return forms.length + 1
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

/** A web server tells versions apart by their second and size: two of the same second must not look alike. */
async function makeNewer(file: string, replacedMtimeMs: number): Promise<void> {
  if (replacedMtimeMs === 0) return
  const { mtimeMs } = await stat(file)
  const next = Math.floor(replacedMtimeMs / 1_000) + 1
  if (Math.floor(mtimeMs / 1_000) < next) await utimes(file, next, next)
}

async function linkIfSame(existing: string, file: string, bytes: Buffer): Promise<boolean> {
  const found = await readIfThere(existing)
  if (!found?.content.equals(bytes)) return false
  await mkdir(dirname(file), { recursive: true })
  const suffixes = bytes.length < leastToCompress ? [''] : ['.br', '.gz', '']
  try {
    for (const suffix of suffixes) await link(existing + suffix, file + suffix)
    return true
  } catch {
    // It changed meanwhile, or the file system has no links: then it is written like any other.
    return false
  }
}
