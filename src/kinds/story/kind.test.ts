import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusals } from '../../../test/support/http/refusals.ts'
import { story } from './kind.ts'
import { countRoughly, countWords } from './word-count.ts'

const prose = (words: number) => Array(words).fill('word').join(' ')
const fine = { title: 'A title', body: prose(200), topics: ['fiction'] }
const withBody = (body: unknown) => ({ ...fine, body })

test('words are counted by UAX #29, in any language', () => {
  const counted: [text: string, words: number][] = [
    ['', 0],
    ['  — … !? 👋 \n\n', 0],
    ['One, two;three', 3],
    ["don't can’t", 2],
    ['3.14 and 1,000', 3],
    ['e-mail', 2],
    ['我喜欢读书', 3],
    ['ฉันรักภาษาไทย', 4],
    ['これは本です', 4],
    ['Señora Amparo señaló', 3],
  ]
  for (const [text, words] of counted) assert.deepEqual([countWords(text), countRoughly(text)], [words, words], text)
})

test('a story has 150 to 2,500 words', () => {
  for (const words of [150, 151, 2_499, 2_500]) assert.deepEqual(refusals(story.body, withBody(prose(words))), [])
  assert.deepEqual(refusals(story.body, withBody(prose(149))), ['#/body must have 150 to 2,500 words, but has 149'])
  assert.deepEqual(refusals(story.body, withBody(prose(2_501))), ['#/body must have 150 to 2,500 words, but has 2,501'])
  assert.deepEqual(refusals(story.body, withBody('')), ['#/body must have 150 to 2,500 words, but has 0'])
  assert.deepEqual(refusals(story.body, withBody(undefined)), ['#/body is required'])
})

test('a story also has a character limit, far above the length that 2,500 words need', () => {
  const longest = `${prose(150)}${'!'.repeat(40_000 - prose(150).length)}`
  assert.deepEqual(refusals(story.body, withBody(longest)), [])
  assert.deepEqual(refusals(story.body, withBody(`${longest}!`)), [
    '#/body must have 0 to 40000 characters, but has 40001',
  ])
})

test('invisible characters and a wrong length are both reported', () => {
  assert.deepEqual(refusals(story.body, withBody('one\u200Btwo')), [
    '#/body has a zero-width character (U+200B) at position 3; remove it',
    '#/body must have 150 to 2,500 words, but has 2',
  ])
})

test('a title is one line of 3 to 120 characters', () => {
  for (const title of ['abc', '題名だ', 'x'.repeat(120)]) assert.deepEqual(refusals(story.body, { ...fine, title }), [])
  for (const title of ['ab', 'x'.repeat(121)])
    assert.deepEqual(refusals(story.body, { ...fine, title }), [
      `#/title must have 3 to 120 characters, but has ${title.length}`,
    ])
  assert.deepEqual(refusals(story.body, { ...fine, title: 'two\nlines' }), [
    '#/title has a line break (U+000A) at position 3; remove it',
  ])
  assert.deepEqual(refusals(story.body, { ...fine, title: '    ' }), ['#/title must not be blank'])
})

test('a story has no location', () => {
  assert.deepEqual(refusals(story.body, { ...fine, location: { country: 'PT' } }), ['#/location is not recognized'])
})

test('a story is found by topic only and never expires', () => {
  const body = story.body.parse(fine)
  assert.deepEqual(
    story.texts(body).map(({ field }) => field),
    ['title', 'body', 'topics'],
  )
  assert.deepEqual(story.facets(body), { topics: ['fiction'] })
  assert.deepEqual(Object.keys(story.filters), ['topic'])
  assert.deepEqual(story.chargedLinks(story.body.parse(withBody(`${prose(150)} https://a.example`))), [])
  assert.equal(story.visibleUntil(body, new Date('2026-11-15')), null)
  assert.equal(story.priceMicros, 100_000)
})
