import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assertCheap } from '../../../test/support/cost.ts'
import { countCodePoints, findHiddenCharacter, normalizeText } from './text.ts'

const allowed: Record<string, string> = {
  'an empty text': '',
  'lines and tabs': 'one\ttwo\n\nthree',
  'accents, fullwidth spaces and private symbols': 'café\u00A0\u3000\uE000',
  'right-to-left text without controls': 'שלום עולם، مرحبا',
  'a family': '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
  'a couple with skin tones': '\u{1F469}\u{1F3FD}\u200D\u{1F91D}\u200D\u{1F468}\u{1F3FF}',
  'a kiss without its emoji selector': '\u{1F469}\u200D\u2764\u200D\u{1F48B}\u200D\u{1F468}',
  'a shrug without its emoji selector': '\u{1F937}\u200D\u2642',
  'an astronaut with one selector too many': '\u{1F9D1}\uFE0F\u200D\u{1F680}',
  'two sequences in a row': '\u{1F937}\u200D\u2642\uFE0F\u{1F3F3}\uFE0F\u200D\u{1F308}',
  'the flag of Wales': '\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}',
  'a heart in emoji and in text style': '\u2764\uFE0F \u2764\uFE0E \u00A9\uFE0F',
  'a keycap': '1\uFE0F\u20E3',
  'Persian, inside a word': '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645',
  'Persian, an ending after Latin letters and digits': 'PDF\u200C\u0647\u0627 20\u200C\u0633\u0627\u0644\u0647',
  'Persian, the end of a word': '\u0647\u200D.\u0634 \u0645\u06CC\u200C \u062E',
  'Hindi, a half form': '\u0915\u094D\u200D\u0937',
  'Sinhala, a conjunct': '\u0DC1\u0DCA\u200D\u0DBB\u0DD3',
  'Malayalam, a chillu at the end of a word': '\u0D05\u0D35\u0D28\u0D4D\u200D ',
  'Bengali, ya-phalaa after ra': '\u09B0\u200D\u09CD\u09AF',
  'Khmer, a word boundary': '\u1797\u17B6\u179F\u17B6\u200B\u1781\u17D2\u1798\u17C2\u179A',
  'Mongolian, a variant and a vowel separator': '\u1820\u180B \u1830\u1822\u1837\u180E\u1820',
  'a variant of an ideograph': '\u845B\u{E0100} \u845B\uFE00',
  'thirty marks': `a${'\u0323'.repeat(30)}`,
}

const refused: [text: string, position: number, codePoint: string, name: string][] = [
  ['ab\u202Ec', 2, 'U+202E', 'a bidirectional control'],
  ['שלום\u200F', 4, 'U+200F', 'a bidirectional control'],
  ['\u2066a', 0, 'U+2066', 'a bidirectional control'],
  ['ab\u200Bc', 2, 'U+200B', 'a zero-width character'],
  ['fr\u200Cee', 2, 'U+200C', 'a zero-width character'],
  ['\uFEFFa', 0, 'U+FEFF', 'a zero-width character'],
  ['a\u2060', 1, 'U+2060', 'a zero-width character'],
  ['co\u00ADop', 2, 'U+00AD', 'an invisible character'],
  ['a\u034Fb', 1, 'U+034F', 'an invisible character'],
  ['a\u3164', 1, 'U+3164', 'an invisible character'],
  ['2\u2062x', 1, 'U+2062', 'an invisible character'],
  ['hi\u{E0068}\u{E0069}', 2, 'U+E0068', 'a tag character'],
  ['a\u{E0001}', 1, 'U+E0001', 'a tag character'],
  ['a\uFE0F', 1, 'U+FE0F', 'a variation selector'],
  ['4\uFE0F1', 1, 'U+FE0F', 'a variation selector'],
  ['a\u{E0100}', 1, 'U+E0100', 'a variation selector'],
  ['a\u0000', 1, 'U+0000', 'a control character'],
  ['a\u001B[0m', 1, 'U+001B', 'a control character'],
  ['a\u009B', 1, 'U+009B', 'a control character'],
  ['a\rb', 1, 'U+000D', 'a line break'],
  ['a\u0085', 1, 'U+0085', 'a line break'],
  ['a\u2028b', 1, 'U+2028', 'a line break'],
  ['a\uFFF9b', 1, 'U+FFF9', 'an annotation character'],
  ['a\uFFFE', 1, 'U+FFFE', 'a noncharacter'],
  ['a\u{1FFFF}', 1, 'U+1FFFF', 'a noncharacter'],
  ['\uFDD0', 0, 'U+FDD0', 'a noncharacter'],
  ['a\uD83D', 1, 'U+D83D', 'a lone surrogate'],
  ['\u{1F600}\uDE00', 1, 'U+DE00', 'a lone surrogate'],
  [`a${'\u0323'.repeat(31)}`, 31, 'U+0323', 'one combining mark too many'],
]

const nearMisses: Record<string, [text: string, position: number]> = {
  'two joiners in a row': ['\u0645\u06CC\u200C\u200C\u062E', 3],
  'a joiner before the first letter of a word': [' \u200C\u0645', 1],
  'a joiner after an emoji with nothing to join': ['\u{1F468}\u200Da', 1],
  'a sequence of emoji that does not exist': ['\u{1F600}\u200D\u{1F600}', 1],
  'a family and an unrelated emoji': ['\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F600}', 5],
  'a second style': ['\u2764\uFE0F\uFE0E', 2],
  'a flag that does not exist': ['\u{1F3F4}\u{E0075}\u{E0073}\u{E0074}\u{E0078}\u{E007F}', 1],
  'tags after a flag': ['\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}\u{E0041}', 7],
  'a second variant of an ideograph': ['\u845B\u{E0100}\u{E0101}', 2],
  'a Mongolian selector after Latin': ['a\u180B', 1],
  'a joiner after a Mongolian selector': ['\u1820\u180B\u200D', 2],
  'a pile of marks on a keycap': [`1\uFE0F\u20E3${'\u0323'.repeat(30)}`, 32],
  'a word boundary between Latin words': ['one\u200Btwo', 3],
}

