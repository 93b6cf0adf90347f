import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jcs, sha256 } from '../../../../tooling/transparency/test-keys.ts'
import { bundleOf, TestLog } from '../../../../tooling/transparency/test-log.ts'
import { logSigner, testKeys } from '../../../../tooling/transparency/test-posts.ts'
import { fromBase64, fromBase64Url, hexOf, toBase64, utf8 } from '../../src/verify/bytes.ts'
import { canonicalJson } from '../../src/verify/canonical-json.ts'
import { isSignedBy, thumbprintOf } from '../../src/verify/ed25519.ts'
import { openCheckpoint } from '../../src/verify/log/checkpoint.ts'
import { commitmentOf, committingEntry } from '../../src/verify/log/commitment.ts'
import { checkLogSignature, parseNote, parseVerifierKey } from '../../src/verify/log/signed-note.ts'
import { parseEntryBundle, TileReader, tilePath } from '../../src/verify/log/tiles.ts'
import { checkConsistency, checkInclusion, hashLeaf, hashNode, hashOfEmptyTree } from '../../src/verify/log/tree.ts'
import { parseStrictJson } from '../../src/verify/strict-json.ts'

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))

test('RFC 8785: numbers of appendix B', () => {
  const samples: [string, string][] = [
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ]
  for (const [bits, text] of samples) assert.equal(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE()), text)
  for (const bits of ['7fffffffffffffff', '7ff0000000000000'])
    assert.throws(() => canonicalJson(Buffer.from(bits, 'hex').readDoubleBE()), { code: 'json_not_serializable' })
})

