import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyCategoryIds } from '../../src/policy/policy.ts'
import { readTestWords, type Wish } from './test-words.ts'

const none: Wish = { review: false, slow: false }

const rows: [text: string, wish: Wish][] = [
  ['An ordinary message.', none],
  ['please verdict-review this', { ...none, review: true }],
  ['VERDICT-REVIEW!', { ...none, review: true }],
  ['verdict-slow', { ...none, slow: true }],
  ['(verdict-low-quality)', { ...none, category: 'low_quality' }],
  ['verdict-reject-spam.', { ...none, category: 'spam' }],
  ['verdict-reject-sexual', { ...none, category: 'sexual' }],
  ['verdict-reject-sexual-minors', { ...none, category: 'sexual_minors' }],
  ['verdict-slow and verdict-reject-self_harm', { ...none, category: 'self_harm', slow: true }],
  ['verdict-reject-spammy verdict-reviewed my-verdict-review verdict-review-2 verdict-reject-', none],
  ['verdict-reject-nonsense', none],
]

for (const [text, wish] of rows) test(`'${text}' is read`, () => assert.deepEqual(readTestWords(text), wish))

test('test words name every category, with underscores or hyphens', () => {
  for (const category of policyCategoryIds)
    for (const spelt of [category, category.replaceAll('_', '-'), category.toUpperCase()])
      assert.equal(readTestWords(`so: verdict-reject-${spelt}`).category, category, spelt)
})
