import { hashOf } from '../../../../src/text-analysis/hash.ts'
import { lexiconNames, measureWords } from './lexicon.ts'

/** A sparse vector: the indexes of its buckets and their values. */
export type Sparse = { buckets: Uint32Array; values: Float32Array }

/** One byte of weight for each bucket and category, with a scale for each category. */
export type NgramModel = {
  bits: number
  outputs: number
  weights: Int8Array
  scales: Float32Array
  biases: Float32Array
}

/** More words add little information, and one long post would block the thread. */
const mostWords = 600

/**
 * Hashes the words, word pairs and character n-grams of three to five letters within words, and adds the lexicon's
 * numbers.
 */
export function hashNgrams(text: string, bits: number, lexicon = measureWords(text)): Sparse {
  const mask = (1 << bits) - 1
  const words = new Map<number, number>()
  const pieces = new Map<number, number>()
  const add = (counts: Map<number, number>, name: string) => {
    const bucket = hashOf(name) & mask
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
  }
  let previous = '^'
  for (const token of tokensOf(text)) {
    const word = token.replaceAll(/(.)\1{2,}/gu, '$1$1')
    add(words, `w:${word}`)
    add(words, `b:${previous} ${word}`)
    previous = word
    if (!word.startsWith('_')) addPieces(word, (piece) => add(pieces, piece))
  }
  const entries = [...scaled(words, 1), ...scaled(pieces, pieceShare)]
  lexiconNames.forEach((name, index) => {
    const value = lexicon[index] ?? 0
    if (value > 0) entries.push([hashOf(`x:${name}`) & mask, lexiconShare * value])
  })
  return {
    buckets: Uint32Array.from(entries, ([bucket]) => bucket),
    values: Float32Array.from(entries, ([, value]) => value),
  }
}

const pieceShare = 0.7
const lexiconShare = 0.3

function tokensOf(text: string): string[] {
  const plain = text
    .replaceAll(/https?:\/\/\S+|www\.\S+|\[URL\]/gi, ' _url_ ')
    .replaceAll(/[\w.+-]+@[\w-]+\.[\w.]+/g, ' _mail_ ')
    .replaceAll(/(^|\s)@\w+|\[USER\]/g, '$1 _user_ ')
    .replaceAll(/\+?\d[\d\s().-]{7,}\d/g, ' _phone_ ')
    .replaceAll(/[$£€]\s?\d[\d.,]*/g, ' _money_ ')
    .replaceAll(/\d{5,}/g, ' _number_ ')
    .toLowerCase()
  return (plain.match(/_[a-z]+_|[\p{L}\p{M}\p{N}']+|[!?$%#*]+|\p{Extended_Pictographic}/gu) ?? []).slice(0, mostWords)
}

function addPieces(word: string, add: (piece: string) => void): void {
  const framed = `<${word.slice(0, 40)}>`
  for (let length = 3; length <= 5; length++)
    for (let start = 0; start + length <= framed.length; start++) add(`c:${framed.slice(start, start + length)}`)
}

/**
 * Takes the logarithm of the counts and scales the vector to the length `share`, so that long texts do not outweigh
 * short ones.
 */
function scaled(counts: Map<number, number>, share: number): [number, number][] {
  let squares = 0
  for (const count of counts.values()) squares += (1 + Math.log(count)) ** 2
  const length = Math.sqrt(squares) || 1
  return [...counts].map(([bucket, count]) => [bucket, (share * (1 + Math.log(count))) / length])
}

/** The model's output for a text: one number for each category, before calibration. */
export function ngramLogits(model: NgramModel, features: Sparse): Float64Array {
  const { outputs, weights, scales, biases } = model
  const sums = new Float64Array(outputs)
  features.buckets.forEach((bucket, index) => {
    const value = features.values[index] ?? 0
    const start = bucket * outputs
    for (let output = 0; output < outputs; output++)
      sums[output] = (sums[output] ?? 0) + (weights[start + output] ?? 0) * value
  })
  return sums.map((sum, output) => sum * (scales[output] ?? 0) + (biases[output] ?? 0))
}
