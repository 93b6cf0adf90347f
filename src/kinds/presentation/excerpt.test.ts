import assert from 'node:assert/strict'
import { test } from 'node:test'
import { excerpt } from './excerpt.ts'

test('a short text is shown in full, on one line', () => {
  assert.equal(excerpt(' One\n\ntwo\tthree. ', 20), 'One two three.')
})

test('a longer text ends after a word, without trailing punctuation', () => {
  assert.equal(excerpt('One two, three four', 12), 'One two…')
  assert.equal(excerpt('It rained. Then it stopped.', 12), 'It rained…')
})

test('an excerpt never exceeds the requested length', () => {
  for (const text of ['a'.repeat(50), 'ab '.repeat(20), '潮'.repeat(50), '🌊'.repeat(50)])
    assert.ok([...excerpt(text, 20)].length <= 20, text)
})

test('a letter keeps its marks unless they exceed the length', () => {
  assert.equal(excerpt(`${'a'.repeat(8)}e\u0301xyz`, 10), `${'a'.repeat(8)}…`)
  assert.equal([...excerpt(`a${'\u0301'.repeat(500)}`, 10)].length, 10)
})
