import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertCheap } from '../../test/support/cost.ts'
import { highlighter } from './highlight.ts'
import { readQuery } from './read-query.ts'

/** The highlighted pieces, cut by code points as an API client would do it. */
function marked(q: string, text: string, language: 'en' | 'fr' | null = 'en', isTyped = false) {
  const points = [...text]
  return highlighter(readQuery(q, { isTyped }))(['text'], { text }, language).map(({ start, end }) =>
    points.slice(start, end).join(''),
  )
}

test('every form of a word is highlighted, and no other word', () => {
  assert.deepEqual(marked('ferry', 'Ferries! The FERRY, ferrous, a ferry’s crew.'), ['Ferries', 'FERRY', 'ferry'])
  assert.deepEqual(marked('ferry', 'Ferries and a ferry', null), ['ferry'])
  assert.deepEqual(marked('eleve', 'L’élève et les élèves', 'fr'), ['élève', 'élèves'])
})

test('offsets count code points', () => {
  assert.deepEqual(marked('ferry', '🚢🚢 e\u0301 ferry 𝒳 ferry'), ['ferry', 'ferry'])
})

test('a phrase is highlighted only as a whole; an excluded word never', () => {
  assert.deepEqual(marked('"night bus"', 'The bus at night is a night bus.'), ['night bus'])
  assert.deepEqual(marked('night "night bus"', 'A night bus at night.'), ['night bus', 'night'])
  assert.deepEqual(marked('bus -night', 'A night bus.'), ['bus'])
  assert.deepEqual(marked('東京', '今日の東京は晴れ、京都は雨', null), ['東京'])
})

test('an incomplete word highlights words with that prefix', () => {
  assert.deepEqual(marked('fer', 'Ferries and ferns, no fear', 'en', true), ['Ferries', 'ferns'])
  assert.deepEqual(marked('running', 'He runs on the runway, running', 'en', true), ['runs', 'running'])
})

test('fields that are not plain text are skipped, and the number of highlights is limited', () => {
  const query = readQuery('cat', { isTyped: false })
  assert.deepEqual(highlighter(query)(['topics', 'body'], { topics: ['cat'], timezone: 'cat', body: 'dog' }, 'en'), [])
  assert.equal(highlighter(query)(['body'], { body: 'cat '.repeat(1_000) }, 'en').length, 50)
})

test('the longest posts are highlighted quickly, even if every word starts like a search term', () => {
  const words = Array.from({ length: 2_500 }, (_, index) => `при${index.toString(36)}вет`)
  const query = readQuery(Array.from({ length: 16 }, (_, index) => `пр${index}ивет`).join(' or '), { isTyped: false })
  const marks = highlighter(query)
  const markAll = () => {
    for (let post = 0; post < 50; post++) marks(['body'], { body: `${words.join(' ')} ${post}` }, 'ru')
  }
  assertCheap(markAll, 40, 'fifty posts')
})

test('ranges are inside their text, in order, separate and not empty', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', minLength: 1 }), (text, q) => {
      let last = -1
      for (const { start, end } of highlighter(readQuery(q, { isTyped: true }))(['text'], { text }, 'en')) {
        assert.ok(start > last && end > start && end <= [...text].length)
        last = end - 1
      }
    }),
  )
})
