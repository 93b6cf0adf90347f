import { type Language, languageNames, languages } from '../text-analysis/languages.ts'
import { isWrittenIn, lexemesOf, marked, pairsOf } from '../text-analysis/lexemes.ts'
import type { Word } from '../text-analysis/split-words.ts'
import type { QueryTerm, SearchQuery } from './read-query.ts'

/** The lexemes that match one word: any of these, or any that start with the prefix. */
export type WordSlot = { lexemes: readonly string[]; beginning: string | null }
/** Consecutive slots. */
export type Sequence = { slots: readonly WordSlot[]; isExcluded: boolean }
/** The condition for posts in one language, or without a known one: all terms of at least one alternative. */
export type Branch = { language: Language | null; alternatives: readonly (readonly Sequence[])[] }

/** Null first, then each language that changes the words: the stems of a language are tagged with its name. */
export function branchesOf(query: SearchQuery): Branch[] {
  const hasStems = (language: Language) =>
    query.flat().some(({ words }) => words.some(({ folded }) => isWrittenIn(language, folded)))
  return [null, ...languageNames.filter(hasStems)].map((language) => ({
    language,
    alternatives: query
      .map((terms) => insistedOn(terms, language).map((term) => sequenceOf(term, language)))
      .filter((sequences) => !contradicts(sequences)),
  }))
}

/** A post need not contain the function words of its language, unless the query has nothing else. */
function insistedOn(terms: readonly QueryTerm[], language: Language | null): readonly QueryTerm[] {
  const kept = terms.filter((term) => !isFunctionWord(term, language))
  return kept.some(({ isExcluded }) => !isExcluded) ? kept : terms
}

function isFunctionWord({ words, isQuoted, isExcluded }: QueryTerm, language: Language | null): boolean {
  const [word] = words
  if (!language || isQuoted || isExcluded || words.length > 1 || word === undefined) return false
  return languages[language].functionWords.has(word.folded)
}

const sequenceOf = ({ words, isExcluded, isBeginning }: QueryTerm, language: Language | null): Sequence => ({
  isExcluded,
  slots: words.map((word, index) => ({
    lexemes: lexemesOf(word, language),
    beginning: isBeginning && index === words.length - 1 ? prefixOf(word, language) : null,
  })),
})

/** Unstemmed: an ending that is part of the word must not be removed from a prefix. */
export const prefixOf = ({ folded }: Pick<Word, 'folded'>, language: Language | null): string =>
  language && isWrittenIn(language, folded) ? marked(language, folded) : folded

/** A term that is both required and excluded matches nothing; searching for it would read every post that has it. */
function contradicts(sequences: readonly Sequence[]): boolean {
  const excluded = new Set(sequences.filter(({ isExcluded }) => isExcluded).map(writeSlots))
  return sequences.some((sequence) => !sequence.isExcluded && excluded.has(writeSlots(sequence)))
}

/**
 * The word pairs that a post must have in any language. They apply to every post only if there is a single alternative.
 * A word that is still being typed forms no pair.
 */
export function pairsIn(branches: readonly Branch[]): number[][] {
  if (branches.some(({ alternatives }) => alternatives.length > 1)) return []
  const inEach = branches.map(({ alternatives }) => alternatives.flat().flatMap(pairsOfSequence))
  const most = Math.max(...inEach.map((pairs) => pairs.length))
  // A function word that one language omits stays unpaired, so all languages have the same number of pairs.
  return Array.from({ length: most }, (_, index) => [...new Set(inEach.flatMap((pairs) => pairs[index] ?? []))])
}

function pairsOfSequence({ slots, isExcluded }: Sequence): number[][] {
  if (isExcluded) return []
  return slots.slice(1).flatMap((slot, index) => {
    const before = slots[index] as WordSlot
    return slot.beginning ? [] : [pairsOf(before.lexemes, slot.lexemes)]
  })
}

/** As a PostgreSQL tsquery. A lexeme has only letters, marks, digits and the slash after the language. */
export const writeBranch = ({ alternatives }: Branch): string =>
  alternatives.map((sequences) => `(${sequences.map(writeSequence).join(' & ')})`).join(' | ')

const writeSequence = (sequence: Sequence): string => `${sequence.isExcluded ? '!' : ''}(${writeSlots(sequence)})`

const writeSlots = ({ slots }: Sequence): string => slots.map(writeSlot).join(' <-> ')

const writeSlot = ({ lexemes, beginning }: WordSlot): string =>
  `(${[...lexemes.map((lexeme) => `'${lexeme}'`), ...(beginning ? [`'${beginning}':*`] : [])].join(' | ')})`
