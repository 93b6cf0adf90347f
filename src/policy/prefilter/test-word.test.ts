import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyCategoryIds } from '../category.ts'
import { findTestWord } from './test-word.ts'

const asked = (text: string) => findTestWord([{ field: 'text', text }])?.category ?? null

test('the test word of each category is obeyed, with underscores and with hyphens', () => {
  for (const category of policyCategoryIds) {
    assert.equal(asked(`prefilter-refuse-${category}`), category)
    assert.equal(asked(`Please try prefilter-refuse-${category.replaceAll('_', '-')}.`), category)
    assert.equal(asked(`"PREFILTER-REFUSE-${category.toUpperCase()}"`), category)
  }
})

test('words that only look like a test word are not obeyed', () => {
  const others = [
    'prefilter-refuse-',
    'prefilter-refuse-nothing',
    'prefilter-refuse-spammer',
    'prefilter-refuse-low',
    'prefilter refuse spam',
    'xprefilter-refuse-spam',
    'prefilter-refusespam',
    'verdict-reject-spam',
  ]
  for (const text of others) assert.equal(asked(text), null, text)
})

test('the field that contains it is named', () => {
  const parts = [
    { field: 'title', text: 'A title' },
    { field: 'topics/1', text: 'prefilter-refuse-self-harm' },
  ]
  assert.deepEqual(findTestWord(parts), { field: 'topics/1', category: 'self_harm' })
})
