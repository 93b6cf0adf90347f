import { detectLanguage } from './detect-language.ts'
import type { Language } from './languages.ts'
import { lexemesOf, pairsOf } from './lexemes.ts'
import { splitWords } from './split-words.ts'

/** How much a match counts: A the most. */
export type Weight = 'A' | 'B' | 'C' | 'D'

export type WeighedText = { text: string; weight: Weight }

export type SearchVector = {
  /** A tsvector, written as PostgreSQL reads it. A lexeme holds nothing that would end its quotation. */
  words: string
  /** Which words stand side by side, as numbers. */
  pairs: number[]
}

/** Between two texts, so that no phrase runs from one into the next. PostgreSQL counts no further than 16,383. */
const gap = 2
const lastPosition = 16_383

/** The texts of one post as search finds them. */
export function searchVector(texts: readonly WeighedText[], language: Language | null): SearchVector {
  const entries: string[] = []
  const pairs = new Set<number>()
  let position = 0
  for (const { text, weight } of texts) {
    let before: string[] = []
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

/** The language of texts that were written as prose. */
export const languageOf = (texts: readonly string[]): Language | null =>
  detectLanguage(texts.flatMap((text) => Array.from(splitWords(text), ({ folded }) => folded)))
