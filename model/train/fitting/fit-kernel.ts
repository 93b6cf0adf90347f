import { embeddingSize } from '../../server/local/encoder/embedding-size.ts'
import { conceptNames } from '../../server/local/features/concepts/measure-concepts.ts'
import { lexiconNames } from '../../server/local/features/lexicon.ts'
import { learntCategories } from '../../server/local/local-model.ts'
import type { KernelInputs, KernelModel } from '../../server/local/scoring/kernel.ts'

/** Chosen by leaving one author out at a time. The figures are in docs/model-card.md. */
export const kernelShape = {
  gamma: 1.5,
  ngramBits: 17,
  /** The weight of each type of input. */
  shares: { near: 8, ngrams: 6, lexicon: 0.5, concepts: 4, categories: 2 },
  penalty: 1,
  violatingWeight: 1.5,
}

export type KernelExample = Omit<KernelInputs, 'nearness'> & {
  embedding: Float32Array
  isViolating: boolean
  weight: number
}

/** The similarity of each pair of examples, shared by every fit over the same examples. */
export type KernelProblem = {
  examples: readonly KernelExample[]
  /** The centre and weight of the dense inputs. */
  scale: { means: Float64Array; factors: Float64Array }
  likeness: Float32Array
}

/** Compares each pair of examples. */
export function compareExamples(examples: readonly KernelExample[]): KernelProblem {
  const count = examples.length
  const scale = measureDense(examples)
  const vectors = flatten(examples.map(({ embedding }) => embedding))
  const dense = flatten(examples.map((one) => standardise(one.dense, scale)))
  const width = dense.length / count
  const { gamma, shares, ngramBits } = kernelShape
  const likeness = new Float32Array(count * count)
  const table = new Float32Array(1 << ngramBits)
  for (const [row, { ngrams }] of examples.entries()) {
    // The n-grams of this row in a table of all buckets, which is cleared afterwards.
    ngrams.buckets.forEach((bucket, index) => {
      table[bucket] = (table[bucket] as number) + (ngrams.values[index] as number)
    })
    for (let column = row; column < count; column++) {
      const { buckets, values } = (examples[column] as KernelExample).ngrams
      const value =
        1 +
        shares.near * Math.exp(2 * gamma * (dotRows(vectors, row, column, embeddingSize) - 1)) +
        shares.ngrams * lookUp(table, buckets, values) +
        dotRows(dense, row, column, width)
      likeness[row * count + column] = value
      likeness[column * count + row] = value
    }
    for (const bucket of ngrams.buckets) table[bucket] = 0
  }
  return { examples, scale, likeness }
}

function flatten(rows: readonly Float32Array[]): Float32Array {
  const width = rows[0]?.length ?? 0
  const all = new Float32Array(rows.length * width)
  for (const [index, row] of rows.entries()) all.set(row, index * width)
  return all
}

function dotRows(rows: Float32Array, one: number, other: number, width: number): number {
  let sum = 0
  for (let index = 0, a = one * width, b = other * width; index < width; index++)
    sum += (rows[a + index] as number) * (rows[b + index] as number)
  return sum
}

function lookUp(table: Float32Array, buckets: Uint32Array, values: Float32Array): number {
  let sum = 0
  for (let index = 0; index < buckets.length; index++)
    sum += (table[buckets[index] as number] as number) * (values[index] as number)
  return sum
}

/** Kernel ridge regression on the examples at these indexes. Returns the weights of a model. */
export function fitKernel({ examples, scale, likeness }: KernelProblem, places: readonly number[]): KernelModel {
  const alphas = solve(likeness, examples, places)
  const { gamma, ngramBits, shares } = kernelShape
  const width = examples[0]?.dense.length ?? 0
  const denseWeights = new Float64Array(width)
  const ngramWeights = new Float32Array(1 << ngramBits)
  const centres = new Float32Array(places.length * embeddingSize)
  let bias = 0
  for (const [row, place] of places.entries()) {
    const { embedding, ngrams, dense } = examples[place] as KernelExample
    const alpha = alphas[row] as number
    bias += alpha
    centres.set(embedding, row * embeddingSize)
    ngrams.buckets.forEach((bucket, index) => {
      ngramWeights[bucket] = (ngramWeights[bucket] as number) + shares.ngrams * alpha * (ngrams.values[index] as number)
    })
    const standard = standardise(dense, scale)
    for (let index = 0; index < width; index++)
      denseWeights[index] = (denseWeights[index] as number) + alpha * (standard[index] as number)
  }
  for (let index = 0; index < width; index++) {
    denseWeights[index] = (denseWeights[index] as number) * (scale.factors[index] as number)
    bias -= (denseWeights[index] as number) * (scale.means[index] as number)
  }
  const near = Float32Array.from(alphas, (alpha) => alpha * shares.near)
  return { gamma, centres, alphas: near, ngramBits, ngramWeights, denseWeights: Float32Array.from(denseWeights), bias }
}