test('RFC 8785: the sample, and names in the order of UTF-16 units', () => {
  const sample = String.raw`{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`
  const expected = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`
  assert.equal(canonicalJson(JSON.parse(sample)), expected)
  const names = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 }
  const sorted = '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}'
  assert.equal(canonicalJson(names), sorted)
})

test('a number with more than 400 characters is refused, however long it is', () => {
  for (const written of [`0.${'0'.repeat(399)}`, `1e-${'9'.repeat(398)}`, `0.1${'0'.repeat(8_000_000)}1`])
    assert.throws(() => parseStrictJson(written), { code: 'json_number_changed' })
  assert.equal(parseStrictJson(`0.5${'0'.repeat(397)}`), 0.5)
  assert.equal(parseStrictJson(`0e${'9'.repeat(398)}`), 0)
})

test('RFC 8032: tests 1 to 3 and SHA(abc)', async () => {
  const samples: [string, string, string][] = [
    [
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      '',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ],
    [
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      '72',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ],
    [
      'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
      'af82',
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ],
    [
      'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
      'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
      'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
    ],
  ]
  for (const [key, message, signature] of samples) {
    assert.equal(await isSignedBy(hex(key), hex(message), hex(signature)), true)
    assert.equal(await isSignedBy(hex(key), hex(`${message}00`), hex(signature)), false)
  }
})

test('RFC 7638 and RFC 8037: the thumbprint of a key', async () => {
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
  assert.equal(await thumbprintOf(x), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
})

test('RFC 6962: hashes of the empty tree, of leaves and of nodes', async () => {
  assert.equal(hexOf(await hashOfEmptyTree()), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  assert.equal(
    hexOf(await hashLeaf(new Uint8Array())),
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  )
  assert.equal(
    hexOf(await hashLeaf(utf8('L123456'))),
    '395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56',
  )
  assert.equal(
    hexOf(await hashNode(utf8('N123'), utf8('N456'))),
    'aa217fe888e47007fa15edab33c2b492a722cb106c64667fc2b044444de66bbb',
  )
})

test('C2SP tlog-tiles: paths', () => {
  assert.equal(tilePath(0, 67n), 'tile/0/067')
  assert.equal(tilePath(1, 1067n, 8), 'tile/1/x001/067.p/8')
  assert.equal(tilePath('entries', 1234067n), 'tile/entries/x001/x234/067')
})

const texts = ['First', 'Second', 'Third']
const salts = [0xa0, 0xb0, 0xc0].map((byte) => Buffer.alloc(32, byte))
const posts = texts.map((text, index) => {
  const at = `2026-11-16T00:00:0${index}Z`
  const post = { id: `p_${index + 1}`, published_at: at, text }
  const value = testKeys.posts.sign(jcs(post)).toString('base64url')
  return { ...post, signature: { alg: 'Ed25519', key_id: testKeys.posts.thumbprint, created_at: at, value } }
})

test('the vector: signatures and commitments', async () => {
  const [, second] = posts
  const signature = second?.signature
  assert.equal(signature?.key_id, 'WeVHjIQTOLKu-P74oC-WL-MNn_sLM5CvrzuMjDFC3-s')
  assert.equal(await thumbprintOf(testKeys.posts.x), signature.key_id)
  const value = 'J14TEB0Nt-ctgOKnV6SejnOsBY0waNgDgiGhHJXUN5KCX7DctaUc-zhNzZsvoq0xn08ziGqzGFrMozJUFz7QAQ'
  const signed = '{"id":"p_2","published_at":"2026-11-16T00:00:01Z","text":"Second"}'
  assert.equal(await isSignedBy(fromBase64Url(testKeys.posts.x), utf8(signed), fromBase64Url(value)), true)
  assert.equal(signature.value, value)
  const commitments = [
    'GBeC1dLHXolSI42qHgPvLj_L8UOmA7e9QsBxfcuOwxU',
    'gubM4H5lIUWHMzfb63jXtc0ltbw5tDoOab57a7EWpyY',
    'T5890IbsFiuFQSY5a4xdxzyMsM8xu_QbWqWiCdYLKGA',
  ]
  for (const [index, post] of posts.entries()) {
    const salt = Uint8Array.from(salts[index] ?? [])
    const commitment = await commitmentOf('posts.example', salt, parseStrictJson(JSON.stringify(post)))
    assert.equal(commitment, commitments[index])
    assert.equal(Buffer.from(committingEntry('post', commitment)).toString(), `{"c":"${commitment}","t":"post","v":1}`)
  }
})

test('the vector: tree, tiles and proofs', async () => {
  const log = new TestLog(logSigner)
  for (const [index, post] of posts.entries()) {
    const commitment = sha256('posts.example/commit/v1\n', salts[index]!, jcs(post)).toString('base64url')
    log.append(jcs({ c: commitment, t: 'post', v: 1 }))
  }
  const leaves = [
    'IOIeyiYeQplYxt7LOuFpU1HWERJZQ7MMk09S1GB5oUU=',
    'intg5NpN10BOBkVTggPKWtEKORZdUibJ94Xp4CsIO28=',
    'KpRXVKz7grQaAwGLMidqbLRVeqd++BsJ9XUsgpQDegk=',
  ]
  const entries = parseEntryBundle(Uint8Array.from(bundleOf(log.entries)), 3)
  assert.deepEqual(await Promise.all(entries.map(async (entry) => toBase64(await hashLeaf(entry)))), leaves)
  const digest = '524b60b4ff7981ef642a893f0f981aff8580ffb8cbe5118764ac89383d8e1f21'
  assert.equal(sha256(log.file('tile/entries/000.p/3') ?? '').toString('hex'), digest)
  const read = async (path: string) => {
    const file = log.file(path)
    return file && Uint8Array.from(file)
  }
  const reader = new TileReader(read, 3n)
  const tree = { size: 3n, root: fromBase64('2t/EhthBZQcmYIMtDTDuJbWIN8xyazo7sxNZHBDkUWc=') }
  assert.deepEqual(await reader.root(), tree.root)
  const two = fromBase64('d11ufMmwkSfLJlBll2AOuBPtByGSalydswJlGivukpI=')
  assert.deepEqual(await reader.root(2n), two)
  const inclusion = await reader.inclusionProof(1n)
  assert.deepEqual(inclusion.map(toBase64), [leaves[0], leaves[2]])
  await checkInclusion(fromBase64(leaves[1]!), 1n, tree, inclusion)
  assert.deepEqual((await reader.consistencyProof(2n)).map(toBase64), [leaves[2]])
  assert.deepEqual((await reader.consistencyProof(1n)).map(toBase64), [leaves[1], leaves[2]])
  await checkConsistency({ size: 2n, root: two }, tree, await reader.consistencyProof(2n))
  await checkConsistency({ size: 1n, root: fromBase64(leaves[0]!) }, tree, await reader.consistencyProof(1n))
  const fork = { size: 3n, root: fromBase64('Fpbu6sXJpKQ8FEeslKIVQBGEoOcY3017okpt+CVI/s0=') }
  await assert.rejects(checkConsistency(tree, fork, []), { code: 'same_size_other_root' })
  await assert.rejects(checkInclusion(fromBase64(leaves[1]!), 0n, tree, inclusion), { code: 'inclusion_wrong' })
})

test('the vector: the verifier key and the checkpoint', async () => {
  const note =
    'posts.example/log\n3\n2t/EhthBZQcmYIMtDTDuJbWIN8xyazo7sxNZHBDkUWc=\n\n' +
    '— posts.example/log 4XGttEhRrg7xh3kq+83JHvizXcomswaZnRRB0ZgXWmViuoxuqyw4ms+Kog554UwrUPcalcay2flilG9q94+Ex7XRBwo=\n'
  const vkey = 'posts.example/log+e171adb4+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'
  assert.equal(vkey, logSigner.vkey)
  const logKey = await parseVerifierKey(vkey)
  assert.equal((await openCheckpoint(note, { origin: 'posts.example/log', logKey })).size, 3n)
})

test('the sample of golang.org/x/mod: a verifier key and a signed note', async () => {
  const key = await parseVerifierKey('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW')
  const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
  const line =
    '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n'
  await checkLogSignature(parseNote(`${text}\n${line}`), key)
  await assert.rejects(checkLogSignature(parseNote(`${text}.\n\n${line}`), key), { code: 'note_signature_wrong' })
})
