import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { TileReader } from '../../clients/typescript/src/verify/index.ts'
import { commitmentTo, committedEntry, removedEntry } from '../../src/transparency-log/entries.ts'
import {
  extendTree,
  rootOfEdge,
  type TileHash,
  type TreeEdge,
  tileWidth,
} from '../../src/transparency-log/tree/extend-tree.ts'
import { hashOfEntry } from '../../src/transparency-log/tree/hashes.ts'
import { bundleOf, newTiles, outgrownTiles, type Tile, tilePath } from '../../src/transparency-log/tree/tiles.ts'

/** More than one full tile of level 1, published in portions that fill tiles, leave parts and skip some. */
const sizes = [3, 255, 256, 700, 20_000, 65_279, 65_535, 65_536, 65_800, 66_000]

const files = new Map<string, Buffer>()
let tree: TreeEdge = { size: 0, edge: [] }

/** Publishes as the log does, with its functions; only the database and the store are memory. */
before(() => {
  const last = sizes.at(-1) ?? 0
  const commitment = commitmentTo('posts.example/log', Buffer.alloc(32), { text: 'one' })
  const first = Array.from({ length: 3 }, () => committedEntry('post', commitment))
  const entries = [...first, ...Array.from({ length: last - 3 }, (_, at) => removedEntry(at))]
  const leaves = entries.map(hashOfEntry)
  const stored: TileHash[] = []
  const bytesOf = ({ level, index, width }: Tile): Buffer => {
    const start = index * tileWidth
    if (level === 'entries') return bundleOf(entries.slice(start, start + width))
    if (level === 0) return Buffer.concat(leaves.slice(start, start + width))
    const hashes = stored.filter((hash) => hash.level === level && hash.index >= start && hash.index < start + width)
    return Buffer.concat(hashes.map(({ hash }) => hash))
  }
  for (const [at, size] of sizes.entries()) {
    const from = tree.size
    const extended = extendTree(tree, leaves.slice(from, size))
    stored.push(...extended.tileHashes)
    tree = extended
    for (const tile of newTiles(from, size)) files.set(tilePath(tile), bytesOf(tile))
    for (const tile of outgrownTiles(sizes.slice(0, at), from, size)) files.delete(tilePath(tile))
  }
})

const check = (changes: ReadonlyMap<string, Buffer | undefined> = new Map()) => {
  const read = async (path: string) => {
    const file = changes.has(path) ? changes.get(path) : files.get(path)
    return file && Uint8Array.from(file)
  }
  const size = BigInt(tree.size)
  const reader = new TileReader(read, size)
  return reader.checkAll({ size, root: Uint8Array.from(rootOfEdge(tree.edge)) })
}

test('the independent checker accepts the files of a log with more than one full tile of level 1', async () => {
  await check()
  assert.ok(files.has('tile/1/000') && files.has('tile/2/000.p/1') && files.has('tile/1/001.p/1'))
})

test('no part of a full tile stays, on any level', () => {
  const parts = [...files.keys()].filter((path) => path.includes('.p/'))
  const full = parts.filter((path) => files.has(path.replace(/\.p\/\d+$/, '')))
  assert.deepEqual(full, [])
})

const changed = (path: string, at: number) => {
  const bytes = Buffer.from(files.get(path) ?? assert.fail(path))
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes
}

for (const [what, path, content] of [
  ['a changed hash of an entry', 'tile/0/017', () => changed('tile/0/017', 40)],
  ['a changed hash at the end of a full tile', 'tile/1/000', () => changed('tile/1/000', 8_191)],
  ['a changed hash of the highest level', 'tile/2/000.p/1', () => changed('tile/2/000.p/1', 0)],
  ['a tile in the place of another', 'tile/0/255', () => files.get('tile/0/254')],
  ['a tile that is too short', 'tile/1/000', () => files.get('tile/1/000')?.subarray(32)],
  ['a missing tile', 'tile/0/256', () => undefined],
] as const)
  test(`the independent checker refuses ${what}`, async () => {
    assert.ok(files.has(path), path)
    await assert.rejects(check(new Map([[path, content()]])))
  })

test('the independent checker compares each bundle with the hashes of its entries', async () => {
  const read = async (path: string) => {
    const file = path === 'tile/entries/200' ? changed(path, 20) : files.get(path)
    return file && Uint8Array.from(file)
  }
  const reader = new TileReader(read, BigInt(tree.size))
  assert.equal((await reader.entries(255n)).length, 256)
  await assert.rejects(reader.entries(200n), /entry/i)
})
