import { type Bytes, hexOf, textOf } from './bytes.ts'
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
  /** When the post was signed. No checkpoint with its entry can be older. */
  notBefore: Date | undefined
}

/** An entry that is in a log, and the checkpoint that covers it. */
export type ProvenEntry = { log: Log; logKey: VerifierKey; witnesses: VerifierKey[]; tree: OpenedCheckpoint }

/** Refuses unless the proof leads from the post to a checkpoint that the log signed. */
export async function checkProof(post: JsonObject, source: string | Bytes, rules: LogRules) {
  const proof = parseProofFile(source)
  const { origin } = parseCheckpoint(parseNote(proof.checkpoint).text)
  const log = rules.keys.logs.find((each) => each.origin === origin)
  if (!log) throw new Refusal('foreign_origin', `The checkpoint is of ${origin}.`)
  const logKey = await parseVerifierKey(log.vkey, 'log')
  const required: VerifierKey[] = []
  for (const vkey of rules.witnesses) required.push(await parseVerifierKey(vkey, 'witness'))
  const witnesses = [...rules.keys.witnesses, ...required]
  const tree = await openCheckpoint(proof.checkpoint, { ...rules, origin, logKey, witnesses })
  if (new Set(required.map(({ publicKey }) => hexOf(publicKey))).size < required.length)
    throw new Refusal('witness_missing', 'The same key is required twice.')
  for (const { name, publicKey } of required)
    if (!tree.witnesses.some((each) => hexOf(each.publicKey) === hexOf(publicKey)))
      throw new Refusal('witness_missing', `The witness: ${name}.`)
  const commitment = await commitmentOf(origin, proof.extra, post)
  await checkEither(committingEntry('post', commitment), committingEntry('edit', commitment), (entry) =>
    checkInclusion(entry, proof.index, tree, proof.hashes),
  )
  const detail = `Entry ${proof.index} of ${origin}; ${cosigners(tree, required.length)}.`
  return { value: { log, logKey, witnesses, tree }, detail }
}

/** The witnesses that the reader required, and the others. Those prove little: the site chose them. */
function cosigners({ witnesses }: OpenedCheckpoint, required: number): string {
  if (witnesses.length === 0) return 'not cosigned by any witness'
  const own = `${witnesses.length - required} of the site’s own witnesses`
  if (required === 0) return `cosigned by ${own}`
  const chosen = counted(required, 'required witness', 'required witnesses')
  return `cosigned by ${witnesses.length > required ? `${chosen} and ${own}` : chosen}`
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

type LogSources = {
  read: (url: string) => Promise<Bytes | undefined>
  lastVisit: (origin: string) => string | undefined
  /** The site whose keys were read, and the logs that it had at earlier visits. */
  site?: { readonly address: string; readonly seenLogs: readonly string[] } | undefined
}

/** Refuses unless the log still has all that the proof’s checkpoint and the last visit’s checkpoint covered. */
export async function readContinuity({ log, logKey, witnesses, tree }: ProvenEntry, rules: LogRules, from: LogSources) {
  const { origin } = log
  const origins = rules.keys.logs.map((each) => each.origin)
  for (const seen of from.site?.seenLogs ?? [])
    if (!origins.includes(seen)) throw new Refusal('log_missing', `The log: ${seen}.`)
  const note = await from.read(`${log.url}checkpoint`)
  if (note === undefined) throw new Refusal('tile_missing', 'The log has no checkpoint.')
  const current = await openCheckpoint(note, { ...rules, origin, logKey, witnesses })
  const reader = new TileReader((path) => from.read(`${log.url}${path}`), current.size)
  await checkContinuation(reader, tree, current)
  const seen = from.lastVisit(origin)
  const last = seen === undefined ? undefined : await openCheckpoint(seen, { origin, logKey, now: rules.now })
  if (last) await checkContinuation(reader, last, current)
  const visit = last ? ` and the ${last.size} from your last visit.` : '. No earlier visit to this log is known.'
  const detail = `The log now has ${counted(current.size, 'entry', 'entries')}, including the ${tree.size} covered by the proof${visit}`
  const logs = from.site && { logs: { site: from.site.address, origins } }
  return { value: { checkpoint: { origin, note: String(textOf(note)) }, ...logs }, detail }
}

async function checkContinuation(reader: TileReader, older: Tree, current: Tree): Promise<void> {
  const proof = older.size < current.size ? await reader.consistencyProof(older.size) : []
  await checkConsistency(older, current, proof)
}

const counted = (number: number | bigint, one: string, many: string): string =>
  `${number} ${String(number) === '1' ? one : many}`
