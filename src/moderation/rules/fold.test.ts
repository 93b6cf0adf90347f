import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCheap } from '../../../test/support/cost.ts'
import { foldedTexts, foldWords } from './fold.ts'

const disguises: [name: string, text: string][] = [
  ['case', 'SEND your Password'],
  ['width', 'ｓｅｎｄ　ｙｏｕｒ　ｐａｓｓｗｏｒｄ'],
  ['accents', 'sénd yöur pàsswörd'],
  ['marks set on each letter', [...'send your password'].map((letter) => `${letter}\u0336`).join('')],
  ['digits and signs', '53nd y0ur p@$$w0rd'],
  ['Cyrillic letters', 'sеnd yоur рasswоrd'],
  ['hidden characters', 's\u200Bend yo\u2060ur pass\u00ADword'],
  ['letters set apart', 's e n d  y-o-u-r  p.a.s.s.w.o.r.d'],
  ['mathematical letters', '𝓼𝓮𝓷𝓭 𝔂𝓸𝓾𝓻 𝓹𝓪𝓼𝓼𝔀𝓸𝓻𝓭'],
]

for (const [name, text] of disguises)
  test(`folding takes off ${name}`, () => assert.deepEqual(foldedTexts(text), ['send', 'your', 'password']))

test('what is no disguise stays as it is', () => {
  assert.deepEqual(foldedTexts('At 9, for $20: bring 2 or 3.'), ['at', '9', 'for', '20', 'bring', '2', 'or', '3'])
  assert.deepEqual(foldedTexts('Привет, мир'), ['привет', 'мир'])
  assert.deepEqual(foldedTexts("don’t, won't"), ['dont', 'wont'])
  assert.deepEqual(foldedTexts('the constructor and its toString'), ['the', 'constructor', 'and', 'its', 'tostring'])
  assert.deepEqual(foldedTexts('a b c'), ['a', 'b', 'c'])
})

test('a word knows how long the quotation around it is', () => {
  const quoted = (text: string) => foldWords(text).map((word) => word.quoted)
  assert.deepEqual(quoted('he said "go away" twice'), [0, 0, 2, 2, 0])
  assert.deepEqual(quoted('«un deux» „eins“ “one two three”'), [2, 2, 1, 3, 3, 3])
  assert.deepEqual(quoted('a 6" pipe\n\nand more'), [0, 0, 0, 0, 0])
})

test('folding takes linear time on piles of marks, long words and rows of letters', () => {
  const size = 400_000
  const texts = [
    'a\u0301'.repeat(size / 2),
    '\u0301'.repeat(size),
    'a'.repeat(size),
    'a '.repeat(size / 2),
    '"'.repeat(size),
  ]
  for (const text of texts) assertCheap(() => foldWords(text), 40, `${text.slice(0, 4)}…`)
})
