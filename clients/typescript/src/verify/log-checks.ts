import { areEqual, type Bytes, hexOf, textOf } from './bytes.ts'
import { type OpenedCheckpoint, openCheckpoint, parseCheckpoint } from './log/checkpoint.ts'
import { commitmentOf, committingEntry } from './log/commitment.ts'
import { parseProofFile } from './log/proof-file.ts'
import { parseNote, parseVerifierKey, type VerifierKey } from './log/signed-note.ts'
import { TileReader } from './log/tiles.ts'
import { checkConsistency, checkInclusion, hashLeaf, type Tree } from './log/tree.ts'
import type { Log, PublishedKeys } from './published-keys.ts'
import { Refusal } from './refusal.ts'
import type { JsonObject } from './strict-json.ts'

export type LogRules = {
  keys: PublishedKeys
  /** The verifier keys of witnesses that must have cosigned. */
  witnesses: readonly string[]
  now: Date
  /** When the post was published and signed. No checkpoint with its entry can be older. */
  notBefore: Date | undefined
}

export type Read = (url: string, maxBytes?: number) => Promise<Bytes | undefined>

/** When a witness cosigned the log. */
export type Cosignature = {
  /** The name of the witness. */
  readonly witness: string
  /** In UTC, to the second. */
  readonly time: string
  readonly isRequired: boolean
  /** The one in the proof, or the current one of the log, which contains everything that the one in the proof covers. */
  readonly checkpoint: 'proof' | 'current'
}

/** An entry that is in a log, and the checkpoint that covers it. */
export type ProvenEntry = { log: KnownLog; tree: OpenedCheckpoint }

/** A log whose keys are known. Reads its current checkpoint once. */
class KnownLog {
  readonly url: string
  readonly origin: string
  readonly logKey: VerifierKey
  /** The witnesses that the reader requires. */
  readonly required: readonly VerifierKey[]
  readonly #rules: LogRules
  readonly #read: Read
  readonly #closedAt: OpenedCheckpoint | undefined
  #current: Promise<{ note: Bytes; tree: OpenedCheckpoint; reader: TileReader }> | undefined

  constructor(log: Log, keys: Keys, closedAt: OpenedCheckpoint | undefined, rules: LogRules, read: Read) {
    this.url = log.url
    this.origin = log.origin
    this.logKey = keys.logKey
    this.required = keys.required
    this.#closedAt = closedAt
    this.#rules = rules
    this.#read = read
  }

  get isClosed(): boolean {
    return this.#closedAt !== undefined
  }

