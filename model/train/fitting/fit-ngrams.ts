import type { NgramModel, Sparse } from '../../server/local/features/ngrams.ts'
import { learntCategories } from '../../server/local/local-model.ts'
import { logistic } from '../../server/local/scoring/score.ts'
import type { Example } from '../data/rows.ts'
import { chance, shuffleInPlace } from './random.ts'
import { weighPositives } from './weigh-positives.ts'

export type NgramOptions = { bits: number; epochs: number; seed: number; onEpoch?: (() => void) | undefined }

const learningRate = 0.5
const outputs = learntCategories.length

/** Logistic regression per category over shared buckets, by AdaGrad, with weights rounded to one byte. */
export function fitNgrams(
  features: readonly Sparse[],
  examples: readonly Example[],
  options: NgramOptions,
): NgramModel {
  const weights = new Float32Array(outputs << options.bits)
  const squares = new Float32Array(outputs << options.bits)
  const biases = new Float32Array(outputs)
  const biasSquares = new Float32Array(outputs).fill(0.001)
  const positiveWeights = weighPositives(examples)
  const next = chance(options.seed)
  const order = examples.map((_, index) => index)
  const errors = new Float64Array(outputs)
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffleInPlace(order, next)
    for (const index of order) {
      const feature = features[index] as Sparse
      if (!findErrors(feature, examples[index] as Example, { weights, biases, positiveWeights, errors })) continue
      for (let output = 0; output < outputs; output++) {
        const error = errors[output] as number
        if (error === 0) continue
        biasSquares[output] = (biasSquares[output] as number) + error * error
        biases[output] =
          (biases[output] as number) - (0.1 * learningRate * error) / Math.sqrt(biasSquares[output] as number)
      }
      step(feature, { weights, squares, errors })
    }
    options.onEpoch?.()
  }
  return rounded(weights, biases, options.bits)
}

type Pass = { weights: Float32Array; biases: Float32Array; positiveWeights: readonly number[]; errors: Float64Array }

/** Computes the errors of the weights on one example. Returns false if they are negligible. */
function findErrors(feature: Sparse, { labels, weight }: Example, pass: Pass): boolean {
  const { weights, biases, positiveWeights, errors } = pass
  errors.set(biases)
  for (let entry = 0; entry < feature.buckets.length; entry++) {
    const start = (feature.buckets[entry] as number) * outputs
    const value = feature.values[entry] as number
    for (let output = 0; output < outputs; output++)
      errors[output] = (errors[output] as number) + (weights[start + output] as number) * value
  }
  let isWrong = false
  for (let output = 0; output < outputs; output++) {
    const label = labels[learntCategories[output] as (typeof learntCategories)[number]]
    const scale = label === 1 ? (positiveWeights[output] as number) : 1
    const error = label === undefined ? 0 : (logistic(errors[output] as number) - label) * weight * scale
    errors[output] = Math.abs(error) < 1e-4 ? 0 : error
    isWrong ||= errors[output] !== 0
  }
  return isWrong
}

function step(
  feature: Sparse,
  { weights, squares, errors }: { weights: Float32Array; squares: Float32Array; errors: Float64Array },
): void {
  for (let entry = 0; entry < feature.buckets.length; entry++) {
    const start = (feature.buckets[entry] as number) * outputs
    const value = feature.values[entry] as number
    for (let output = 0; output < outputs; output++) {
      const slope = (errors[output] as number) * value
      if (slope === 0) continue
      const square = (squares[start + output] as number) + slope * slope
      squares[start + output] = square
      weights[start + output] =
        (weights[start + output] as number) - (learningRate * slope) / (Math.sqrt(square) + 1e-6)
    }
  }
}

function rounded(weights: Float32Array, biases: Float32Array, bits: number): NgramModel {
  const scales = new Float32Array(outputs)
  for (let index = 0; index < weights.length; index++) {
    const output = index % outputs
    scales[output] = Math.max(scales[output] as number, Math.abs(weights[index] as number) / 127)
  }
  const bytes = Int8Array.from(weights, (weight, index) =>
    Math.round(weight / ((scales[index % outputs] as number) || 1)),
  )
  return { bits, outputs, weights: bytes, scales, biases }
}
