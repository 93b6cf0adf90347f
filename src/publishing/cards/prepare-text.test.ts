import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { times } from '../../../tooling/test-length.ts'
import { fitText } from './fit-text.ts'
import { replaceUncovered } from './font-coverage.ts'
import { isRightToLeft, lettersOf, prepareText } from './prepare-text.ts'
import { breakLines, cutLine, piecesOf } from './text-pieces.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc
    .array(fc.constantFrom('a ', 'W', '字', 'ـلا', 'e\u0301\u0302\u0303\u0304\u0305', '👩‍👩‍👧‍👦', '\u202e', '(', '。'))
    .map((parts) => parts.join('')),
)
const numRuns = times({ whole: 2_000, short: 300 })

test('no text has controls, direction marks or towers of marks afterwards, or more letters than allowed', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = prepareText(text, 50)
      assert.ok(lettersOf(shown).length <= 51)
      assert.doesNotMatch(shown, /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]|\p{M}{5}|\s\s|^\s|\s$/u)
    }),
    { numRuns },
  )
})

test('a text keeps its words, joined emoji and direction, and loses what only disturbs', () => {
  const cases: [written: string, shown: string][] = [
    ['One\n\ntwo\tthree ', 'One two three'],
    ['Family 👩‍👩‍👧‍👦 and flag 🇵🇹', 'Family 👩‍👩‍👧‍👦 and flag 🇵🇹'],
    ['abc\u202edef\u202c', 'abcdef'],
    ['𝗕𝗼𝗹𝗱 𝒾𝓉', 'Bold it'],
    ['a\u200bb\u00adc\ufeff', 'abc'],
    ['نص ١٢', 'نص ١٢'],
    ['\u3164\u2800', ''],
    ['one \ue000 two', 'one two'],
    ['\ud800!', '!'],
    ['ကြို့', 'ကြို့'],
  ]
  for (const [written, shown] of cases) assert.equal(prepareText(written, 100), shown)
  assert.equal(prepareText('x'.repeat(100_000), 5), 'xxxxx…')
  assert.equal(prepareText('👩‍👩‍👧‍👦'.repeat(20), 2), '👩‍👩‍👧‍👦👩‍👩‍👧‍👦…')
  assert.deepEqual(['(12) שלום', 'مرحبا', 'hello שלום', ''].map(isRightToLeft), [true, true, false, false])
})

test('a sign stays with its word, and an opening bracket with the next one', () => {
  assert.deepEqual(piecesOf('Wait, (all) 「日本」!'), ['Wait,', ' ', '(all)', ' ', '「日本」!'])
  fc.assert(
    fc.property(anyText, (text) => assert.equal(piecesOf(text).join(''), text)),
    { numRuns },
  )
})

/** Every letter is as wide as it is high. */
const ruler = (text: string, size: number) => ({
  width: lettersOf(text).length * size,
  ascent: size * 0.8,
  descent: size * 0.2,
})

test('every text fits into its room', () => {
  const room = { width: 1_000, height: 350, largest: 200, smallest: 30 }
  fc.assert(
    fc.property(anyText, (text) => {
      const { lines, height } = fitText(prepareText(text, 500), room, ruler)
      assert.ok(height <= room.height)
      for (const line of lines) assert.ok(ruler(line.text, line.size).width <= room.width)
    }),
    { numRuns },
  )
})

test('a long text is cut with an ellipsis, and a short one has large lines of different sizes', () => {
  const room = { width: 1_000, height: 350, largest: 200, smallest: 30 }
  assert.match(fitText('word '.repeat(300), room, ruler).lines.at(-1)?.text ?? '', /…$/)
  const { lines } = fitText('The ferry sails again', room, ruler)
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['The ferry', 'sails again'],
  )
  assert.ok(Number(lines[0]?.size) > Number(lines[1]?.size) && Number(lines[1]?.size) > 64)
})

test('lines break at spaces first, and a cut line is no wider than allowed', () => {
  const pieces = piecesOf('aa bb cc').map((text) => ({ text, width: text.length }))
  assert.deepEqual(
    breakLines(pieces, 5).map(({ text }) => text),
    ['aa bb', 'cc'],
  )
  assert.equal(
    cutLine('abcdef', 4, (text) => text.length),
    'abc…',
  )
})

test('letters that no font has become boxes, and a text that would be all boxes is not shown', () => {
  const isLatin = (codePoint: number) => codePoint < 0x250
  assert.equal(replaceUncovered('Ten cats 猫', isLatin), 'Ten cats □')
  assert.equal(replaceUncovered('猫と犬', isLatin), undefined)
  assert.equal(replaceUncovered('', isLatin), '')
})
