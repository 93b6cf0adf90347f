import { splitWords, type Word } from '../text-analysis/split-words.ts'

/** One thing to look for. Of several words, as in a quotation or in `state-of-the-art`, each follows the one before. */
export type QueryTerm = {
  words: readonly Word[]
  isExcluded: boolean
  /** It was put in quotation marks: nothing of it is left out. */
  isQuoted: boolean
  /** The last word may be the beginning of one. */
  isBeginning: boolean
}

/** What a post must have: all terms of one of these. */
export type SearchQuery = readonly (readonly QueryTerm[])[]

/** More would make one search cost as much as many. */
export const maxWords = 32

/**
 * Reads words, "phrases", -exclusions and `or`, which binds less than standing side by side, as in PostgreSQL's
 * websearch_to_tsquery. With `isTyped`, a last word that is still being written may go on.
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

/** A beginning of two letters is that of half the language. */
const shortestBeginning = 3

/** Why the query cannot be looked for, in words that go after its name; null when it can. */
export function queryFault(query: SearchQuery): string | null {
  const count = query.flat().reduce((sum, { words }) => sum + words.length, 0)
  if (count > maxWords) return `must have at most ${maxWords} words, and has ${count}`
  const hasWords = query.length > 0 && query.every((terms) => terms.some(({ isExcluded }) => !isExcluded))
  return hasWords ? null : 'must have a word to look for, on each side of an or; what only excludes finds nothing'
}
