import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { isPlaceholder } from './sensitive-data/placeholder.ts'

test('a placeholder from documentation is recognised', () => {
  const shown = 'EXAMPLEKEY1a2B yourTokenHere9 xxxxxxxx aaaaBBBB 0000000000 a1b2-123456 qWabcdefZ4 FAKE1x9Q redacted7Q2'
  for (const text of shown.split(' ')) assert.ok(isPlaceholder(text), text)
})

test('fewer than one in a thousand random keys is mistaken for a placeholder', () => {
  const keys = Array.from({ length: 20_000 }, () => randomBytes(30).toString('base64url'))
  assert.ok(keys.filter(isPlaceholder).length < 20)
})
