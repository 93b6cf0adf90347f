import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstLine } from './first-lines.ts'

const family = '👩‍👩‍👧‍👦'

test('a short text is shown in full, on one line', () => {
  assert.equal(firstLine(' One\n\ntwo\u2028three\t four '), 'One two three four')
  assert.equal(firstLine(''), '')
})

test('a longer text is cut between graphemes', () => {
  assert.equal(firstLine('abcdef', 4), 'abc…')
  assert.equal(firstLine(family.repeat(6), 4), `${family.repeat(3)}…`)
  assert.equal(firstLine('e\u0301'.repeat(6), 4), `${'e\u0301'.repeat(3)}…`)
  assert.equal(firstLine('🇩🇪🇫🇷🇮🇹🇪🇸🇵🇹', 4), '🇩🇪🇫🇷🇮🇹…')
})

test('a text whose reading stopped within a grapheme does not end in half of it', () => {
  const read = [...family.repeat(100)].slice(0, 400).join('')
  assert.equal(firstLine(read), `${family.repeat(57)}…`)
})
