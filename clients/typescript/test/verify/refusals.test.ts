import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ordinaryPost } from '../../../../tooling/transparency/genuine-posts.ts'
import { bundleOf } from '../../../../tooling/transparency/test-log.ts'
import { testSalt } from '../../../../tooling/transparency/test-posts.ts'
import { canonicalJson, readUrl, verifyPost } from '../../src/verify/index.ts'
import { parseEntryBundle, parseTilePath, TileReader, tilePath } from '../../src/verify/log/tiles.ts'
import { checkConsistency } from '../../src/verify/log/tree.ts'

const { log, post } = ordinaryPost()
const bytes = (data: Uint8Array | string) => Uint8Array.from(Buffer.from(data))

test('refused: values without a JSON form', () => {
  for (const value of [undefined, Number.NaN, 1n, () => 1, Symbol('s'), new Date(), Array(1), { a: undefined }])
    assert.throws(() => canonicalJson(value), { code: 'json_not_serializable' })
  assert.throws(() => canonicalJson({ '\ud800': 1 }), { code: 'json_lone_surrogate' })
})

test('refused: a consistency proof from an empty tree', async () => {
  const [empty, tree] = [0, 3].map((size) => ({ size: BigInt(size), root: bytes(log.root(size)) }))
  await checkConsistency(empty!, tree!, [])
  await assert.rejects(checkConsistency(empty!, tree!, [bytes(testSalt(0))]), { code: 'proof_length' })
})

test('refused: tiles without hashes, and other spellings of a path', () => {
  assert.deepEqual(parseTilePath('tile/1/x001/067.p/8'), { level: 1, index: 1067n, width: 8 })
  assert.deepEqual(parseTilePath('tile/entries/000'), { level: 'entries', index: 0n, width: 256 })
  for (const width of [0, 257, -1]) assert.throws(() => tilePath(0, 0n, width), { code: 'tile_path' })
  const aliases = [
    'tile/0/67',
    'tile/0/x000/067',
    'tile/0/../067',
    'tile/0/067.p/0',
    'tile/0/067.p/256',
    'tile/0/067.p/08',
    'tile/00/067',
    'tile/64/067',
    'tile/data/067',
    '/tile/0/067',
    'tile/0/067/',
    'tile/0/001/067',
    'tile/0/X001/067',
    'tile/0/067%2ep/1',
  ]
  for (const alias of aliases) assert.throws(() => parseTilePath(alias), { code: 'tile_path' }, alias)
})

test('refused: a bundle that is truncated, too long or of another count', () => {
  const bundle = bytes(bundleOf(log.entries.slice(0, 3)))
  assert.equal(parseEntryBundle(bundle, 3).length, 3)
  const wrong: [Uint8Array<ArrayBuffer>, number][] = [
    [bundle.slice(0, -1), 3],
    [bundle.slice(0, 1), 1],
    [bytes(Buffer.concat([bundle, Buffer.of(0)])), 3],
    [bytes(Buffer.concat([bundle, Buffer.of(0, 0)])), 3],
    [bundle, 2],
    [bundle, 4],
  ]
  for (const [data, count] of wrong) assert.throws(() => parseEntryBundle(data, count), { code: 'bundle_malformed' })
})

test('refused: a response that grows without end when it is decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(17 * 2 ** 20))
  assert.ok(bomb.length < 20_000)
  const fetch = async () =>
    new Response(new Blob([bytes(bomb)]).stream().pipeThrough(new DecompressionStream('gzip')), { status: 200 })
  await assert.rejects(readUrl('https://posts.example/log/checkpoint', fetch), { code: 'response_too_large' })
})

test('a larger response than is allowed is refused, and callers can allow more', async () => {
  const fetch = async () => new Response(bytes(Buffer.alloc(2 ** 20 + 1)))
  await assert.rejects(readUrl('https://posts.example/x', fetch), { code: 'response_too_large' })
  assert.equal((await readUrl('https://posts.example/x', fetch, { maxBytes: 2 ** 21 }))?.length, 2 ** 20 + 1)
})

test('all requests share one deadline, even if the fetch ignores its signal', async () => {
  const { checks } = await verifyPost({
    post: bytes(post),
    fetch: () => new Promise(() => {}),
    timeoutSeconds: 0.01,
  })
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  assert.deepEqual(
    failed.map(({ name, code, detail }) => [name, code, /The time for the verification is over\.$/.test(detail)]),
    ['key', 'proof'].map((name) => [name, 'unavailable', true]),
  )
})

test('refused: an entry that is not the one in the tile', async () => {
  const changed = [...log.entries.slice(0, 256)]
  changed[7] = Buffer.from('{}')
  const read = async (path: string) =>
    bytes(path.startsWith('tile/entries/') ? bundleOf(changed) : (log.file(path) ?? ''))
  const reader = new TileReader(read, BigInt(log.size))
  await assert.rejects(reader.entries(0n), { code: 'entry_not_in_tile', message: /The entry: 7\./ })
})
