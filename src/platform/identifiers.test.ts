import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { identifier } from '../contract/fields.ts'
import { type IdPrefix, newId } from './identifiers.ts'

const prefixes: IdPrefix[] = ['post', 'acct', 'key', 'wh', 'evt', 'rep', 'txn']
const millisecond = fc.integer({ min: 0, max: 2 ** 48 - 1 })

/** The 128 bits behind the characters. */
function bitsOf(id: string): bigint {
  const letters = id.slice(id.indexOf('_') + 1)
  return [...letters].reduce(
    (bits, letter) => (bits << 5n) | BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(letter)),
    0n,
  )
}

const isIdentifier = (prefix: IdPrefix, text: string) => identifier(prefix, '').safeParse(text).success

test('an identifier is a prefix and 26 unambiguous characters', () => {
  fc.assert(
    fc.property(fc.constantFrom(...prefixes), millisecond, (prefix, ms) => {
      const id = newId(prefix, new Date(ms))
      assert.ok(isIdentifier(prefix, id), 'the contract knows what is made here')
      assert.equal(id.length, prefix.length + 1 + 26)
      assert.doesNotMatch(id.slice(prefix.length), /[ilou]/)
    }),
  )
})

test('identifiers sort by time, as text', () => {
  fc.assert(
    fc.property(millisecond, millisecond, (one, other) => {
      fc.pre(one !== other)
      const [earlier, later] = [Math.min(one, other), Math.max(one, other)]
      assert.ok(newId('post', new Date(earlier)) < newId('post', new Date(later)))
    }),
  )
})

test('the characters encode a UUIDv7: its time, version and variant', () => {
  fc.assert(
    fc.property(millisecond, (ms) => {
      const bits = bitsOf(newId('acct', new Date(ms)))
      assert.ok(bits < 1n << 128n)
      assert.equal(Number(bits >> 80n), ms)
      assert.equal((bits >> 76n) & 0xfn, 7n)
      assert.equal((bits >> 62n) & 0b11n, 0b10n)
    }),
  )
})

test('identifiers of the same millisecond differ', () => {
  const at = new Date('2026-11-15T12:00:00Z')
  assert.equal(new Set(Array.from({ length: 5_000 }, () => newId('txn', at))).size, 5_000)
})

test('the pattern rejects other prefixes, lengths and characters', () => {
  const id = newId('key', new Date('2026-11-15T12:00:00Z'))
  const letters = id.slice(4)
  for (const wrong of [
    `acct_${letters}`,
    `${id}0`,
    id.slice(0, -1),
    id.toUpperCase(),
    `key_8${letters.slice(1)}`,
    `${id}\n`,
  ])
    assert.ok(!isIdentifier('key', wrong), wrong)
  for (const letter of 'ilou') assert.ok(!isIdentifier('key', `key_0${letter}${letters.slice(2)}`), letter)
})