const tolerance = 1e-3
const mostSteps = 300

/** Conjugate gradients. The method is deterministic, so the same examples give the same model. */
function solve(likeness: Float32Array, examples: readonly KernelExample[], places: readonly number[]): Float64Array {
  const { penalty, violatingWeight } = kernelShape
  const count = examples.length
  const penalties = examples.map(({ isViolating, weight }) => penalty / (weight * (isViolating ? violatingWeight : 1)))
  // All vectors are as long as the list of examples, with zeros for the examples that are left out.
  const multiply = (vector: Float64Array) => {
    const product = new Float64Array(count)
    for (const place of places)
      product[place] =
        (penalties[place] as number) * (vector[place] as number) + dotRow(likeness, place * count, vector)
    return product
  }
  const alphas = new Float64Array(count)
  const rest = new Float64Array(count)
  for (const place of places) rest[place] = examples[place]?.isViolating ? 1 : -0.5
  let direction = Float64Array.from(rest)
  let size = dotRow(rest, 0, rest)
  const enough = size * tolerance ** 2
  for (let step = 0; step < mostSteps && size > enough; step++) {
    const image = multiply(direction)
    const reach = size / dotRow(direction, 0, image)
    for (const place of places) {
      alphas[place] = (alphas[place] as number) + reach * (direction[place] as number)
      rest[place] = (rest[place] as number) - reach * (image[place] as number)
    }
    const next = dotRow(rest, 0, rest)
    direction = direction.map((value, place) => (rest[place] as number) + (next / size) * value)
    size = next
  }
  return Float64Array.from(places, (place) => alphas[place] as number)
}

/** The product of a row and a vector. Four parallel sums let the CPU pipeline the additions. */
function dotRow(rows: Float32Array | Float64Array, start: number, vector: Float64Array): number {
  const whole = vector.length - (vector.length % 4)
  let [one, two, three, four] = [0, 0, 0, 0]
  for (let index = 0; index < whole; index += 4) {
    const at = start + index
    one += (rows[at] as number) * (vector[index] as number)
    two += (rows[at + 1] as number) * (vector[index + 1] as number)
    three += (rows[at + 2] as number) * (vector[index + 2] as number)
    four += (rows[at + 3] as number) * (vector[index + 3] as number)
  }
  for (let index = whole; index < vector.length; index++)
    one += (rows[start + index] as number) * (vector[index] as number)
  return one + two + three + four
}

function measureDense(examples: readonly KernelExample[]): KernelProblem['scale'] {
  const width = examples[0]?.dense.length ?? 0
  const means = new Float64Array(width)
  const deviations = new Float64Array(width)
  for (const { dense } of examples)
    for (let index = 0; index < width; index++)
      means[index] = (means[index] as number) + (dense[index] as number) / examples.length
  for (const { dense } of examples)
    for (let index = 0; index < width; index++)
      deviations[index] =
        (deviations[index] as number) + ((dense[index] as number) - (means[index] as number)) ** 2 / examples.length
  const counts = denseShares()
  return { means, factors: deviations.map((square, index) => (counts[index] as number) / (Math.sqrt(square) + 0.05)) }
}

/** All inputs of a type share its weight, however many there are. */
function denseShares(): number[] {
  const { lexicon, concepts, categories } = kernelShape.shares
  const blocks: [number, number][] = [
    [lexiconNames.length, lexicon],
    [conceptNames.length, concepts],
    [learntCategories.length, categories],
  ]
  return blocks.flatMap(([width, share]) => new Array<number>(width).fill(Math.sqrt(share / width)))
}

const standardise = (dense: Float32Array, { means, factors }: KernelProblem['scale']) =>
  dense.map((value, index) => (value - (means[index] as number)) * (factors[index] as number))