describe('hidden characters', () => {
  for (const [title, text] of Object.entries(allowed)) {
    test(`${title}: allowed`, () => assert.equal(findHiddenCharacter(text), null))
  }
  for (const [text, position, codePoint, name] of refused) {
    test(`${codePoint} is rejected as ${name}`, () =>
      assert.deepEqual(findHiddenCharacter(text), { position, codePoint, name }))
  }
  for (const [title, [text, position]] of Object.entries(nearMisses)) {
    test(`${title}: rejected`, () => assert.equal(findHiddenCharacter(text)?.position, position))
  }

  test('a single line allows no line breaks or tabs', () => {
    const oneLine = true
    assert.deepEqual(findHiddenCharacter('a\nb', { oneLine }), {
      position: 1,
      codePoint: 'U+000A',
      name: 'a line break',
    })
    assert.deepEqual(findHiddenCharacter('\ta', { oneLine }), { position: 0, codePoint: 'U+0009', name: 'a tab' })
    assert.equal(findHiddenCharacter('one line', { oneLine }), null)
  })

  test('the first of several hidden characters is reported', () => {
    assert.equal(findHiddenCharacter('a\u200Bb\u202E')?.codePoint, 'U+200B')
  })

  test('any text of letters and spaces is allowed', () => {
    fc.assert(fc.property(plainText, (text) => findHiddenCharacter(text, { oneLine: true }) === null))
  })

  test('a hidden character is found at any position', () => {
    fc.assert(
      fc.property(latinText, hiddenCharacter, fc.nat(), (text, hidden, seed) => {
        const characters = Array.from(text)
        const position = seed % (characters.length + 1)
        const found = findHiddenCharacter(characters.toSpliced(position, 0, hidden).join(''))
        assert.equal(found?.position, position)
        assert.equal(Number.parseInt(found.codePoint.slice(2), 16), hidden.codePointAt(0))
      }),
      { numRuns: 2_000 },
    )
  })

  test('no string causes an exception, and every position is inside the text', () => {
    fc.assert(
      fc.property(anyString, fc.boolean(), (text, oneLine) => {
        const found = findHiddenCharacter(text, { oneLine })
        return found === null || Array.from(text)[found.position] !== undefined
      }),
    )
  })
})

describe('normalization', () => {
  test('line breaks become LF and letters NFC', () => {
    assert.equal(normalizeText('a\r\nb\rc\n\r\nd'), 'a\nb\nc\n\nd')
    assert.equal(normalizeText('e\u0301'), '\u00E9')
  })

  test('normalization is idempotent', () => {
    fc.assert(fc.property(anyString, (text) => normalizeText(normalizeText(text)) === normalizeText(text)))
  })

  test('every allowed text is NFC', () => {
    fc.assert(
      fc.property(anyString, (text) => {
        const stored = normalizeText(text)
        return findHiddenCharacter(stored) !== null || stored === stored.normalize('NFC')
      }),
    )
  })

  test('code points are counted, not UTF-16 units', () => {
    assert.equal(countCodePoints('a\u{1F600}\uD83D'), 3)
    assert.equal(countCodePoints(''), 0)
  })
})

test('checking 256 KiB of adversarial text takes little more time than reading it', () => {
  const worst = [
    'a',
    '1',
    '\n',
    '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
    '\u2764\uFE0F',
    '\u0645\u200C',
    '\u1820\u180B',
  ]
  const marks = ['\u0315\u0323', `a${'\u0315'.repeat(15)}${'\u0323'.repeat(15)}`]
  for (const unit of [...worst, ...marks]) {
    const text = `${unit.repeat(Math.floor(262_144 / Buffer.byteLength(unit)))}\u202E`
    assertCheap(() => findHiddenCharacter(normalizeText(text)), 1.5, JSON.stringify(unit))
  }
})

const anyString = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit))).map((units) => units.join('')),
  fc
    .array(
      fc.constantFrom(
        '\u200D',
        '\uFE0F',
        '\u{1F468}',
        '\u{1F467}',
        '\u0645',
        '\u0344',
        '\u0315'.repeat(20),
        '\u0323',
        '1\uFE0F\u20E3',
        '\r',
      ),
    )
    .map((parts) => parts.join('')),
)
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((value) => String.fromCodePoint(value))
const plainText = fc
  .array(anyCharacter.filter((character) => /^[[\p{L} ]--\p{Default_Ignorable_Code_Point}]$/v.test(character)))
  .map((characters) => characters.join(''))
const latinText = fc.string({ unit: fc.constantFrom(...'abcdefghij KLMNOP éß 0123456789\n\t') })
const hiddenCharacter = fc.oneof(
  fc.constantFrom(
    ...'\u200B\u200C\u200D\u200E\u200F\u202A\u202E\u2060\u2066\u2069\uFEFF\u00AD\u034F\u061C\u115F\u3164\u180E',
  ),
  fc.constantFrom(...'\u0000\u0007\u001B\u007F\u0080\u009F\u2028\u2029\uFFF9\uFFFA\uFFFB\uFFFF\uFE00\uFE0E\uFE0F'),
  fc.constantFrom('\uD800', '\uDFFF', '\u{E0001}', '\u{E0020}', '\u{E007F}', '\u{E0100}', '\u{E01EF}', '\u{10FFFF}'),
)
