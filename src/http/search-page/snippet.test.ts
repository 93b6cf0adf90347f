import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hostileText } from '../../../test/support/posts/hostile-text.ts'
import { markedWhole, snippet } from './snippet.ts'

/** The visible text and its marked parts. */
const seen = (markup: string) => unescaped(markup.replaceAll(/<\/?mark>/g, ''))
const marksOf = (markup: string) =>
  [...markup.matchAll(/<mark>([^<]*)<\/mark>/g)].map(([, text = '']) => unescaped(text))
const unescaped = (text: string) =>
  text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))

const rangeOf = (text: string, word: string) => {
  const start = [...text.slice(0, text.indexOf(word))].length
  return { start, end: start + [...word].length }
}

test('a short text is shown in full, with its marks', () => {
  const text = '🚢 The ferry & the <b>tram</b>'
  const shown = snippet(text, [rangeOf(text, 'ferry'), rangeOf(text, '<b>tram')], 240)
  assert.equal(seen(shown), text)
  assert.deepEqual(marksOf(shown), ['ferry', '<b>tram'])
  assert.equal(markedWhole(text, [rangeOf(text, 'ferry'), rangeOf(text, '<b>tram')]), shown)
})

test('a long text is cut between words around the first mark', () => {
  const text = `${'alpha beta gamma '.repeat(40)}ferry ${'delta epsilon zeta '.repeat(40)}`
  const shown = snippet(text, [rangeOf(text, 'ferry')], 240)
  assert.match(seen(shown), /^… (alpha|beta|gamma) /)
  assert.match(seen(shown), / (delta|epsilon|zeta) …$/)
  assert.deepEqual(marksOf(shown), ['ferry'])
  assert.ok([...seen(shown)].length <= 244)
})

test('without a mark the beginning is shown; near the end, the rest of the text', () => {
  const text = 'word '.repeat(200)
  assert.match(seen(snippet(text, [], 100)), /^word .*word …$/)
  const last = `${'word '.repeat(200)}ferry`
  assert.match(seen(snippet(last, [rangeOf(last, 'ferry')], 100)), /^… word .*word ferry$/)
  assert.ok(seen(snippet(last, [rangeOf(last, 'ferry')], 100)).length > 90)
})

test('a script without spaces is cut between letters, never inside one', () => {
  const text = `${'é'.normalize('NFD').repeat(300)}東京${'é'.normalize('NFD').repeat(300)}`
  const shown = seen(snippet(text, [rangeOf(text, '東京')], 100))
  assert.match(shown, /^… e\u0301.*東京.*e\u0301 …$/u)
})

test('for any text, marks are the only markup, and the visible text comes from the input', () => {
  const ranges = fc
    .array(fc.tuple(fc.nat(300), fc.nat(20)), { maxLength: 5 })
    .map((pairs) =>
      pairs
        .map(([start, length]) => ({ start, end: start + length }))
        .toSorted((one, other) => one.start - other.start),
    )
  fc.assert(
    fc.property(hostileText, ranges, fc.integer({ min: 1, max: 300 }), (text, marks, max) => {
      const shown = snippet(text, marks, max)
      assert.doesNotMatch(shown.replaceAll(/<\/?mark>/g, ''), /[<>"']/)
      assert.ok(text.replaceAll(/\s/g, ' ').includes(seen(shown).replace(/^… /, '').replace(/ …$/, '')))
    }),
  )
})
