import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Language } from './languages.ts'
import { lexemesOf, pairOf } from './lexemes.ts'
import { searchVector } from './search-vector.ts'
import { splitWords } from './split-words.ts'

const wordsIn = (text: string) => Array.from(splitWords(text), (word) => word.text)
const lexemes = (text: string, language: Language | null) =>
  Array.from(splitWords(text), (word) => lexemesOf(word, language)).flat()

test('words are letters, marks and digits; apostrophes and hyphens separate them', () => {
  assert.deepEqual(wordsIn('It’s the A380, state-of-the-art!'), ['It', 's', 'the', 'A380', 'state', 'of', 'the', 'art'])
  assert.deepEqual(wordsIn('l’eau d’été'), ['l', 'eau', 'd', 'été'])
})

test('in scripts without spaces each character is a word, with its marks', () => {
  assert.deepEqual(wordsIn('東京タワー2階'), ['東', '京', 'タ', 'ワ', 'ー', '2', '階'])
  assert.deepEqual(wordsIn('ที่นี่'), ['ที่', 'นี่'])
})

test('a word of a known language becomes its marked stem; other words are only folded', () => {
  assert.deepEqual(lexemes('Ferries', 'en'), ['en/ferri'])
  assert.deepEqual(lexemes('Ferries', null), ['ferries'])
  assert.deepEqual(lexemes('CAFÉ', null), ['cafe'])
})

test('a word with accents matches its other forms and its spelling without them', () => {
  const meet = (one: string, other: string, language: 'pt' | 'fr' | 'de') =>
    lexemes(one, language).some((lexeme) => lexemes(other, language).includes(lexeme))
  assert.ok(meet('informações', 'informação', 'pt'))
  assert.ok(meet('informações', 'informacoes', 'pt'))
  assert.ok(meet('élèves', 'eleve', 'fr'))
  assert.ok(meet('Fahrräder', 'fahrrad', 'de'))
})

test('words in another script and numbers are unchanged', () => {
  assert.deepEqual(lexemes('Книга iPhone 15', 'ru'), ['ru/книг', 'iphone', '15'])
  assert.deepEqual(lexemes('Trains to 東京', 'en'), ['en/train', 'en/to', '東', '京'])
})

test('marks without a letter are not words, and a word contains only letters, marks and digits', () => {
  assert.deepEqual(wordsIn('❤️ \u0301 ⚠️'), [])
  assert.deepEqual(lexemes('⑴ ﷺ ͺ', null), ['1', 'صلىاللهعليهوسلم'])
  const longest = Math.max(...lexemes(`${'ﷺ'.repeat(64)} a${'𐌰'.repeat(80)}`, null).map((word) => [...word].length))
  assert.equal(longest, 64)
})

test('positions continue from text to text with a gap, and have the weight of their text', () => {
  const texts = [
    { text: 'Night bus', weight: 'A' as const },
    { text: 'stop', weight: 'D' as const },
  ]
  assert.equal(searchVector(texts, null).words, "'night':1A 'bus':2A 'stop':5D")
})

test('adjacent words make pairs, within one text and in this order', () => {
  const pairs = (...texts: string[]) =>
    searchVector(
      texts.map((text) => ({ text, weight: 'D' })),
      'en',
    ).pairs
  assert.deepEqual(pairs('Night trams'), [pairOf('en/night', 'en/tram')])
  assert.notDeepEqual(pairs('bus night'), pairs('night bus'))
  assert.deepEqual(pairs('night', 'bus'), [])
  assert.equal(pairs('a b a b').length, 2)
})

test('no text breaks out of its quotation marks, and no position exceeds PostgreSQL’s limit', () => {
  const long = 'word '.repeat(20_000)
  assert.match(searchVector([{ text: long, weight: 'D' }], null).words, /:16383D$/)
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('en' as const, 'ru' as const, null),
      (text, language) => {
        assert.match(searchVector([{ text, weight: 'D' }], language).words, /^(?:'[\p{L}\p{M}\p{N}/]*':\d+D(?: |$))*$/u)
      },
    ),
  )
})
