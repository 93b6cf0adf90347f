import type { TextPart } from '../../contract/text/text.ts'
import { withoutTopics, wordsOf } from '../../policy/prefilter/words.ts'
import { fold } from '../../text-analysis/fold.ts'
import { hashOf, mix } from '../../text-analysis/hash.ts'

/** What a text resembles, in 40 numbers. All are signed 32-bit integers, as PostgreSQL's `integer` is. */
export type Signature = {
  /** The share of equal values at equal places estimates the share of three-word pieces that two texts have in common. */
  minhash: number[]
  /** Each stands for four consecutive values. Two texts that share one are worth comparing: an index finds them. */
  bands: number[]
  words: number
}

/**
 * The estimate from which two texts count as the same. The share of common pieces (Jaccard) is 0.8 when about one word
 * in thirty was exchanged, as 3 pieces contain each word; of 40 values the estimate then scatters by 0.06. Lower, and
 * two ads from one form that differ in what they offer would count as one; higher, and an exchanged name would hide a
 * copy.
 *
 * Of two texts whose common share is s, at least one of 5 bands of 4 is equal with probability 1 − (1 − s⁴)⁵:
 *
 *   s      0.1     0.2    0.3   0.5   0.7   0.8   0.9     0.95
 *   found  0.05 %  0.8 %  4 %   28 %  75 %  93 %  99.5 %  99.98 %
 *
 * So the index misses few pairs that count, and none of a flood, which has many. More bands would miss fewer, and each
 * is one more random place of a large index to read and to write: 16 made a submission take twice as long with a
 * million signatures.
 */
export const nearDuplicateSimilarity = 0.8

const minhashSize = 40
const bandCount = 5
const bandSize = 4
const shingleSize = 3

/**
 * The signature of all texts but the topics. Case, marks, punctuation and spaces do not
 * matter. Null when there is no word to compare. Linear in the length of the text.
 */
export function signatureOf(parts: readonly TextPart[]): Signature | null {
  const texts = withoutTopics(parts).map(({ text }) => text)
  const words = wordsOf(fold(texts.join('\n')))
  if (words.length === 0) return null
  const minhash = minimaOf(shinglesOf(words))
  return { minhash, bands: bandsOf(minhash), words: words.length }
}

/** The share of equal values, from 0 to 1. */
export function similarity(a: readonly number[], b: readonly number[]): number {
  return a.filter((value, index) => value === b[index]).length / minhashSize
}

/** One number for each three consecutive words; fewer words make one together. */
function shinglesOf(words: readonly string[]): Int32Array {
  const hashes = words.map(hashOf)
  const shingles = new Int32Array(Math.max(1, words.length - shingleSize + 1))
  for (let place = 0; place < shingleSize; place++) {
    for (let index = 0; index < shingles.length; index++) {
      shingles[index] = combine(shingles[index] ?? 0, hashes[index + place] ?? 0)
    }
  }
  return shingles
}

const combine = (hash: number, next: number) => mix(Math.imul(hash, 31) + next)

// Stored signatures depend on these: changing them makes every stored one useless.
const seeds = Int32Array.from({ length: minhashSize }, (_, index) => mix(0x9e3779b9 * (index + 1)))

/** For each of 40 permutations of all numbers, the smallest that a shingle becomes. */
function minimaOf(shingles: Int32Array): number[] {
  return Array.from(seeds, (seed) => {
    let minimum = 0x7fffffff
    for (let index = 0; index < shingles.length; index++) {
      const value = mix((shingles[index] ?? 0) ^ seed)
      if (value < minimum) minimum = value
    }
    return minimum
  })
}

/** The number of the band is part of its hash, so that equal values at other places do not meet. */
function bandsOf(minhash: readonly number[]): number[] {
  return Array.from({ length: bandCount }, (_, band) =>
    minhash.slice(band * bandSize, (band + 1) * bandSize).reduce(combine, band + 1),
  )
}
