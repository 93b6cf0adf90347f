import { embeddingSize } from '../encoder/embedding-size.ts'
import type { Sparse } from '../features/ngrams.ts'

/**
 * Estimates whether a text violates any rule: kernel ridge regression trained on posts like ours, while the categories
 * were trained on public datasets. Similar posts in embedding space count through a Gaussian kernel; n-grams, word
 * lists, concepts and category sums count through weights.
 */
export type KernelModel = {
  /** The width of the Gaussian: how fast a post's influence decreases with distance. */
  gamma: number
  /** The vectors of the training posts, concatenated, each of length 1. */
  centres: Float32Array
  /** The weight of each training post. */
  alphas: Float32Array
  ngramBits: number
  ngramWeights: Float32Array
  denseWeights: Float32Array
  bias: number
}

/** The model's input for one part of a text. `nearness` is the kernel's value for the embedding. */
export type KernelInputs = { nearness: number; ngrams: Sparse; dense: Float32Array }

/** The score of one part. Above zero, the text resembles posts that violate a rule. */
export function kernelScore(model: KernelModel, { nearness, ngrams, dense }: KernelInputs): number {
  const { ngramWeights, denseWeights } = model
  let sum = model.bias + nearness
  for (let index = 0; index < denseWeights.length; index++)
    sum += (denseWeights[index] as number) * (dense[index] as number)
  for (let index = 0; index < ngrams.buckets.length; index++)
    sum += (ngramWeights[ngrams.buckets[index] as number] as number) * (ngrams.values[index] as number)
  return sum
}

/** The Gaussian part of the score. The server computes it in ONNX Runtime (`compare.ts`), ten times as fast. */
export function nearnessOf({ alphas, centres, gamma }: KernelModel, embedding: Float32Array): number {
  let sum = 0
  for (let centre = 0; centre < alphas.length; centre++) {
    const likeness = dotAt(centres, centre * embeddingSize, embedding)
    // Both have length 1, so their squared distance is 2 − 2 × similarity.
    sum += (alphas[centre] as number) * Math.exp(2 * gamma * (likeness - 1))
  }
  return sum
}

/** Four parallel sums let the CPU pipeline the additions. */
function dotAt(rows: Float32Array, start: number, vector: Float32Array): number {
  let [one, two, three, four] = [0, 0, 0, 0]
  for (let index = 0; index < embeddingSize; index += 4) {
    const at = start + index
    one += (rows[at] as number) * (vector[index] as number)
    two += (rows[at + 1] as number) * (vector[index + 1] as number)
    three += (rows[at + 2] as number) * (vector[index + 2] as number)
    four += (rows[at + 3] as number) * (vector[index + 3] as number)
  }
  return one + two + three + four
}

type KernelManifest = { posts: number; gamma: number; ngram_bits: number; bias: number }

/** The components of a unit vector are at most 1; most are much smaller. */
const centreScale = 400

/**
 * Reads `kernel.bin`: the weights of the posts, the dense inputs and the n-grams as 32-bit numbers, then the posts'
 * vectors as bytes.
 */
export function unpackKernel(bytes: Uint8Array, { posts, gamma, ngram_bits, bias }: KernelManifest): KernelModel {
  const buckets = 1 << ngram_bits
  const size = (count: number) => count * Float32Array.BYTES_PER_ELEMENT
  const dense = (bytes.length - posts * embeddingSize) / Float32Array.BYTES_PER_ELEMENT - posts - buckets
  if (!Number.isInteger(dense) || dense < 1) throw new Error('The size of kernel.bin does not match its manifest.')
  const copy = Uint8Array.from(bytes).buffer
  return {
    gamma,
    alphas: new Float32Array(copy, 0, posts),
    denseWeights: new Float32Array(copy, size(posts), dense),
    ngramBits: ngram_bits,
    ngramWeights: new Float32Array(copy, size(posts + dense), buckets),
    centres: unpackCentres(new Int8Array(copy, size(posts + dense + buckets))),
    bias,
  }
}

/** A loop, because `Float32Array.from` with a function takes a hundred times as long. */
function unpackCentres(bytes: Int8Array): Float32Array {
  const centres = new Float32Array(bytes.length)
  for (let index = 0; index < bytes.length; index++) centres[index] = (bytes[index] as number) / centreScale
  return centres
}
