import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertCheap } from '../../test/support/cost.ts'
import { highlighter } from './highlight.ts'
import { readQuery } from './read-query.ts'

/** The marked pieces, cut out by code points as a reader of the answer would. */
function marked(q: string, text: string, language: 'en' | 'fr' | null = 'en', isTyped = false) {
  const points = [...text]
  return highlighter(readQuery(q, { isTyped }))(['text'], { text }, language).map(({ start, end }) =>
    points.slice(start, end).join(''),
  )
}

test('every form of a word is marked, and no other word', () => {
  assert.deepEqual(marked('ferry', 'Ferries! The FERRY, ferrous, a ferry’s crew.'), ['Ferries', 'FERRY', 'ferry'])
  assert.deepEqual(marked('ferry', 'Ferries and a ferry', null), ['ferry'])
  assert.deepEqual(marked('eleve', 'L’élève et les élèves', 'fr'), ['élève', 'élèves'])
})

test('offsets count code points, whatever stands before', () => {
  assert.deepEqual(marked('ferry', '🚢🚢 e\u0301 ferry 𝒳 ferry'), ['ferry', 'ferry'])
})

test('a phrase is marked as a whole and only where it stands as one; an excluded word never', () => {
  assert.deepEqual(marked('"night bus"', 'The bus at night is a night bus.'), ['night bus'])
  assert.deepEqual(marked('night "night bus"', 'A night bus at night.'), ['night bus', 'night'])
  assert.deepEqual(marked('bus -night', 'A night bus.'), ['bus'])
  assert.deepEqual(marked('東京', '今日の東京は晴れ、京都は雨', null), ['東京'])
})

test('an unfinished word marks what begins with it', () => {
  assert.deepEqual(marked('fer', 'Ferries and ferns, no fear', 'en', true), ['Ferries', 'ferns'])
  assert.deepEqual(marked('running', 'He runs on the runway, running', 'en', true), ['runs', 'running'])
})

test('members that are no plain texts are left alone, and there is an end to it', () => {
  const query = readQuery('cat', { isTyped: false })
  assert.deepEqual(highlighter(query)(['topics', 'body'], { topics: ['cat'], timezone: 'cat', body: 'dog' }, 'en'), [])
  assert.equal(highlighter(query)(['body'], { body: 'cat '.repeat(1_000) }, 'en').length, 50)
})

test('the longest posts are marked in no time, also when every word begins like one that is looked for', () => {
  const words = Array.from({ length: 2_500 }, (_, index) => `при${index.toString(36)}вет`)
  const query = readQuery(Array.from({ length: 16 }, (_, index) => `пр${index}ивет`).join(' or '), { isTyped: false })
  const marks = highlighter(query)
  const markAll = () => {
    for (let post = 0; post < 50; post++) marks(['body'], { body: `${words.join(' ')} ${post}` }, 'ru')
  }
  assertCheap(markAll, 40, 'fifty posts')
})

test('ranges lie within their text, in order, apart and not empty', () => {
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
