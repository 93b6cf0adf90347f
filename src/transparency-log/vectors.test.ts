import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { canonicalJson } from '../platform/canonical-json.ts'
import { privateKeyFromSeed, publicBytesOf, signEd25519, thumbprintOf } from '../platform/ed25519.ts'
import { readCheckpoint, writeCheckpoint } from './checkpoints.ts'
import { commitmentTo, committedEntry, removedEntry } from './entries.ts'
import { openNoteSigner, parseVerifierKey, signNote } from './notes.ts'
import { extendTree, rootOfEdge } from './tree/extend-tree.ts'
import { hashOfEntry, hashOfNode, rootOfEmptyTree, rootOfFull } from './tree/hashes.ts'
import { consistencyProof, inclusionProof, type ReadTile } from './tree/merkle-proofs.ts'
import { bundleOf, entriesInBundle, newTiles, outgrownTiles, tilePath } from './tree/tiles.ts'

// Keys and salts of a public test vector: the byte n of each seed is its first byte plus n.
const keyFrom = (first: number) => privateKeyFromSeed(Buffer.from(Array.from({ length: 32 }, (_, at) => first + at)))
const origin = 'posts.example/log'
const postKey = keyFrom(0x40)
const postKeyId = thumbprintOf(publicBytesOf(postKey))
const texts = ['First', 'Second', 'Third']

function signedPost(at: number, text = texts[at] ?? '') {
  const published_at = `2026-11-16T00:00:0${at}Z`
  const post = { id: `p_${at + 1}`, published_at, text }
  const value = signEd25519(postKey, canonicalJson(post)).toString('base64url')
  return { ...post, signature: { alg: 'Ed25519', key_id: postKeyId, created_at: published_at, value } }
}

const entries = [0xa0, 0xb0, 0xc0].map((salt, at) =>
  committedEntry('post', commitmentTo('posts.example', Buffer.alloc(32, salt), signedPost(at))),
)
const leaves = entries.map(hashOfEntry)

test('a signed post, its commitment and its leaf have the bytes of the vector', () => {
  assert.equal(postKeyId, 'WeVHjIQTOLKu-P74oC-WL-MNn_sLM5CvrzuMjDFC3-s')
  assert.equal(
    signedPost(1).signature.value,
    'J14TEB0Nt-ctgOKnV6SejnOsBY0waNgDgiGhHJXUN5KCX7DctaUc-zhNzZsvoq0xn08ziGqzGFrMozJUFz7QAQ',
  )
  assert.deepEqual(entries, [
    '{"c":"GBeC1dLHXolSI42qHgPvLj_L8UOmA7e9QsBxfcuOwxU","t":"post","v":1}',
    '{"c":"gubM4H5lIUWHMzfb63jXtc0ltbw5tDoOab57a7EWpyY","t":"post","v":1}',
    '{"c":"T5890IbsFiuFQSY5a4xdxzyMsM8xu_QbWqWiCdYLKGA","t":"post","v":1}',
  ])
  assert.deepEqual(
    leaves.map((leaf) => leaf.toString('base64')),
    [
      'IOIeyiYeQplYxt7LOuFpU1HWERJZQ7MMk09S1GB5oUU=',
      'intg5NpN10BOBkVTggPKWtEKORZdUibJ94Xp4CsIO28=',
      'KpRXVKz7grQaAwGLMidqbLRVeqd++BsJ9XUsgpQDegk=',
    ],
  )
  assert.equal(removedEntry(7), '{"i":7,"t":"removed","v":1}')
})

test('tiles and bundles have the bytes of the vector', () => {
  const bundle = bundleOf(entries)
  assert.equal(bundle.length, 210)
  const digest = createHash('sha256').update(bundle).digest('hex')
  assert.equal(digest, '524b60b4ff7981ef642a893f0f981aff8580ffb8cbe5118764ac89383d8e1f21')
  assert.deepEqual(entriesInBundle(bundle, 3), entries)
  for (const broken of [bundle.subarray(1), bundle.subarray(0, -1), Buffer.concat([bundle, Buffer.of(0)])])
    assert.equal(entriesInBundle(broken, 3), undefined)
  assert.equal(entriesInBundle(bundle, 2), undefined)
})

