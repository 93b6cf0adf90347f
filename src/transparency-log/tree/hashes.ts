import { createHash } from 'node:crypto'

/** RFC 6962: entries and inner nodes are hashed with different first bytes, so that one cannot pass for the other. */
export const hashOfEntry = (entry: string): Buffer => createHash('sha256').update('\0').update(entry, 'utf8').digest()

export const hashOfNode = (left: Buffer, right: Buffer): Buffer =>
  createHash('sha256').update('\x01').update(left).update(right).digest()

export const rootOfEmptyTree: Buffer = createHash('sha256').digest()

/** The root of a full subtree: the number of hashes is a power of two. */
export function rootOfFull(hashes: readonly Buffer[]): Buffer {
  const [first, second] = hashes
  if (!first) throw new Error('a subtree has at least one hash')
  if (!second) return first
  const half = hashes.length / 2
  return hashOfNode(rootOfFull(hashes.slice(0, half)), rootOfFull(hashes.slice(half)))
}
