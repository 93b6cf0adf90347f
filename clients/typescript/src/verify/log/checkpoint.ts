import { areEqual, type Bytes, fromBase64, hexOf } from '../bytes.ts'
import { Refusal } from '../refusal.ts'
import { checkLogSignature, cosignatureTimes, parseNote, type VerifierKey } from './signed-note.ts'
import { hashOfEmptyTree, type Tree } from './tree.ts'

/** What a log has signed: its tree at some moment. */
export type Checkpoint = Tree & { readonly origin: string }

export type OpenedCheckpoint = Checkpoint & {
  /** The signed lines. */
  readonly text: string
  /** The witnesses with a valid cosignature, each once. */
  readonly witnesses: readonly { readonly name: string; readonly publicKey: Bytes; readonly time: bigint }[]
}

export type CheckpointRules = {
  origin: string
  logKey: VerifierKey
  /** The witnesses whose cosignatures are checked. Others are ignored. */
  witnesses?: readonly VerifierKey[]
  /** The current time. */
  now: Date
  /** Cosignatures from before this time are refused. */
  notBefore?: Date | undefined
}

/** How far the clocks of a witness and a verifier may differ. */
const toleranceSeconds = 300
const sizeLimit = 2n ** 63n

/** Parses the text of a checkpoint. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin, size, root, ...rest] = text.split('\n')
  if (!origin || size === undefined || root === undefined || rest.length !== 1 || rest[0] !== '')
    throw new Refusal('checkpoint_malformed')
  const hash = fromBase64(root)
  if (hash.length !== 32) throw new Refusal('checkpoint_root')
  return { origin, size: parseSize(size), root: hash }
}

/** Reads a number of entries, or an index, in its only valid spelling. */
export function parseSize(written: string): bigint {
  if (!/^(0|[1-9]\d{0,18})$/.test(written) || BigInt(written) >= sizeLimit) throw new Refusal('checkpoint_size')
  return BigInt(written)
}

/** Parses a signed checkpoint, and refuses it unless the log signed it and every known witness's cosignature is valid. */
export async function openCheckpoint(note: string | Bytes, rules: CheckpointRules): Promise<OpenedCheckpoint> {
  const parsed = parseNote(note)
  const checkpoint = parseCheckpoint(parsed.text)
  if (checkpoint.origin !== rules.origin || rules.logKey.name !== rules.origin) throw new Refusal('foreign_origin')
  await checkLogSignature(parsed, rules.logKey)
  if (checkpoint.size === 0n && !areEqual(checkpoint.root, await hashOfEmptyTree()))
    throw new Refusal('checkpoint_root', 'The tree is empty, and its root is not that of an empty tree.')
  // By key, so that one witness under two names counts once.
  const witnesses = new Map<string, OpenedCheckpoint['witnesses'][number]>()
  for (const { name, publicKey, ...key } of rules.witnesses ?? []) {
    for (const time of await cosignatureTimes(parsed, { name, publicKey, ...key })) {
      assertTime(time, rules)
      witnesses.set(hexOf(publicKey), { name, publicKey, time })
    }
  }
  return { ...checkpoint, text: parsed.text, witnesses: [...witnesses.values()] }
}

function assertTime(time: bigint, { now, notBefore }: CheckpointRules): void {
  const latest = BigInt(Math.floor(now.getTime() / 1_000) + toleranceSeconds)
  const earliest = notBefore ? BigInt(Math.floor(notBefore.getTime() / 1_000) - toleranceSeconds) : 1n
  if (time === 0n || time > latest || time < earliest) throw new Refusal('cosignature_time', `The time: ${time}.`)
}
