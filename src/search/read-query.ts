import { splitWords, type Word } from '../text-analysis/split-words.ts'

/** One search term. The words of a phrase, or of `state-of-the-art`, must be consecutive. */
export type QueryTerm = {
  words: readonly Word[]
  isExcluded: boolean
  /** The term was in quotation marks: no word of it is left out. */
  isQuoted: boolean
  /** The last word can be a prefix. */
  isBeginning: boolean
}

/** A post must match all terms of one alternative. */
export type SearchQuery = readonly (readonly QueryTerm[])[]

/** Beyond this, one search would cost as much as many. */
export const maxWords = 32

/**
 * Parses words, "phrases", -exclusions and `or`, which binds less tightly than adjacent words, as in PostgreSQL's
 * websearch_to_tsquery. With `isTyped`, the last word can be a prefix.
 */
export function readQuery(text: string, { isTyped }: { isTyped: boolean }): SearchQuery {
  const alternatives: QueryTerm[][] = [[]]
  for (const piece of text.matchAll(pieces)) {
    if (isOr(piece[0])) alternatives.push([])
    else {
      const isLast = piece.index + piece[0].length === text.length
      const term = readTerm(piece.groups ?? {}, isTyped && isLast)
      if (term.words.length > 0) alternatives.at(-1)?.push(term)
    }
  }
  return alternatives.filter((terms) => terms.length > 0)
}

const pieces = /(?<minus>-?)["“”„](?<quoted>[^"“”„]*)["“”„]?|(?<not>-?)(?<plain>[^\s"“”„]+)/g

const isOr = (piece: string) => /^(?:or|\|)$/i.test(piece)

type Groups = { [name: string]: string | undefined }

function readTerm({ minus, quoted, not, plain = '' }: Groups, mayGoOn: boolean): QueryTerm {
  const words = [...splitWords(quoted ?? plain)]
  const isExcluded = Boolean(minus || not)
  const isQuoted = quoted !== undefined
  const isLongEnough = (words.at(-1)?.folded.length ?? 0) >= shortestBeginning
  return { words, isExcluded, isQuoted, isBeginning: mayGoOn && !isQuoted && !isExcluded && isLongEnough }
}

/** Half of all words could start with the same two letters. */
const shortestBeginning = 3

/** Why the query is not valid, phrased to follow its name; null if it is valid. */
export function queryFault(query: SearchQuery): string | null {
  const count = query.flat().reduce((sum, { words }) => sum + words.length, 0)
  if (count > maxWords) return `must have at most ${maxWords} words, but has ${count}`
  const hasWords = query.length > 0 && query.every((terms) => terms.some(({ isExcluded }) => !isExcluded))
  return hasWords
    ? null
    : 'must have a word to search for, and one on each side of an “or”; words after “-” are only excluded'
}
