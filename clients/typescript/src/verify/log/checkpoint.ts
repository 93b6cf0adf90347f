import { areEqual, type Bytes, fromBase64 } from '../bytes.ts'
import { Refusal } from '../refusal.ts'
import { checkLogSignature, parseNote, type VerifierKey } from './signed-note.ts'
import { hashOfEmptyTree, type Tree } from './tree.ts'

/** What a log has signed: its tree at some moment. */
export type Checkpoint = Tree & { readonly origin: string }

export type CheckpointRules = { origin: string; logKey: VerifierKey }

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

/** Parses a signed checkpoint, and refuses it unless the log signed it. Other signatures are ignored. */
export async function openCheckpoint(note: string | Bytes, { origin, logKey }: CheckpointRules): Promise<Checkpoint> {
  const parsed = parseNote(note)
  const checkpoint = parseCheckpoint(parsed.text)
  if (checkpoint.origin !== origin || logKey.name !== origin) throw new Refusal('foreign_origin')
  await checkLogSignature(parsed, logKey)
  if (checkpoint.size === 0n && !areEqual(checkpoint.root, await hashOfEmptyTree()))
    throw new Refusal('checkpoint_root', 'The tree is empty, and its root is not that of an empty tree.')
  return checkpoint
}
