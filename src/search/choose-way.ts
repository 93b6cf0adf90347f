import type { Branch, Sequence, WordSlot } from './branches.ts'
import { shareBeginningWith, shareOf, type WordStatistics } from './word-statistics.ts'

/**
 * index: finds all matches with the word index, then sorts by date. newest: scans the newest posts until enough match.
 */
export type SearchPath = 'index' | 'newest'

/** The cost of each step in microseconds, measured with a million posts in memory. */
const costs = {
  /** One entry in the index list of a word. */
  listed: 0.25,
  /** One post that the index finds. */
  found: 1.6,
  /** One post in the scan from newest to oldest. */
  passed: 1.2,
}

/** How many lists the index can check for one post at the cost of reading one list entry. */
const skipping = 30

/** Less of a facet's list is read, because the words skip through it. */
const facetReading = 0.2

/** Posts of one kind or place come in clusters, so the scan can be many times longer than with an even distribution. */
const swarming = 8

/**
 * The share of posts with two words that have them side by side: more than by chance, as related words appear together.
 */
const sideBySide = 0.1

/** False matches of a word pair: the posts with the same hash, in each of a dozen languages. */
const pairedByChance = 4_000

type Wanted = {
  facets: readonly string[]
  /** How many matches are enough. */
  count: number
}

/**
 * Picks the cheaper plan. PostgreSQL alone treats each of the dozen forms of a word as a rare word that exists; for a word
 * that hardly any post has, it would scan all posts from newest to oldest.
 */
export function chooseWay(branches: readonly Branch[], wanted: Wanted, known: WordStatistics): SearchPath {
  const narrowing = wanted.facets.map((facet) => shareOf(known.facets, facet))
  const total = known.entries
  const conjunctions = branches
    .flatMap(({ alternatives }) => alternatives)
    .map((sequences) => conjunctionOf(sequences, narrowing, known, total))
  const sumOf = (value: (one: Conjunction) => number) => conjunctions.reduce((sum, one) => sum + value(one), 0)
  const foundShare = Math.min(sumOf(expected), 1)
  /** How many entries have enough matches, if they are evenly distributed. */
  const needed = foundShare > 0 ? wanted.count / foundShare : Number.POSITIVE_INFINITY
  const byIndex = total * (sumOf(readFor) * costs.listed + foundShare * costs.found)
  const detour = wanted.facets.length > 0 ? swarming : 1
  const passed = Math.min(needed * detour, total)
  return passed * costs.passed >= byIndex ? 'index' : 'newest'
}

/** The required terms: for each, the share of posts that contain it; and how many pairs must be adjacent. */
type Conjunction = { shares: readonly number[]; narrowing: readonly number[]; pairs: number; pairShare: number }

/** Exclusions hardly change the estimate. */
function conjunctionOf(
  sequences: readonly Sequence[],
  narrowing: readonly number[],
  known: WordStatistics,
  total: number,
): Conjunction {
  const wanted = sequences.filter(({ isExcluded }) => !isExcluded)
  return {
    shares: wanted.flatMap(({ slots }) => slots.map((slot) => shareOfSlot(slot, known))),
    narrowing,
    pairs: wanted.reduce((sum, { slots }) => sum + slots.length - 1, 0),
    pairShare: pairedByChance / Math.max(total, pairedByChance),
  }
}

/** The share of all posts that match, assuming that words are independent. */
const expected = ({ shares, narrowing, pairs }: Conjunction): number =>
  [...shares, ...narrowing].reduce((product, share) => product * share, sideBySide ** pairs)

/** The share of all posts in the index lists that are read: the shortest list skips through the long ones. */
function readFor({ shares, narrowing, pairs, pairShare }: Conjunction): number {
  const lists = pairs > 0 ? [...shares, pairShare] : shares
  const shortest = Math.min(...lists, ...narrowing)
  const read = (sum: number, share: number) => sum + Math.min(share, shortest * skipping)
  return lists.reduce(read, 0) + narrowing.reduce(read, 0) * facetReading
}

function shareOfSlot({ lexemes, beginning }: WordSlot, { words }: WordStatistics): number {
  const begun = beginning ? shareBeginningWith(words, beginning) : 0
  return Math.min(
    lexemes.reduce((sum, lexeme) => sum + shareOf(words, lexeme), begun),
    1,
  )
}
