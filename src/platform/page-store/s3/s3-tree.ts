import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip, gzipSync } from 'node:zlib'
import { cacheControlOf, contentTypeOf, gzipOptions, isCompressedType, isMarker } from '../content-types.ts'
import { checkedPath, type Files, type PageStore, StaleWrite, withdrawn } from '../site-store.ts'
import type { ConditionalWrites, StoredObject } from './conditional-writes.ts'
import { ObjectStoreError, type S3Client } from './s3-client.ts'

/** The parts that all trees of a process share. */
export type S3Parts = {
  client: S3Client
  writes: ConditionalWrites
  /** Objects as this process last saw them. Other processes may have changed them since. */
  memory: Map<string, StoredObject>
}

type Options = {
  /** The beginning of all keys of the tree; undefined if there is no tree. */
  prefix: () => Promise<string | undefined>
  isFilling?: boolean
}

const unzip = promisify(gunzip)
const requestsAtOnce = 16
const maxMemory = 50_000
/** A write that others overtake so often is given up, and its job is repeated. */
const maxAttempts = 8

/**
 * A tree of objects. A file that must not exist any more becomes an empty object, a tombstone, because S3 servers do not
 * agree on conditional deletion. Each object has the fence of its writer in its metadata, and each write names the
 * version that it replaces. So a writer that was paused either replaces the version that it knows, or finds out that a
 * newer writer was there.
 *
 * A write with a fence is sent even if the content is the same: it must raise the fence, so that a writer that read older
 * rows is refused. The number is also in the gzip header, so that the new version has another ETag than the old one.
 */
export function openS3Tree(parts: S3Parts, { prefix, isFilling = false }: Options): PageStore {
  const { client, memory } = parts
  const keyOf = async (path: string) => {
    const start = await prefix()
    return start === undefined ? undefined : start + checkedPath(path)
  }
  return {
    writesAtOnce: 8,
    apply: async (files, fence) => {
      for (const path of files.keys()) checkedPath(path)
      if (files.size === 0) return 0
      const start = await prefix()
      if (start === undefined) throw new ObjectStoreError('the site has no tree')
      let written = 0
      for (const phase of phasesOf(files, isFilling))
        await inParallel(phase, async ([path, wanted]) => {
          const count = await writeFile(parts, { key: start + path, path, wanted, fence })
          written += count
        })
      while (memory.size > maxMemory) memory.delete(String(memory.keys().next().value))
      return written
    },
    read: async (path) => {
      const key = await keyOf(path)
      const found = key && (await client.get(key))
      if (!found || (found.body.length === 0 && !isMarker(path))) return undefined
      return found.headers['content-encoding'] === 'gzip'
        ? unzip(found.body, { maxOutputLength: maxFileBytes })
        : found.body
    },
    has: async (path) => {
      const key = await keyOf(path)
      const found = key && (await parts.writes.look(key))
      return Boolean(found && (!found.isEmpty || isMarker(path)))
    },
  }
}

const maxFileBytes = 256 * 2 ** 20

type Entry = [path: string, wanted: string | Buffer | null | typeof withdrawn]

/**
 * The order of writes; those of one phase run at the same time. A page comes after the forms that it links to. Of a
 * withdrawn post, the marker comes first, so that no reader gets a 404, and the page before its other forms.
 */
