import { foldWord } from './fold.ts'
import { hashOf } from './hash.ts'
import { type Language, languages } from './languages.ts'
import type { Word } from './split-words.ts'

/**
 * What a word is stored and looked for as. In a known language that is its stem, marked with the language, so that the
 * stems of one never meet the words of another. A word in other letters than the language's, or a number, has no stem
 * there and stands as it is: `iPhone` in a Russian post is found by everyone. Accents help to find the stem and may be
 * left out in a search, so a word that has some is stored both ways: `informações` meets `informação` by the first and
 * `informacoes` by the second.
 */
export function lexemesOf({ text, folded }: Pick<Word, 'text' | 'folded'>, language: Language | null): string[] {
  if (!language || !isWrittenIn(language, folded)) return [folded]
  const { stem } = languages[language]
  const written = text.toLowerCase()
  const byFolded = marked(language, stem(folded) || folded)
  if (written === folded) return [byFolded]
  const byWritten = marked(language, foldWord(stem(written)) || folded)
  return byWritten === byFolded ? [byFolded] : [byWritten, byFolded]
}

export const marked = (language: Language, lexeme: string): string => `${language}/${lexeme}`

export const isWrittenIn = (language: Language, folded: string): boolean => languages[language].letters.test(folded)

/**
 * Two words side by side as one number, so that an index leads to a phrase: of a million posts, 100,000 have both words
 * of a phrase and a hundred have them side by side. So few numbers that each has some hundred posts of a million: an
 * index of true pairs would be four times as large, and what comes along by chance is looked at anyway.
 */
export const pairOf = (lexeme: string, next: string): number => (hashOf(`${lexeme} ${next}`) >>> 0) % buckets

const buckets = 2 ** 18

/** Every way in which words with these lexemes may stand side by side. */
export const pairsOf = (lexemes: readonly string[], next: readonly string[]): number[] =>
  lexemes.flatMap((one) => next.map((other) => pairOf(one, other)))
