import { areEqual, type Bytes, concatenate, sha256 } from '../bytes.ts'
import { Refusal } from '../refusal.ts'

/** A tree of a log: how many entries it has, and the hash over all of them. */
export type Tree = { readonly size: bigint; readonly root: Bytes }

export const hashLeaf = (entry: Uint8Array): Promise<Bytes> => sha256(concatenate(Uint8Array.of(0), entry))

export const hashNode = (left: Uint8Array, right: Uint8Array): Promise<Bytes> =>
  sha256(concatenate(Uint8Array.of(1), left, right))

export const hashOfEmptyTree = (): Promise<Bytes> => sha256(new Uint8Array())

/** The largest power of two below a number. */
export function splitOf(size: bigint): bigint {
  let power = 1n
  while (power * 2n < size) power *= 2n
  return power
}

/** The root over hashes that are in memory. */
export async function rootOf(hashes: readonly Bytes[]): Promise<Bytes> {
  const [only] = hashes
  if (!only) return hashOfEmptyTree()
  if (hashes.length === 1) return only
  const split = Number(splitOf(BigInt(hashes.length)))
  return hashNode(...(await Promise.all([rootOf(hashes.slice(0, split)), rootOf(hashes.slice(split))])))
}

/** Refuses unless the leaf is at this index of the tree. The proof goes from the leaf to the root. */
export async function checkInclusion(leaf: Bytes, index: bigint, tree: Tree, proof: readonly Bytes[]): Promise<void> {
  if (index < 0n || index >= tree.size) throw new Refusal('index_outside_tree')
  let [at, last, hash] = [index, tree.size - 1n, leaf]
  for (const sibling of proof) {
    if (last === 0n) throw new Refusal('proof_length', 'It is too long.')
    if (at % 2n === 1n || at === last) {
      hash = await hashNode(sibling, hash)
      while (at % 2n === 0n && at !== 0n) [at, last] = [at >> 1n, last >> 1n]
    } else hash = await hashNode(hash, sibling)
    ;[at, last] = [at >> 1n, last >> 1n]
  }
  if (last !== 0n) throw new Refusal('proof_length', 'It is too short.')
  if (!areEqual(hash, tree.root)) throw new Refusal('inclusion_wrong')
}

/** Refuses unless the newer tree begins with all entries of the older one. */
export async function checkConsistency(older: Tree, newer: Tree, proof: readonly Bytes[]): Promise<void> {
  if (newer.size < older.size) throw new Refusal('smaller_size', `It had ${older.size} entries, now ${newer.size}.`)
  if (newer.size === older.size && !areEqual(newer.root, older.root)) throw new Refusal('same_size_other_root')
  if (newer.size === older.size || older.size === 0n) {
    if (proof.length > 0) throw new Refusal('proof_length', 'It is too long.')
    return
  }
  let [at, last] = [older.size - 1n, newer.size - 1n]
  while (at % 2n === 1n) [at, last] = [at >> 1n, last >> 1n]
  // A complete tree is its own first part, and the proof leaves it out.
  const [first, ...rest] = at === 0n ? [older.root, ...proof] : proof
  if (!first) throw new Refusal('proof_length', 'It is too short.')
  let [old, now] = [first, first]
  for (const sibling of rest) {
    if (last === 0n) throw new Refusal('proof_length', 'It is too long.')
    if (at % 2n === 1n || at === last) {
      ;[old, now] = [await hashNode(sibling, old), await hashNode(sibling, now)]
      while (at % 2n === 0n && at !== 0n) [at, last] = [at >> 1n, last >> 1n]
    } else now = await hashNode(now, sibling)
    ;[at, last] = [at >> 1n, last >> 1n]
  }
  if (last !== 0n) throw new Refusal('proof_length', 'It is too short.')
  if (!areEqual(old, older.root) || !areEqual(now, newer.root)) throw new Refusal('not_a_continuation')
}