function phasesOf(files: Files, isFilling: boolean): Entry[][] {
  const phases: [Entry[], Entry[], Entry[], Entry[]] = [[], [], [], []]
  for (const [path, wanted] of files) {
    if (wanted === null && isFilling) continue
    const isRemoval = wanted === null || wanted === withdrawn
    const isPage = path.endsWith('.html')
    const phase = isMarker(path) && !isRemoval ? 0 : isPage ? (isRemoval ? 1 : 3) : 2
    phases[phase].push([path, wanted])
  }
  return phases
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const worker = async () => {
    for (const item of waiting) await work(item)
  }
  // All end before an error is reported, so that nothing is written after `apply` has failed.
  const ended = await Promise.allSettled(Array.from({ length: Math.min(requestsAtOnce, items.length) }, worker))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

type FileWrite = { key: string; path: string; wanted: Entry[1]; fence: number | undefined }

/** Returns 1 if the object was changed. */
async function writeFile(parts: S3Parts, write: FileWrite): Promise<number> {
  const { client, writes, memory } = parts
  const { key, path, fence } = write
  const body = bodyOf(write)
  let known = memory.get(key)
  let isCertain = false
  const look = async () => {
    known = await writes.look(key)
    remember(memory, key, known)
    isCertain = true
  }
  // Only a look can tell that there is nothing to do, or that a newer writer wrote the same bytes.
  if (known ? !known.isTellingEtag : body === undefined || fence === undefined) await look()
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (known && fence !== undefined && known.fence > fence) throw new StaleWrite(path)
    const action = chooseAction(write, known, body)
    if (action !== 'write' && !isCertain) {
      await look()
      continue
    }
    if (action === 'nothing') return 0
    if (action === 'delete') {
      await client.delete(key)
      memory.delete(key)
      return 1
    }
    const headers = headersOf(path, body, Math.max(fence ?? 0, known?.fence ?? 0))
    const outcome = await writes.write(key, { body: body?.stored ?? '', headers, replaces: known?.etag })
    if (typeof outcome === 'object') {
      remember(memory, key, {
        ...{ etag: outcome.etag, fence: fence ?? known?.fence ?? 0, digest: digestOf(body) },
        ...{ isEmpty: !body?.stored.length, isTellingEtag: body?.isCompressed ?? false },
      })
      return 1
    }
    if (attempt > 0) await sleep(50 * 2 ** attempt * (0.5 + Math.random()))
    await look()
    // The write whose response was lost.
    if (known?.fence === fence && known?.digest === digestOf(body)) return 1
  }
  throw new ObjectStoreError(`${path} could not be written: other writers or failures came first ${maxAttempts} times`)
}

function chooseAction({ path, fence }: FileWrite, known: StoredObject | undefined, body: Body | undefined) {
  const isSame = known !== undefined && known.digest === digestOf(body)
  if (isSame && (fence === undefined || known.fence === fence)) return 'nothing'
  // A tombstone would look like the marker that it replaces.
  if (body === undefined && isMarker(path)) return known ? 'delete' : 'nothing'
  if (body === undefined && !known) return 'nothing'
  return 'write'
}

/** The bytes of an object; `digest` is the hash of the content before compression. */
type Body = { stored: Buffer; digest: string; isCompressed: boolean }

/** Undefined if there must be no file, and nothing is written unless there is one. */
function bodyOf({ path, wanted, fence = 0 }: FileWrite): Body | undefined {
  if (wanted === null || (wanted === withdrawn && isMarker(path))) return undefined
  if (wanted === withdrawn) return tombstone
  const bytes = typeof wanted === 'string' ? Buffer.from(wanted) : wanted
  const digest = hash('sha256', bytes).slice(0, 32)
  if (isMarker(path)) return { stored: Buffer.alloc(0), digest, isCompressed: false }
  if (isCompressedType(path)) {
    if (bytes.length === 0) throw new Error('an empty file would be a tombstone')
    return { stored: bytes, digest, isCompressed: false }
  }
  const stored = gzipSync(bytes, gzipOptions)
  // The field for the modification time.
  stored.writeUInt32LE(fence % 2 ** 32, 4)
  return { stored, digest, isCompressed: true }
}

const tombstone: Body = { stored: Buffer.alloc(0), digest: 'tombstone', isCompressed: false }

const digestOf = (body: Body | undefined) => (body ?? tombstone).digest

function headersOf(path: string, body: Body | undefined, fence: number): Record<string, string> {
  return {
    'content-type': contentTypeOf(path),
    'cache-control': cacheControlOf(path),
    ...(body?.isCompressed && { 'content-encoding': 'gzip' }),
    'x-amz-meta-fence': String(fence),
    'x-amz-meta-digest': digestOf(body),
  }
}

function remember(memory: S3Parts['memory'], key: string, known: StoredObject | undefined): void {
  memory.delete(key)
  if (known) memory.set(key, known)
}
