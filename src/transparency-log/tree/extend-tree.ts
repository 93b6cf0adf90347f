import { hashOfNode, rootOfEmptyTree } from './hashes.ts'

/**
 * What has to be known of a tree to append to it: its size and the roots of its full subtrees, the largest first. There
 * is one for each bit that is set in the size.
 */
export type TreeEdge = { size: number; edge: readonly Buffer[] }

/** The hash of a full tile, as a hash of the level above. */
export type TileHash = { level: number; index: number; hash: Buffer }

/** A tile has 2^8 hashes. */
export const tileHeight = 8
export const tileWidth = 256

/** Appends leaves to a tree. Also returns the hashes of the tiles that they fill. */
export function extendTree({ size, edge }: TreeEdge, leaves: readonly Buffer[]): TreeEdge & { tileHashes: TileHash[] } {
  const peaks = [...edge]
  const tileHashes: TileHash[] = []
  leaves.forEach((leaf, position) => {
    let hash = leaf
    let index = size + position
    for (let height = 1; index % 2 === 1; height += 1) {
      hash = hashOfNode(peaks.pop() as Buffer, hash)
      index = (index - 1) / 2
      if (height % tileHeight === 0) tileHashes.push({ level: height / tileHeight, index, hash })
    }
    peaks.push(hash)
  })
  return { size: size + leaves.length, edge: peaks, tileHashes }
}

export function rootOfEdge(edge: readonly Buffer[]): Buffer {
  if (edge.length === 0) return rootOfEmptyTree
  return edge.reduceRight((right, left) => hashOfNode(left, right))
}
