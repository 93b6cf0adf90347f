import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  decodeBase64url,
  Ed25519Error,
  privateKeyFromSeed,
  publicBytesOf,
  publicKeyFromBytes,
  signEd25519,
  thumbprintOf,
  verifyEd25519,
} from './ed25519.ts'

const hex = (text: string) => Buffer.from(text, 'hex')

/** RFC 8032, 7.1: seed, public key, message, signature. */
const vectors = [
  [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
].map((vector) => vector.map(hex)) as [Buffer, Buffer, Buffer, Buffer][]

test('the vectors of RFC 8032 sign and verify', () => {
  for (const [seed, key, message, signature] of vectors) {
    const privateKey = privateKeyFromSeed(seed)
    assert.deepEqual(publicBytesOf(privateKey), key)
    assert.deepEqual(publicBytesOf(publicKeyFromBytes(key)), key)
    assert.deepEqual(signEd25519(privateKey, message), signature)
    assert.ok(verifyEd25519(publicKeyFromBytes(key), message, signature))
  }
})

test('a key has the thumbprint of RFC 8037', () => {
  const bytes = decodeBase64url('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')
  assert.equal(thumbprintOf(bytes), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
})

test('an altered message, signature, key or length does not verify', () => {
  for (const [index, [, key, message, signature]] of vectors.entries()) {
    const publicKey = publicKeyFromBytes(key)
    assert.ok(!verifyEd25519(publicKey, Buffer.concat([message, Buffer.of(0)]), signature))
    assert.ok(!verifyEd25519(publicKeyFromBytes(vectors[(index + 1) % 3]?.[1] ?? key), message, signature))
    for (let bit = 0; bit < 512; bit++) {
      const altered = Buffer.from(signature)
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      assert.ok(!verifyEd25519(publicKey, message, altered), `bit ${bit}`)
    }
    for (const length of [0, 63, 65])
      assert.ok(!verifyEd25519(publicKey, message, Buffer.concat([signature, Buffer.of(0)]).subarray(0, length)))
  }
})

test('a signature whose second half is too large by the order of the group does not verify', () => {
  const [, key, message, signature] = vectors[1] ?? assert.fail()
  const order = (1n << 252n) + 27742317777372353535851937790883648493n
  const second = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order
  const enlarged = hex(second.toString(16).padStart(64, '0')).reverse()
  assert.ok(!verifyEd25519(publicKeyFromBytes(key), message, Buffer.concat([signature.subarray(0, 32), enlarged])))
})

/** Points of order 1, 2, 4 and 8, and their second spellings: y above the prime, and the sign of zero. */
const smallOrderKeys = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
]

test('keys of small order, in a second spelling, off the curve or of another length are refused', () => {
  for (const key of smallOrderKeys) assert.throws(() => publicKeyFromBytes(hex(key)), Ed25519Error, key)
  // y = 2 has no x.
  assert.throws(() => publicKeyFromBytes(hex(`02${'00'.repeat(31)}`)), Ed25519Error)
  // y = 3 has one; y = 3 + p is the same point again.
  assert.ok(publicKeyFromBytes(hex(`03${'00'.repeat(31)}`)))
  assert.throws(() => publicKeyFromBytes(hex(`f0${'ff'.repeat(30)}7f`)), Ed25519Error)
  for (const length of [0, 31, 33]) assert.throws(() => publicKeyFromBytes(Buffer.alloc(length, 3)), Ed25519Error)
  assert.throws(() => privateKeyFromSeed(Buffer.alloc(31)), Ed25519Error)
})

test('the key of any generated pair is accepted', () => {
  for (let count = 0; count < 50; count++) {
    const { publicKey } = generateKeyPairSync('ed25519')
    assert.ok(publicKeyFromBytes(publicBytesOf(publicKey)))
  }
})

test('base64url is decoded in one spelling only', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64url')
      assert.deepEqual([...decodeBase64url(text, bytes.length)], [...bytes])
      assert.throws(() => decodeBase64url(text, bytes.length + 1), Ed25519Error)
      for (const other of [`${text}=`, `${text}\n`, ` ${text}`, `${text}*`])
        assert.throws(() => decodeBase64url(other), Ed25519Error)
    }),
  )
  for (const text of ['AB', 'AAB', 'A', '+/8', 'A A', 'AA=='])
    assert.throws(() => decodeBase64url(text), Ed25519Error, text)
})
