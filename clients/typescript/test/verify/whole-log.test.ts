import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWhole, times } from '../../../../tooling/test-length.ts'
import { someEntry } from '../../../../tooling/transparency/genuine-posts.ts'
import { newLog } from '../../../../tooling/transparency/test-posts.ts'
import { checkConsistency, checkInclusion, hashLeaf, TileReader } from '../../src/verify/index.ts'

// Above 65,536 entries, the log has three levels of tiles.
const size = times({ whole: 100_000, short: 2_000 })
const log = newLog()
for (let index = 0; index < size; index++) log.append(someEntry(index))

const bytes = (data: Uint8Array) => Uint8Array.from(data)
const read = async (path: string) => {
  const file = log.file(path)
  return file && bytes(file)
}
const treeOf = (count: number) => ({ size: BigInt(count), root: bytes(log.root(count)) })
/** Numbers below a limit, the same in every run, and those beside the edges of tiles. */
const spread = (count: number, limit: number) =>
  [...Array.from({ length: count }, (_, at) => (at * 7_919) % limit), 0, 1, 255, 256, 257, limit - 1].map(
    (at) => at % limit,
  )

test('every entry is in the log, by its bundle, its tile and all tiles above', async () => {
  const reader = new TileReader(read, BigInt(size))
  await reader.checkAll(treeOf(size))
  let count = 0
  for (let bundle = 0n; bundle * 256n < BigInt(size); bundle++)
    for (const entry of await reader.entries(bundle)) assert.ok(log.entries[count++]?.equals(entry))
  assert.equal(count, size)
})

test('inclusion proofs from tiles are those of RFC 6962, and are accepted', async () => {
  const tree = treeOf(size)
  const reader = new TileReader(read, tree.size)
  const check = async (index: number) => {
    const proof = await reader.inclusionProof(BigInt(index))
    assert.ok(Buffer.concat(proof).equals(Buffer.concat(log.inclusionProof(index))))
    await checkInclusion(await hashLeaf(log.entries[index] ?? Buffer.of()), BigInt(index), tree, proof)
  }
  const indexes = isWhole ? [...log.entries.keys()] : spread(60, size)
  while (indexes.length > 0) await Promise.all(indexes.splice(0, 256).map(check))
})

test('consistency proofs from tiles are those of RFC 6962, and are accepted', async () => {
  for (const [at, newer] of spread(times({ whole: 2_000, short: 30 }), size + 1).entries()) {
    const older = (at * 104_729) % (newer + 1)
    const reader = new TileReader(read, BigInt(newer))
    const proof = await reader.consistencyProof(BigInt(older))
    assert.deepEqual(proof, log.consistencyProof(older, newer).map(bytes))
    await checkConsistency(treeOf(older), treeOf(newer), proof)
  }
})

test('for all small trees, every proof is accepted, and refused with any hash changed, missing or added', async () => {
  const largest = times({ whole: 70, short: 10 })
  const isRefused = (check: Promise<void>) =>
    check.then(
      () => false,
      () => true,
    )
  const variants = (proof: readonly Uint8Array<ArrayBuffer>[]) => [
    ...proof.map((_, at) => proof.with(at, new Uint8Array(32))),
    ...proof.map((_, at) => proof.toSpliced(at, 1)),
    [...proof, new Uint8Array(32)],
    [new Uint8Array(32), ...proof],
  ]
  for (let count = 1; count <= largest; count++)
    for (let at = 0; at < count; at++) {
      const leaf = bytes(log.leaf(at))
      const inclusion = log.inclusionProof(at, count).map(bytes)
      await checkInclusion(leaf, BigInt(at), treeOf(count), inclusion)
      for (const wrong of variants(inclusion))
        assert.ok(await isRefused(checkInclusion(leaf, BigInt(at), treeOf(count), wrong)), `${at} of ${count}`)
      const consistency = log.consistencyProof(at, count).map(bytes)
      await checkConsistency(treeOf(at), treeOf(count), consistency)
      for (const wrong of variants(consistency))
        assert.ok(await isRefused(checkConsistency(treeOf(at), treeOf(count), wrong)), `${at} to ${count}`)
    }
})
