import { areEqual, type Bytes } from '../bytes.ts'
import { Refusal } from '../refusal.ts'
import { hashLeaf, hashNode, hashOfEmptyTree, rootOf, splitOf, type Tree } from './tree.ts'

/** Reads a file below the address of the log; undefined if there is none. */
export type ReadFile = (path: string) => Promise<Bytes | undefined>
type Level = number | 'entries'

const fullWidth = 256n
const hashBytes = 32
const maxHeight = 63

/** The path of a tile: `tile/0/x001/067`, and `tile/0/x001/067.p/8` if it has only 8 hashes yet. */
export function tilePath(level: Level, index: bigint, width: number = Number(fullWidth)): string {
  if (width < 1 || width > Number(fullWidth) || index < 0n || (level !== 'entries' && (level < 0 || level > maxHeight)))
    throw new Refusal('tile_path')
  const digits = String(index)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? []
  const name = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/')
  return `tile/${level}/${name}${width < Number(fullWidth) ? `.p/${width}` : ''}`
}

/** The tile that a path names. Refuses every other spelling of it. */
export function parseTilePath(path: string): { level: Level; index: bigint; width: number } {
  const [, level = '', name = '', width = ''] =
    /^tile\/(\d{1,2}|entries)\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path) ?? []
  if (!name || width === '256') throw new Refusal('tile_path')
  const tile = {
    level: level === 'entries' ? level : Number(level),
    index: BigInt(name.replaceAll(/\D/g, '')),
    width: width ? Number(width) : Number(fullWidth),
  } satisfies { level: Level; index: bigint; width: number }
  if (tilePath(tile.level, tile.index, tile.width) !== path) throw new Refusal('tile_path')
  return tile
}

/** Splits a bundle into its entries, of which there must be exactly `count`. */
export function parseEntryBundle(bundle: Bytes, count: number): Bytes[] {
  const entries: Bytes[] = []
  let at = 0
  while (at < bundle.length) {
    const [high, low] = [bundle[at], bundle[at + 1]]
    if (high === undefined || low === undefined) throw new Refusal('bundle_malformed', 'It is truncated.')
    const end = at + 2 + high * 256 + low
    if (end > bundle.length) throw new Refusal('bundle_malformed', 'It is truncated.')
    if (entries.length === count) throw new Refusal('bundle_malformed', 'It has too many entries.')
    entries.push(bundle.slice(at + 2, end))
    at = end
  }
  if (entries.length !== count) throw new Refusal('bundle_malformed', 'It has too few entries.')
  return entries
}

/** Reads the tiles of a log as they were when it had `size` entries. What it returns proves something only with a root. */
export class TileReader {
  readonly size: bigint
  readonly #read: ReadFile
  readonly #tiles = new Map<string, Promise<Bytes>>()
  readonly #nodes = new Map<string, Promise<Bytes>>()

  constructor(read: ReadFile, size: bigint) {
    this.#read = read
    this.size = size
  }

  /** The root over all entries, or over the first `size`. */
  root(size: bigint = this.size): Promise<Bytes> {
    return size === 0n ? hashOfEmptyTree() : this.#range(0n, size)
  }

