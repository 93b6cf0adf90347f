import { hashOf } from './hash.ts'

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
