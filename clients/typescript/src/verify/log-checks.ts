import { areEqual, type Bytes, textOf } from './bytes.ts'
import { type Checkpoint, openCheckpoint, parseCheckpoint } from './log/checkpoint.ts'
import { commitmentOf, committingEntry } from './log/commitment.ts'
import { parseProofFile } from './log/proof-file.ts'
import { parseNote, parseVerifierKey, type VerifierKey } from './log/signed-note.ts'
import { TileReader } from './log/tiles.ts'
import { checkConsistency, checkInclusion, hashLeaf, type Tree } from './log/tree.ts'
import type { Log, PublishedKeys } from './published-keys.ts'
import { Refusal } from './refusal.ts'
import type { JsonObject } from './strict-json.ts'

export type Read = (url: string, maxBytes?: number) => Promise<Bytes | undefined>

/** An entry that is in a log, and the checkpoint that covers it. */
export type ProvenEntry = { log: KnownLog; tree: Checkpoint }

/** A log whose keys are known. Reads its current checkpoint once. */
class KnownLog {
  readonly url: string
  readonly origin: string
  readonly logKey: VerifierKey
  readonly #read: Read
  readonly #closedAt: Checkpoint | undefined
  #current: Promise<{ note: Bytes; tree: Checkpoint; reader: TileReader }> | undefined

  constructor(log: Log, logKey: VerifierKey, closedAt: Checkpoint | undefined, read: Read) {
    this.url = log.url
    this.origin = log.origin
    this.logKey = logKey
    this.#closedAt = closedAt
    this.#read = read
  }

  get isClosed(): boolean {
    return this.#closedAt !== undefined
  }

  /** Refuses unless the log signed the note. */
  async open(note: Bytes): Promise<Checkpoint> {
    const tree = await openCheckpoint(note, this)
    // Whoever has the key of a closed log could extend it.
    if (this.#closedAt && tree.size > this.#closedAt.size) throw new Refusal('closed_log_larger')
    if (this.#closedAt && tree.size === this.#closedAt.size && !areEqual(tree.root, this.#closedAt.root))
      throw new Refusal('closed_log_differs')
    return tree
  }

  current() {
    this.#current ??= this.#readCurrent()
    return this.#current
  }

  async #readCurrent() {
    const note = await this.#read(`${this.url}checkpoint`)
    if (note === undefined) throw new Refusal('tile_missing', 'The log has no checkpoint.')
    const tree = await this.open(note)
    if (this.#closedAt) await checkConsistency(this.#closedAt, tree, [])
    const reader = new TileReader((path) => this.#read(`${this.url}${path}`, maxTileBytes), tree.size)
    return { note, tree, reader }
  }

  /** Refuses unless the current tree begins with all entries of the older one. */
  async checkContinuation(older: Tree): Promise<void> {
    const { tree, reader } = await this.current()
    const proof = older.size < tree.size ? await reader.consistencyProof(older.size) : []
    await checkConsistency(older, tree, proof)
  }
}

/** A full tile has 256 hashes of 32 bytes. */
const maxTileBytes = 8_192

/** Refuses unless the proof leads from what was logged of a post to a checkpoint that the log signed. */
export async function checkProof(logged: JsonObject, source: string | Bytes, { logs }: PublishedKeys, read: Read) {
  const proof = parseProofFile(source)
  const { origin } = parseCheckpoint(parseNote(proof.checkpoint).text)
  const found = logs.find((each) => each.origin === origin)
  if (!found) throw new Refusal('foreign_origin', `The checkpoint is of ${origin}.`)
  const logKey = await parseVerifierKey(found.vkey)
  const log = new KnownLog(found, logKey, await closedAt(found, logKey), read)
  const tree = await log.open(proof.checkpoint)
  const commitment = await commitmentOf(origin, proof.extra, logged)
  await checkEither(committingEntry('post', commitment), committingEntry('edit', commitment), (entry) =>
    checkInclusion(entry, proof.index, tree, proof.hashes),
  )
  return { value: { log, tree }, detail: `Entry ${proof.index} of ${origin}.` }
}

/** The last checkpoint of a closed log; undefined if the log is open. */
async function closedAt({ origin, lastCheckpoint }: Log, logKey: VerifierKey) {
  if (lastCheckpoint === undefined) return undefined
  if (lastCheckpoint === null) throw new Refusal('closed_log_larger')
  return openCheckpoint(lastCheckpoint, { origin, logKey })
}

/** The proof does not say whether the entry is of a new post or of an edit. */
async function checkEither(one: Bytes, other: Bytes, check: (leaf: Bytes) => Promise<void>): Promise<void> {
  try {
    await check(await hashLeaf(one))
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'inclusion_wrong') throw error
    await check(await hashLeaf(other))
  }
}

type Memory = {
  lastVisit: (origin: string) => string | undefined
  /** The site whose keys were read, and the logs that it had at earlier visits. */
  site?: { readonly address: string; readonly seenLogs: readonly string[] } | undefined
}

/** Refuses unless the log still has all that the proof’s checkpoint and the last visit’s checkpoint covered. */
export async function readContinuity({ log, tree }: ProvenEntry, { logs }: PublishedKeys, { lastVisit, site }: Memory) {
  const { origin, logKey } = log
  const origins = logs.map((each) => each.origin)
  for (const seen of site?.seenLogs ?? [])
    if (!origins.includes(seen)) throw new Refusal('log_missing', `The log: ${seen}.`)
  const { note, tree: current } = await log.current()
  await log.checkContinuation(tree)
  const seen = lastVisit(origin)
  const last = seen === undefined ? undefined : await openLastVisit(seen, { origin, logKey })
  if (last) await log.checkContinuation(last)
  const visit = last ? ` and the ${last.size} from your last visit.` : '. No earlier visit to this log is known.'
  const has = `${log.isClosed ? 'The log is closed and' : 'The log now'} has ${counted(current.size, 'entry', 'entries')}`
  const value = {
    checkpoint: { origin, note: String(textOf(note)) },
    ...(site && { logs: { site: site.address, origins } }),
    isFirstVisit: last === undefined,
  }
  return { value, detail: `${has}, including the ${tree.size} covered by the proof${visit}` }
}

async function openLastVisit(note: string, rules: Parameters<typeof openCheckpoint>[1]): Promise<Checkpoint> {
  try {
    return await openCheckpoint(note, rules)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'note_unsigned') throw new Refusal('log_key_changed')
    throw error
  }
}

const counted = (number: number | bigint, one: string, many: string): string =>
  `${number} ${String(number) === '1' ? one : many}`
