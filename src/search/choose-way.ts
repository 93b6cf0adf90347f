import type { Branch, Sequence, WordSlot } from './branches.ts'
import { shareBeginningWith, shareOf, type WordStatistics } from './word-statistics.ts'

/** index: all that match, by the index of words, then the newest of them. newest: the newest posts, until enough match. */
export type SearchPath = 'index' | 'newest'

/** What each step costs, in microseconds, as measured with a million posts that are in memory. */
const costs = {
  /** One post in the index's list of a word. */
  listed: 0.25,
  /** One post that the index leads to. */
  found: 1.6,
  /** One post on the way from the newest to the oldest. */
  passed: 1.2,
}

/** In how many lists the index looks a post up for the price of reading one place of a list. */
const skipping = 30

/** Of a facet's list less is read, as the words lead through it. */
const facetReading = 0.2

/** Posts of a kind or a place come in swarms, so the way from the newest may be many times as long as if they did not. */
const swarming = 8

/** Of posts that have two words, so many have them side by side: more than by chance, as words are chosen for each other. */
const sideBySide = 0.1

/** What comes along by chance with a pair of words: the posts of one number, in each of a dozen languages. */
const pairedByChance = 4_000

/**
 * Which way costs less. Left to itself, PostgreSQL takes each of the dozen forms of a word for a rare one that exists,
 * and for a word that hardly any post has it reads all posts from the newest to the oldest.
 */
export function chooseWay(
  branches: readonly Branch[],
  facets: readonly string[],
  wanted: number,
  known: WordStatistics,
): SearchPath {
  const narrowing = facets.map((facet) => shareOf(known.facets, facet))
  const conjunctions = branches
    .flatMap(({ alternatives }) => alternatives)
    .map((sequences) => conjunctionOf(sequences, narrowing, known))
  const sumOf = (value: (one: Conjunction) => number) => conjunctions.reduce((sum, one) => sum + value(one), 0)
  const found = Math.min(sumOf(expected), 1) * known.entries
  const byIndex = sumOf(readFor) * known.entries * costs.listed + found * costs.found
  const detour = facets.length > 0 ? swarming : 1
  const passed = found > 0 ? Math.min((wanted / found) * known.entries * detour, known.entries) : known.entries
  return passed * costs.passed < byIndex ? 'newest' : 'index'
}

/** What must all be there: the share of the posts that have each, and how many pairs must stand side by side. */
type Conjunction = { shares: readonly number[]; narrowing: readonly number[]; pairs: number; pairShare: number }

/** What is excluded says little. */
function conjunctionOf(sequences: readonly Sequence[], narrowing: readonly number[], known: WordStatistics) {
  const wanted = sequences.filter(({ isExcluded }) => !isExcluded)
  return {
    shares: wanted.flatMap(({ slots }) => slots.map((slot) => shareOfSlot(slot, known))),
    narrowing,
    pairs: wanted.reduce((sum, { slots }) => sum + slots.length - 1, 0),
    pairShare: pairedByChance / Math.max(known.entries, pairedByChance),
  }
}

/** Which part of all posts that is, as if words met by chance. */
const expected = ({ shares, narrowing, pairs }: Conjunction): number =>
  [...shares, ...narrowing].reduce((product, share) => product * share, sideBySide ** pairs)

/** Which part of all posts the lists of the index make: long ones are skipped through by the shortest. */
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
