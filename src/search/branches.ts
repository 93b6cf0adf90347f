import { type Language, languageNames, languages } from '../text-analysis/languages.ts'
import { isWrittenIn, lexemesOf, marked, pairsOf } from '../text-analysis/lexemes.ts'
import type { Word } from '../text-analysis/split-words.ts'
import type { QueryTerm, SearchQuery } from './read-query.ts'

/** What one word may be stored as: one of these, or what begins so. */
export type WordSlot = { lexemes: readonly string[]; beginning: string | null }
/** Slots that follow one another. */
export type Sequence = { slots: readonly WordSlot[]; isExcluded: boolean }
/** What a post of one language must have, or one of none that is known: all of one of these. */
export type Branch = { language: Language | null; alternatives: readonly (readonly Sequence[])[] }

/** Null first, then each language in which the words are other ones, since the stems of each are marked with its name. */
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

/** A post need not have the function words of its language, unless there is nothing else. */
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

/** As it was typed: an ending that belongs to the word must not be taken off its beginning. */
export const prefixOf = ({ folded }: Pick<Word, 'folded'>, language: Language | null): string =>
  language && isWrittenIn(language, folded) ? marked(language, folded) : folded

/** What must be there and must not: looking for it would read every post that has it. */
function contradicts(sequences: readonly Sequence[]): boolean {
  const excluded = new Set(sequences.filter(({ isExcluded }) => isExcluded).map(writeSlots))
  return sequences.some((sequence) => !sequence.isExcluded && excluded.has(writeSlots(sequence)))
}

/**
 * The pairs that a post must have, whatever its language. Only where there is one alternative can that be said of every
 * post; a word that is still being typed makes no pair yet.
 */
export function pairsIn(branches: readonly Branch[]): number[][] {
  if (branches.some(({ alternatives }) => alternatives.length > 1)) return []
  const inEach = branches.map(({ alternatives }) => alternatives.flat().flatMap(pairsOfSequence))
  const most = Math.max(...inEach.map((pairs) => pairs.length))
  // A function word that one language leaves out stands alone and makes no pair, so all have as many.
  return Array.from({ length: most }, (_, index) => [...new Set(inEach.flatMap((pairs) => pairs[index] ?? []))])
}

function pairsOfSequence({ slots, isExcluded }: Sequence): number[][] {
  if (isExcluded) return []
  return slots.slice(1).flatMap((slot, index) => {
    const before = slots[index] as WordSlot
    return slot.beginning ? [] : [pairsOf(before.lexemes, slot.lexemes)]
  })
}

/** As PostgreSQL reads it. A lexeme holds letters, marks, digits and the slash after the language only. */
export const writeBranch = ({ alternatives }: Branch): string =>
  alternatives.map((sequences) => `(${sequences.map(writeSequence).join(' & ')})`).join(' | ')

const writeSequence = (sequence: Sequence): string => `${sequence.isExcluded ? '!' : ''}(${writeSlots(sequence)})`

const writeSlots = ({ slots }: Sequence): string => slots.map(writeSlot).join(' <-> ')

const writeSlot = ({ lexemes, beginning }: WordSlot): string =>
  `(${[...lexemes.map((lexeme) => `'${lexeme}'`), ...(beginning ? [`'${beginning}':*`] : [])].join(' | ')})`
