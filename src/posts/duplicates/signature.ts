import type { TextPart } from '../../contract/text/text.ts'
import { withoutTopics, wordsOf } from '../../policy/prefilter/words.ts'
import { fold } from '../../text-analysis/fold.ts'
import { hashOf, mix } from '../../text-analysis/hash.ts'

/** A similarity fingerprint of a text, in 40 numbers. All are signed 32-bit integers, like PostgreSQL's `integer`. */
export type Signature = {
  /**
   * The share of equal values at equal positions estimates the share of three-word shingles that two texts have in
   * common.
   */
  minhash: number[]
  /** Each band hashes four consecutive values. Two texts that share a band are compared: an index finds them. */
  bands: number[]
  words: number
}

/**
 * The estimated similarity from which two texts count as duplicates. The share of common shingles (Jaccard) is 0.8 when
 * about one word in thirty was replaced, because each word is in 3 shingles. With 40 values, the standard deviation of
 * the estimate is then 0.06. A lower threshold would merge two ads from one template with different offers; with a
 * higher one, replacing a name would hide a copy.
 *
 * Two texts with similarity s share at least one of 5 bands of 4 values with probability 1 − (1 − s⁴)⁵:
 *
 *   s      0.1     0.2    0.3   0.5   0.7   0.8   0.9     0.95
 *   found  0.05 %  0.8 %  4 %   28 %  75 %  93 %  99.5 %  99.98 %
 *
 * So the index misses few duplicate pairs, and no flood, which has many pairs. More bands would miss fewer, but each
 * band adds a random read and write in a large index: with a million signatures, 16 bands doubled the time of a
 * submission.
 */
export const nearDuplicateSimilarity = 0.8

const minhashSize = 40
const bandCount = 5
const bandSize = 4
const shingleSize = 3

/**
 * The signature of all texts except the topics. Ignores case, marks, punctuation and spaces. Null if the text has no
 * words. Linear in the length of the text.
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

/** One number per three consecutive words. A text with fewer words gets one number. */
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

// Stored signatures depend on these constants: changing them invalidates every stored signature.
const seeds = Int32Array.from({ length: minhashSize }, (_, index) => mix(0x9e3779b9 * (index + 1)))

/** For each of 40 permutations, the smallest value of any shingle. */
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

/** The band's number is part of its hash, so that equal values in different bands do not collide. */
function bandsOf(minhash: readonly number[]): number[] {
  return Array.from({ length: bandCount }, (_, band) =>
    minhash.slice(band * bandSize, (band + 1) * bandSize).reduce(combine, band + 1),
  )
}
