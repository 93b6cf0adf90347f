import { embeddingSize } from '../../src/model-server/local/embedding-size.ts'
import type { KernelInputs, KernelModel } from '../../src/model-server/local/kernel.ts'

/** Chosen by leaving one author out; the figures are in docs/model-card.md. */
export const kernelShape = {
  gamma: 1,
  ngramBits: 17,
  /** How much each kind of input counts. */
  shares: { near: 8, ngrams: 6, dense: 1.5 },
  penalty: 1,
  violatingWeight: 1.5,
}

export type KernelExample = KernelInputs & { isViolating: boolean; weight: number }

/** What every fit over the same examples shares: how alike any two of them are. */
export type KernelProblem = {
  examples: readonly KernelExample[]
  scale: { means: Float64Array; deviations: Float64Array }
  likeness: Float32Array
}

/** Compares each example with each. */
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
    // The n-grams of this row as a table of all buckets, emptied afterwards.
    ngrams.buckets.forEach((bucket, index) => {
      table[bucket] = (table[bucket] as number) + (ngrams.values[index] as number)
    })
    for (let column = row; column < count; column++) {
      const { buckets, values } = (examples[column] as KernelExample).ngrams
      const value =
        1 +
        shares.near * Math.exp(2 * gamma * (dotRows(vectors, row, column, embeddingSize) - 1)) +
        shares.ngrams * lookUp(table, buckets, values) +
        (shares.dense * dotRows(dense, row, column, width)) / width
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

/** Kernel ridge regression on the examples of these places: the weights of a model. */
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
      denseWeights[index] =
        (denseWeights[index] as number) + ((shares.dense * alpha) / width) * (standard[index] as number)
  }
  for (let index = 0; index < width; index++) {
    denseWeights[index] = (denseWeights[index] as number) / (scale.deviations[index] as number)
    bias -= (denseWeights[index] as number) * (scale.means[index] as number)
  }
  const near = Float32Array.from(alphas, (alpha) => alpha * shares.near)
  return { gamma, centres, alphas: near, ngramBits, ngramWeights, denseWeights: Float32Array.from(denseWeights), bias }
}

const tolerance = 1e-4
const mostSteps = 400

/** Conjugate gradients: no chance in it, so the same examples give the same model. */
function solve(likeness: Float32Array, examples: readonly KernelExample[], places: readonly number[]): Float64Array {
  const { penalty, violatingWeight } = kernelShape
  const all = examples.length
  const chosen = places.map((place) => examples[place] as KernelExample)
  const targets = chosen.map(({ isViolating }) => (isViolating ? 1 : -0.5))
  const penalties = chosen.map(({ isViolating, weight }) => penalty / (weight * (isViolating ? violatingWeight : 1)))
  const multiply = (vector: Float64Array) =>
    Float64Array.from(places, (place, row) => {
      const start = place * all
      let sum = (penalties[row] as number) * (vector[row] as number)
      for (let column = 0; column < places.length; column++)
        sum += (likeness[start + (places[column] as number)] as number) * (vector[column] as number)
      return sum
    })
  const alphas = new Float64Array(places.length)
  const rest = Float64Array.from(targets)
  let direction = Float64Array.from(rest)
  let size = squareOf(rest)
  const enough = size * tolerance ** 2
  for (let step = 0; step < mostSteps && size > enough; step++) {
    const image = multiply(direction)
    const reach = size / direction.reduce((sum, value, index) => sum + value * (image[index] as number), 0)
    for (let index = 0; index < alphas.length; index++) {
      alphas[index] = (alphas[index] as number) + reach * (direction[index] as number)
      rest[index] = (rest[index] as number) - reach * (image[index] as number)
    }
    const next = squareOf(rest)
    direction = direction.map((value, index) => (rest[index] as number) + (next / size) * value)
    size = next
  }
  return alphas
}

const squareOf = (vector: Float64Array) => vector.reduce((sum, value) => sum + value * value, 0)

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
  return { means, deviations: deviations.map((square) => Math.sqrt(square) + 0.05) }
}

const standardise = (dense: Float32Array, { means, deviations }: KernelProblem['scale']) =>
  dense.map((value, index) => (value - (means[index] as number)) / (deviations[index] as number))
