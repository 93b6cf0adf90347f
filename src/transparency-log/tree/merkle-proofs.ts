import { tileHeight, tileWidth } from './extend-tree.ts'
import { hashOfNode, rootOfEmptyTree, rootOfFull } from './hashes.ts'

/** Reads the hashes of a tile, as many as there are. */
export type ReadTile = (level: number, index: number) => Promise<readonly Buffer[]>

/** The hashes that lead from an entry to the root of the tree with this size, leaf first (RFC 9162, 2.1.3). */
export function inclusionProof(readTile: ReadTile, index: number, size: number): Promise<Buffer[]> {
  return pathTo(readTile, { start: 0, end: size }, index)
}

/** The hashes that show that the tree with the new size continues the one with the old size (RFC 9162, 2.1.4). */
export function consistencyProof(readTile: ReadTile, oldSize: number, newSize: number): Promise<Buffer[]> {
  if (oldSize === 0 || oldSize === newSize) return Promise.resolve([])
  return subproof(readTile, { start: 0, end: newSize }, oldSize, true)
}

/** The root that the tree had when it had this size. */
export const rootAt = (readTile: ReadTile, size: number): Promise<Buffer> =>
  size === 0 ? Promise.resolve(rootOfEmptyTree) : rootOf(readTile, { start: 0, end: size })

/** A range of entries that is a node of the tree. */
type Range = { start: number; end: number }

const split = ({ start, end }: Range) => start + 2 ** Math.floor(Math.log2(end - start - 1))

async function pathTo(readTile: ReadTile, range: Range, index: number): Promise<Buffer[]> {
  const { start, end } = range
  if (end - start === 1) return []
  const middle = split(range)
  return index < middle
    ? [...(await pathTo(readTile, { start, end: middle }, index)), await rootOf(readTile, { start: middle, end })]
    : [...(await pathTo(readTile, { start: middle, end }, index)), await rootOf(readTile, { start, end: middle })]
}

async function subproof(readTile: ReadTile, range: Range, oldEnd: number, isKnown: boolean): Promise<Buffer[]> {
  const { start, end } = range
  if (oldEnd === end) return isKnown ? [] : [await rootOf(readTile, range)]
  const middle = split(range)
  if (oldEnd <= middle)
    return [
      ...(await subproof(readTile, { start, end: middle }, oldEnd, isKnown)),
      await rootOf(readTile, { start: middle, end }),
    ]
  return [
    ...(await subproof(readTile, { start: middle, end }, oldEnd, false)),
    await rootOf(readTile, { start, end: middle }),
  ]
}

async function rootOf(readTile: ReadTile, range: Range): Promise<Buffer> {
  const { start, end } = range
  const length = end - start
  const height = Math.log2(length)
  if (Number.isInteger(height)) return fullRoot(readTile, start, length, height)
  const middle = split(range)
  return hashOfNode(await rootOf(readTile, { start, end: middle }), await rootOf(readTile, { start: middle, end }))
}

/** A full subtree is a part of one tile, at the highest level that has its hashes. */
async function fullRoot(readTile: ReadTile, start: number, length: number, height: number): Promise<Buffer> {
  const level = Math.floor(height / tileHeight)
  const scale = tileWidth ** level
  const [first, count] = [start / scale, length / scale]
  const tile = await readTile(level, Math.floor(first / tileWidth))
  const hashes = tile.slice(first % tileWidth, (first % tileWidth) + count)
  if (hashes.length !== count) throw new Error('a tile of the log lacks hashes')
  return rootOfFull(hashes)
}

/** Reads each tile once. */
export function rememberTiles(readTile: ReadTile): ReadTile {
  const known = new Map<string, Promise<readonly Buffer[]>>()
  return (level, index) => {
    const name = `${level}/${index}`
    const tile = known.get(name) ?? readTile(level, index)
    known.set(name, tile)
    return tile
  }
}
