import { detectLanguage } from './detect-language.ts'
import type { Language } from './languages.ts'
import { lexemesOf, pairsOf } from './lexemes.ts'
import { splitWords } from './split-words.ts'

/** The weight of a match: A is the highest. */
export type Weight = 'A' | 'B' | 'C' | 'D'

export type WeighedText = { text: string; weight: Weight }

export type SearchVector = {
  /** A tsvector in PostgreSQL syntax. A lexeme contains no character that would end its quotation. */
  words: string
  /** Pairs of adjacent words, as numbers. */
  pairs: number[]
}

/** The gap between two texts, so that no phrase spans both. PostgreSQL positions end at 16,383. */
const gap = 2
const lastPosition = 16_383

/** The texts of one post, prepared for search. */
export function searchVector(texts: readonly WeighedText[], language: Language | null): SearchVector {
  const entries: string[] = []
  const pairs = new Set<number>()
  let position = 0
  for (const { text, weight } of texts) {
    let before: readonly string[] = []
    for (const word of splitWords(text)) {
      const lexemes = lexemesOf(word, language)
      const place = `${Math.min(++position, lastPosition)}${weight}`
      for (const lexeme of lexemes) entries.push(`'${lexeme}':${place}`)
      for (const pair of pairsOf(before, lexemes)) pairs.add(pair)
      before = lexemes
    }
    position += gap
  }
  return { words: entries.join(' '), pairs: [...pairs] }
}

/** The language of the prose. */
export const languageOf = (texts: readonly string[]): Language | null =>
  detectLanguage(texts.flatMap((text) => Array.from(splitWords(text), ({ folded }) => folded)))
