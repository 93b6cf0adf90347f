import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { isPlaceholder } from './sensitive-data/placeholder.ts'

test('what a document shows in the place of a key is a placeholder', () => {
  const shown = 'EXAMPLEKEY1a2B yourTokenHere9 xxxxxxxx aaaaBBBB 0000000000 a1b2-123456 qWabcdefZ4 FAKE1x9Q redacted7Q2'
  for (const text of shown.split(' ')) assert.ok(isPlaceholder(text), text)
})

test('of random keys, less than one in a thousand is taken for one', () => {
  const keys = Array.from({ length: 20_000 }, () => randomBytes(30).toString('base64url'))
  assert.ok(keys.filter(isPlaceholder).length < 20)
})
