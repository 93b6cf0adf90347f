import { tileWidth } from './extend-tree.ts'

/** A tile of hashes, or a bundle of entries. Its width is 256, or less at the right edge of the tree. */
export type Tile = { level: number | 'entries'; index: number; width: number }

/** `tile/0/x001/067.p/5`: three digits for each part, and the width of a partial tile (C2SP tlog-tiles). */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index).padStart(Math.ceil(String(index).length / 3) * 3, '0')
  const groups = digits.match(/\d{3}/g) ?? []
  const name = groups.map((group, place) => (place < groups.length - 1 ? `x${group}` : group)).join('/')
  return `tile/${level}/${name}${width < tileWidth ? `.p/${width}` : ''}`
}

const hashLevels = 8

/** The tiles that a checkpoint of `newSize` needs and one of `oldSize` did not have. */
export function newTiles(oldSize: number, newSize: number): Tile[] {
  const tiles: Tile[] = []
  for (let level = 0; level < hashLevels; level += 1) {
    const scale = tileWidth ** level
    const [before, after] = [Math.floor(oldSize / scale), Math.floor(newSize / scale)]
    if (before === after) break
    for (let index = Math.floor(before / tileWidth); index * tileWidth < after; index += 1) {
      const width = Math.min(tileWidth, after - index * tileWidth)
      tiles.push({ level, index, width })
      if (level === 0) tiles.push({ level: 'entries', index, width })
    }
  }
  return tiles
}

/**
 * The partial tiles that can go once the tree has grown from `oldSize` to `newSize`: readers use the full ones. On the
 * lowest level, those of checkpoints with these sizes; above, a tile fills so rarely that all its parts are named.
 */
export function outgrownTiles(sizes: readonly number[], oldSize: number, newSize: number): Tile[] {
  const outgrown: Tile[] = []
  const widths = new Set<number>()
  for (const size of sizes) {
    const [index, width] = [Math.floor(size / tileWidth), size % tileWidth]
    if (width === 0 || (index + 1) * tileWidth > newSize || widths.has(size)) continue
    widths.add(size)
    outgrown.push({ level: 0, index, width }, { level: 'entries', index, width })
  }
  for (let level = 1; level < hashLevels; level += 1) {
    const scale = tileWidth ** level
    const [before, after] = [Math.floor(oldSize / scale), Math.floor(newSize / scale)]
    const index = Math.floor(before / tileWidth)
    if ((index + 1) * tileWidth > after) break
    // The widths up to that of the tree before: only they were published.
    for (let width = 1; width <= before % tileWidth; width += 1) outgrown.push({ level, index, width })
  }
  return outgrown
}

/** Each entry follows its length in two bytes. */
export function bundleOf(entries: readonly string[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => {
      const bytes = Buffer.from(entry)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(bytes.length)
      return [length, bytes]
    }),
  )
}

/** The entries of a bundle, or undefined if its bytes are not exactly this many entries. */
export function entriesInBundle(bundle: Buffer, width: number): string[] | undefined {
  const entries: string[] = []
  let at = 0
  while (at + 2 <= bundle.length) {
    const end = at + 2 + bundle.readUInt16BE(at)
    if (end > bundle.length) return undefined
    entries.push(bundle.toString('utf8', at + 2, end))
    at = end
  }
  return at === bundle.length && entries.length === width ? entries : undefined
}