test('the checkpoint and its key have the bytes of the vector', () => {
  const signer = openNoteSigner(origin, keyFrom(0))
  assert.equal(signer.verifierKey, 'posts.example/log+e171adb4+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4')
  const { edge } = extendTree({ size: 0, edge: [] }, leaves)
  const note = signNote(signer, writeCheckpoint({ origin, size: 3, root: rootOfEdge(edge) }))
  const signature = '4XGttEhRrg7xh3kq+83JHvizXcomswaZnRRB0ZgXWmViuoxuqyw4ms+Kog554UwrUPcalcay2flilG9q94+Ex7XRBwo='
  assert.equal(note, `${origin}\n3\n2t/EhthBZQcmYIMtDTDuJbWIN8xyazo7sxNZHBDkUWc=\n\n— ${origin} ${signature}\n`)
  const key = parseVerifierKey(signer.verifierKey)
  const other = openNoteSigner(origin, keyFrom(1))
  assert.equal(readCheckpoint(`${note}${signNote(other, note).split('\n').at(-2)}\n`, key)?.size, 3)
  assert.equal(readCheckpoint(note.replace('\n3\n', '\n4\n'), key), undefined)
  assert.equal(readCheckpoint(note, parseVerifierKey(other.verifierKey)), undefined)
  assert.throws(() => parseVerifierKey(signer.verifierKey.replace('e171', 'e172')), /does not match/)
})

test('the paths of tiles are those of C2SP tlog-tiles', () => {
  const pathOf = (index: number, width = 256) => tilePath({ level: 0, index, width })
  assert.equal(pathOf(67), 'tile/0/067')
  assert.equal(pathOf(1_067), 'tile/0/x001/067')
  assert.equal(pathOf(1_234_067), 'tile/0/x001/x234/067')
  assert.equal(pathOf(0, 3), 'tile/0/000.p/3')
  assert.deepEqual(newTiles(255, 256).map(tilePath), ['tile/0/000', 'tile/entries/000', 'tile/1/000.p/1'])
  assert.deepEqual(newTiles(256, 257).map(tilePath), ['tile/0/001.p/1', 'tile/entries/001.p/1'])
  assert.deepEqual(newTiles(3, 3), [])
  assert.deepEqual(outgrownTiles([3, 256], 256, 300).map(tilePath), ['tile/0/000.p/3', 'tile/entries/000.p/3'])
})

/** RFC 6962, section 2.1, written down as it is. */
function rootOfAll(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 0) return rootOfEmptyTree
  if (hashes.length === 1) return hashes[0] as Buffer
  const half = 2 ** Math.floor(Math.log2(hashes.length - 1))
  return hashOfNode(rootOfAll(hashes.slice(0, half)), rootOfAll(hashes.slice(half)))
}

test('appending in any portions gives the root of RFC 6962, and the hashes of full tiles', () => {
  const all = Array.from({ length: 700 }, (_, at) => hashOfEntry(`entry ${at}`))
  for (const step of [1, 3, 255, 256, 257, 700]) {
    let tree: ReturnType<typeof extendTree> = { size: 0, edge: [], tileHashes: [] }
    const tileHashes = []
    for (let at = 0; at < all.length; at += step) {
      tree = extendTree(tree, all.slice(at, at + step))
      tileHashes.push(...tree.tileHashes)
      if (step > 1) assert(rootOfEdge(tree.edge).equals(rootOfAll(all.slice(0, tree.size))), `step ${step}`)
    }
    assert(rootOfEdge(tree.edge).equals(rootOfAll(all)))
    assert.deepEqual(tileHashes, [
      { level: 1, index: 0, hash: rootOfFull(all.slice(0, 256)) },
      { level: 1, index: 1, hash: rootOfFull(all.slice(256, 512)) },
    ])
  }
})

test('proofs are those of RFC 9162', async () => {
  const all = Array.from({ length: 600 }, (_, at) => hashOfEntry(`entry ${at}`))
  const readerOf =
    (size: number): ReadTile =>
    async (level, index) =>
      level === 0
        ? all.slice(index * 256, Math.min(size, index * 256 + 256))
        : Array.from({ length: Math.floor(size / 256) }, (_, at) => rootOfFull(all.slice(at * 256, at * 256 + 256)))
  const pathOf = (index: number, hashes: readonly Buffer[]): Buffer[] => {
    if (hashes.length === 1) return []
    const half = 2 ** Math.floor(Math.log2(hashes.length - 1))
    return index < half
      ? [...pathOf(index, hashes.slice(0, half)), rootOfAll(hashes.slice(half))]
      : [...pathOf(index - half, hashes.slice(half)), rootOfAll(hashes.slice(0, half))]
  }
  for (const size of [1, 2, 3, 7, 255, 256, 257, 511, 513, 600])
    for (const index of new Set([0, 1, Math.floor(size / 2), size - 2, size - 1].filter((at) => at >= 0 && at < size)))
      assert.deepEqual(await inclusionProof(readerOf(size), index, size), pathOf(index, all.slice(0, size)))
  const [first, second, third] = all
  assert.deepEqual(await consistencyProof(readerOf(3), 2, 3), [third])
  assert.deepEqual(await consistencyProof(readerOf(3), 1, 3), [second, third])
  assert.deepEqual(await consistencyProof(readerOf(3), 3, 3), [])
  assert.deepEqual(await consistencyProof(readerOf(3), 0, 3), [])
  assert(first)
})
