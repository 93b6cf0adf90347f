import { foldWord } from './fold.ts'
import { hashOf } from './hash.ts'
import { type Language, languageNames, languages } from './languages.ts'
import type { Word } from './split-words.ts'

/**
 * The form in which a word is stored and searched. In a known language that is its stem, marked with the language, so
 * that stems of one language never match words of another. A number, or a word in another script, has no stem and is
 * stored unchanged: everyone finds `iPhone` in a Russian post. Accents help to find the stem but may be omitted in a
 * search, so a word with accents is stored both ways: `informações` matches `informação` by the first and `informacoes`
 * by the second.
 */
export function lexemesOf(
  { text, folded }: Pick<Word, 'text' | 'folded'>,
  language: Language | null,
): readonly string[] {
  if (!language || !isWrittenIn(language, folded)) return [folded]
  const known = recent[language]
  const found = known.get(text)
  if (found) return found
  const lexemes = stemsOf(text, folded, language)
  if (known.size >= mostRecent) known.clear()
  if (text.length <= longestRecent) known.set(text, lexemes)
  return lexemes
}

/** Stemming takes most of the time, and most words of a text are common ones. */
const recent = Object.fromEntries(languageNames.map((language) => [language, new Map()])) as Readonly<
  Record<Language, Map<string, readonly string[]>>
>
const mostRecent = 10_000
/** V8 copies words up to this length; a longer one would keep the whole text in memory. */
const longestRecent = 12

function stemsOf(text: string, folded: string, language: Language): readonly string[] {
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
 * Two adjacent words as one number, so that an index can find a phrase: of a million posts, 100,000 have both words of
 * a phrase and a hundred have them next to each other. There are so few numbers that each matches some hundred posts in
 * a million. An index of exact pairs would be four times as large, and false matches are checked anyway.
 */
export const pairOf = (lexeme: string, next: string): number => (hashOf(`${lexeme} ${next}`) >>> 0) % buckets

const buckets = 2 ** 18

/** All pairs of lexemes for two adjacent words. */
export const pairsOf = (lexemes: readonly string[], next: readonly string[]): number[] =>
  lexemes.flatMap((one) => next.map((other) => pairOf(one, other)))