  /** The proof that an index is in the tree, from the leaf to the root. */
  async inclusionProof(index: bigint): Promise<Bytes[]> {
    if (index < 0n || index >= this.size) throw new Refusal('index_outside_tree')
    const proof: Bytes[] = []
    let [start, size] = [0n, this.size]
    while (size > 1n) {
      const split = splitOf(size)
      const isLeft = index < start + split
      proof.unshift(await (isLeft ? this.#range(start + split, size - split) : this.#range(start, split)))
      ;[start, size] = isLeft ? [start, split] : [start + split, size - split]
    }
    return proof
  }

  /** The proof that the tree begins with the first `older` entries. */
  async consistencyProof(older: bigint): Promise<Bytes[]> {
    if (older > this.size) throw new Refusal('smaller_size')
    if (older === 0n || older === this.size) return []
    const proof: Bytes[] = []
    let [start, size] = [0n, this.size]
    while (start + size !== older) {
      const split = splitOf(size)
      const isLeft = older <= start + split
      proof.unshift(await (isLeft ? this.#range(start + split, size - split) : this.#range(start, split)))
      ;[start, size] = isLeft ? [start, split] : [start + split, size - split]
    }
    // Who has the older root knows the hash of a tree that starts at the first entry.
    return start === 0n ? proof : [await this.#range(start, size), ...proof]
  }

  /** The entries of one bundle, each compared with its hash in the tile. */
  async entries(bundle: bigint): Promise<Bytes[]> {
    const width = this.#width(0, bundle)
    const file = await this.#file('entries', bundle, width)
    const entries = parseEntryBundle(file.bytes, file.width).slice(0, width)
    const tile = await this.#tile(0, bundle)
    const hashes = await Promise.all(entries.map(hashLeaf))
    for (const [index, hash] of hashes.entries())
      if (!areEqual(hash, hashAt(tile, index)))
        throw new Refusal('entry_not_in_tile', `The entry: ${bundle * fullWidth + BigInt(index)}.`)
    return entries
  }

  /** Reads every tile, and refuses unless each follows from those below it and all of them from the root. */
  async checkAll({ size, root }: Tree): Promise<void> {
    if (size !== this.size) throw new Refusal('smaller_size')
    for (let level = 1; this.#sizeAt(level) > 0n; level++)
      for (let index = 0n; index < this.#sizeAt(level); index++) {
        const below = await this.#tile(level - 1, index)
        const parent = await this.#tile(level, index / fullWidth)
        if (!areEqual(await rootOf(hashesOf(below)), hashAt(parent, Number(index % fullWidth))))
          throw new Refusal('inclusion_wrong', `Tile ${tilePath(level - 1, index)} does not match the one above it.`)
      }
    if (!areEqual(await this.root(), root)) throw new Refusal('inclusion_wrong')
  }

  /** The hash over `size` entries from `start`, which is a multiple of the largest power of two in it. */
  #range(start: bigint, size: bigint): Promise<Bytes> {
    const height = size.toString(2).length - 1
    if (size === 1n << BigInt(height)) return this.#subtree(height, start >> BigInt(height))
    const split = splitOf(size)
    return this.#node(`${start}+${size}`, () => [this.#range(start, split), this.#range(start + split, size - split)])
  }

  /** The hash of a complete subtree. Tiles have every eighth level; the hashes between are calculated. */
  async #subtree(height: number, index: bigint): Promise<Bytes> {
    if (height % 8 === 0) return hashAt(await this.#tile(height / 8, index / fullWidth), Number(index % fullWidth))
    const half = (at: bigint) => this.#subtree(height - 1, index * 2n + at)
    return this.#node(`${height}/${index}`, () => [half(0n), half(1n)])
  }

  /** Calculates a hash once. */
  #node(name: string, halves: () => [Promise<Bytes>, Promise<Bytes>]): Promise<Bytes> {
    const known = this.#nodes.get(name)
    if (known) return known
    const hash = this.#join(halves())
    this.#nodes.set(name, hash)
    return hash
  }

  /** Waits for both, so that of two tiles that are wrong it is always the first that is refused. */
  async #join(halves: [Promise<Bytes>, Promise<Bytes>]): Promise<Bytes> {
    await Promise.allSettled(halves)
    return hashNode(await halves[0], await halves[1])
  }

  #sizeAt(level: number): bigint {
    return this.size >> BigInt(8 * level)
  }

  #width(level: number, index: bigint): number {
    const left = this.#sizeAt(level) - index * fullWidth
    return Number(left < fullWidth ? left : fullWidth)
  }

  #tile(level: number, index: bigint): Promise<Bytes> {
    const name = `${level}/${index}`
    const known = this.#tiles.get(name)
    if (known) return known
    const reading = this.#readTile(level, index)
    this.#tiles.set(name, reading)
    return reading
  }

  async #readTile(level: number, index: bigint): Promise<Bytes> {
    const width = this.#width(level, index)
    const file = await this.#file(level, index, width)
    if (file.bytes.length !== hashBytes * file.width) throw new Refusal('tile_length')
    return file.bytes.slice(0, hashBytes * width)
  }

  /** A partial tile can be deleted once the full one is there, which begins with the same hashes. */
  async #file(level: Level, index: bigint, width: number): Promise<{ bytes: Bytes; width: number }> {
    const full = Number(fullWidth)
    for (const each of width < full ? [width, full] : [full]) {
      const bytes = await this.#read(tilePath(level, index, each))
      if (bytes) return { bytes, width: each }
    }
    throw new Refusal('tile_missing', tilePath(level, index, width))
  }
}

const hashAt = (tile: Bytes, index: number): Bytes => tile.slice(index * hashBytes, (index + 1) * hashBytes)

const hashesOf = (tile: Bytes): Bytes[] =>
  Array.from({ length: tile.length / hashBytes }, (_, index) => hashAt(tile, index))
