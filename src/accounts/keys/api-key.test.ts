import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hashApiKey, looksLikeApiKey, newApiKey } from './api-key.ts'

const base62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']

test('a key is bsk_, 43 random characters and a 6-character checksum, and is unique', () => {
  const keys = Array.from({ length: 1_000 }, newApiKey)
  for (const key of keys) {
    assert.match(key, /^bsk_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/)
    assert.ok(looksLikeApiKey(key))
  }
  assert.equal(new Set(keys).size, keys.length)
  const letters = new Set(keys.flatMap((key) => [...key.slice(4, 47)]))
  assert.equal(letters.size, 62, 'every letter of the alphabet is used')
})

test('a key with one wrong character is rejected without a query', () => {
  const character = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...base62) },
    fc.string({ minLength: 1, maxLength: 1 }),
  )
  fc.assert(
    fc.property(fc.nat(52), character, (index, replacement) => {
      const key = newApiKey()
      fc.pre(key[index] !== replacement)
      assert.equal(looksLikeApiKey(key.slice(0, index) + replacement + key.slice(index + 1)), false)
    }),
    { numRuns: 2_000 },
  )
})

test('a key with swapped, added or missing characters is rejected', () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 51 }), fc.constantFrom(...base62), (index, letter) => {
      const key = newApiKey()
      const [before, rest] = [key.slice(0, index), key.slice(index)]
      assert.equal(looksLikeApiKey(before + letter + rest), false)
      assert.equal(looksLikeApiKey(before + rest.slice(1)), false)
      fc.pre(rest[0] !== rest[1])
      assert.equal(looksLikeApiKey(`${before}${rest[1]}${rest[0]}${rest.slice(2)}`), false)
    }),
  )
})

test('other strings are rejected', () => {
  const key = newApiKey()
  for (const text of [
    '',
    'bsk_',
    key.slice(4),
    ` ${key}`,
    `${key}\n`,
    key.toLowerCase(),
    key.replace('bsk_', 'whsec_'),
  ])
    assert.equal(looksLikeApiKey(text), false, JSON.stringify(text))
  fc.assert(fc.property(fc.string(), (text) => !looksLikeApiKey(text)))
})

test('the stored hash is the SHA-256 of the key', () => {
  const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  assert.equal(hashApiKey('abc').toString('hex'), expected)
})
