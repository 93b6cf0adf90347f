import { foldWord } from './fold.ts'
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