  /** Refuses unless the log signed the note and every cosignature is valid. */
  async open(note: Bytes): Promise<OpenedCheckpoint> {
    const { origin, logKey } = this
    const witnesses = [...this.#rules.keys.witnesses, ...this.required]
    const tree = await openCheckpoint(note, { ...this.#rules, origin, logKey, witnesses })
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

type Keys = { logKey: VerifierKey; required: readonly VerifierKey[] }

/** A full tile has 256 hashes of 32 bytes. */
const maxTileBytes = 8_192

/** Refuses unless the proof leads from the post to a checkpoint that the log signed, and the required witnesses cosigned. */
export async function checkProof(post: JsonObject, source: string | Bytes, rules: LogRules, read: Read) {
  const proof = parseProofFile(source)
  const { origin } = parseCheckpoint(parseNote(proof.checkpoint).text)
  const found = rules.keys.logs.find((each) => each.origin === origin)
  if (!found) throw new Refusal('foreign_origin', `The checkpoint is of ${origin}.`)
  const logKey = await parseVerifierKey(found.vkey, 'log')
  const required: VerifierKey[] = []
  for (const vkey of rules.witnesses) required.push(await parseVerifierKey(vkey, 'witness'))
  const log = new KnownLog(found, { logKey, required }, await closedAt(found, logKey, rules.now), rules, read)
  const tree = await log.open(proof.checkpoint)
  if (new Set(required.map(({ publicKey }) => hexOf(publicKey))).size < required.length)
    throw new Refusal('witness_missing', 'The same key is required twice.')
  const commitment = await commitmentOf(origin, proof.extra, post)
  await checkEither(committingEntry('post', commitment), committingEntry('edit', commitment), (entry) =>
    checkInclusion(entry, proof.index, tree, proof.hashes),
  )
  const later = await checkCosigners(log, tree)
  return { value: { log, tree }, detail: `Entry ${proof.index} of ${origin}; ${cosigners(log, tree, later)}.` }
}

/** The last checkpoint of a closed log; undefined if the log is open. */
async function closedAt({ origin, lastCheckpoint }: Log, logKey: VerifierKey, now: Date) {
  if (lastCheckpoint === undefined) return undefined
  if (lastCheckpoint === null) throw new Refusal('closed_log_larger')
  return openCheckpoint(lastCheckpoint, { origin, logKey, now })
}

/**
 * Refuses unless every required witness cosigned the checkpoint of the proof, or the current one, which must contain it:
 * a witness can be newer than the proof. Returns how many cosigned the current one only.
 */
async function checkCosigners(log: KnownLog, tree: OpenedCheckpoint): Promise<number> {
  const missing = log.required.filter((witness) => !hasCosigned(tree, witness))
  if (missing.length === 0) return 0
  const current = await log.current()
  await log.checkContinuation(tree)
  for (const witness of missing)
    if (!hasCosigned(current.tree, witness)) throw new Refusal('witness_missing', `The witness: ${witness.name}.`)
  return missing.length
}

const hasCosigned = ({ witnesses }: OpenedCheckpoint, { publicKey }: VerifierKey): boolean =>
  witnesses.some((each) => areEqual(each.publicKey, publicKey))

/** The witnesses that the reader required, and the others. Those prove little: the site chose them. */
function cosigners({ required }: KnownLog, { witnesses }: OpenedCheckpoint, later: number): string {
  const others = witnesses.filter((each) => !required.some(({ publicKey }) => areEqual(publicKey, each.publicKey)))
  const own = `${others.length} of the site’s own witnesses`
  if (required.length === 0) return others.length === 0 ? 'not cosigned by any witness' : `cosigned by ${own}`
  const chosen = counted(required.length, 'required witness', 'required witnesses')
  const current = later === 0 ? '' : ` (${later} on the log’s current checkpoint)`
  return `cosigned by ${chosen}${current}${others.length > 0 ? ` and ${own}` : ''}`
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
export async function readContinuity({ log, tree }: ProvenEntry, { keys, now }: LogRules, { lastVisit, site }: Memory) {
  const { origin, logKey } = log
  const origins = keys.logs.map((each) => each.origin)
  for (const seen of site?.seenLogs ?? [])
    if (!origins.includes(seen)) throw new Refusal('log_missing', `The log: ${seen}.`)
  const { note, tree: current } = await log.current()
  await log.checkContinuation(tree)
  const seen = lastVisit(origin)
  const last = seen === undefined ? undefined : await openLastVisit(seen, { origin, logKey, now })
  if (last) await log.checkContinuation(last)
  const visit = last ? ` and the ${last.size} from your last visit.` : '. No earlier visit to this log is known.'
  const has = `${log.isClosed ? 'The log is closed and' : 'The log now'} has ${counted(current.size, 'entry', 'entries')}`
  const value = {
    checkpoint: { origin, note: String(textOf(note)) },
    ...(site && { logs: { site: site.address, origins } }),
    isFirstVisit: last === undefined,
    cosignatures: [...cosignaturesOf(log, tree, 'proof'), ...cosignaturesOf(log, current, 'current')],
  }
  return { value, detail: `${has}, including the ${tree.size} covered by the proof${visit}` }
}

async function openLastVisit(note: string, rules: Parameters<typeof openCheckpoint>[1]): Promise<OpenedCheckpoint> {
  try {
    return await openCheckpoint(note, rules)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'note_unsigned') throw new Refusal('log_key_changed')
    throw error
  }
}

const cosignaturesOf = (
  { required }: KnownLog,
  { witnesses }: OpenedCheckpoint,
  checkpoint: Cosignature['checkpoint'],
): Cosignature[] =>
  witnesses.map(({ name, publicKey, time }) => ({
    witness: name,
    time: new Date(Number(time) * 1_000).toISOString().replace('.000Z', 'Z'),
    isRequired: required.some((each) => areEqual(each.publicKey, publicKey)),
    checkpoint,
  }))

const counted = (number: number | bigint, one: string, many: string): string =>
  `${number} ${String(number) === '1' ? one : many}`
