import { logistic } from '../../server/local/scoring/score.ts'

/**
 * Estimates whether a text breaks any rule: a linear model fitted on posts of our kinds, while the categories were
 * learnt from third-party texts. It reads the vector of the whole text, the maximum of its parts for each input, and
 * the word lists.
 */
export type Gate = { weights: Float32Array; bias: number }

/** How the gate and the highest category are combined into a sum whose logistic function is a probability. */
export type Overall = { category: number; gate: number; offset: number }

/** The inputs of the gate. The first vector is that of the whole text. */
export function gateInputs(embeddings: readonly Float32Array[], lexicon: Float32Array): Float32Array {
  const [whole = new Float32Array()] = embeddings
  const inputs = new Float32Array(whole.length * 2 + lexicon.length)
  inputs.set(whole)
  for (let index = 0; index < whole.length; index++) {
    let highest = Number.NEGATIVE_INFINITY
    for (const embedding of embeddings) highest = Math.max(highest, embedding[index] as number)
    inputs[whole.length + index] = highest
  }
  inputs.set(lexicon, whole.length * 2)
  return inputs
}

/** The output of the gate, before it is combined with the categories. */
export function gateLogit({ weights, bias }: Gate, inputs: Float32Array): number {
  let sum = bias
  for (let index = 0; index < weights.length; index++) sum += (weights[index] as number) * (inputs[index] as number)
  return sum
}

/** The regularisation, which is strong because there are more inputs than posts. */
const penalty = 200
const rounds = 600
const momentum = 0.95

/**
 * Logistic regression over standardised inputs by gradient descent. It is deterministic, so the same posts give the
 * same weights.
 */
export function fitGate(inputs: readonly Float32Array[], labels: readonly number[], weights?: readonly number[]): Gate {
  const width = inputs[0]?.length ?? 0
  const { means, deviations } = measureColumns(inputs, width)
  const rows = inputs.map((row) =>
    row.map((value, index) => (value - (means[index] as number)) / (deviations[index] as number)),
  )
  const total = labels.reduce((sum, _, index) => sum + (weights?.[index] ?? 1), 0)
  const [line, speed] = [new Float64Array(width), new Float64Array(width)]
  let [bias, biasSpeed] = [0, 0]
  const rate = 1 / (steepest(rows) + penalty / inputs.length)
  for (let round = 0; round < rounds; round++) {
    const slope = line.map((value) => (penalty / inputs.length) * value)
    let biasSlope = 0
    for (const [index, row] of rows.entries()) {
      const share = (weights?.[index] ?? 1) / total
      const fault = share * (logistic(dot(line, row) + bias) - (labels[index] as number))
      for (let column = 0; column < width; column++)
        slope[column] = (slope[column] as number) + fault * (row[column] as number)
      biasSlope += fault
    }
    for (let column = 0; column < width; column++) {
      speed[column] = momentum * (speed[column] as number) - rate * (slope[column] as number)
      line[column] = (line[column] as number) + (speed[column] as number)
    }
    biasSpeed = momentum * biasSpeed - rate * biasSlope
    bias += biasSpeed
  }
  // The standardisation is folded into the weights, so that callers do not need to repeat it.
  const plain = Float32Array.from(line, (value, index) => value / (deviations[index] as number))
  return { weights: plain, bias: bias - plain.reduce((sum, value, index) => sum + value * (means[index] as number), 0) }
}

function measureColumns(rows: readonly Float32Array[], width: number) {
  const means = new Float64Array(width)
  const deviations = new Float64Array(width)
  for (const row of rows)
    row.forEach((value, index) => {
      means[index] = (means[index] as number) + value / rows.length
    })
  for (const row of rows)
    row.forEach((value, index) => {
      deviations[index] = (deviations[index] as number) + (value - (means[index] as number)) ** 2 / rows.length
    })
  return { means, deviations: deviations.map((value) => Math.sqrt(value) + 1e-6) }
}

/** An upper bound on the curvature: a quarter of the largest eigenvalue, found by power iteration. */
function steepest(rows: readonly Float32Array[]): number {
  let direction = new Float64Array(rows[0]?.length ?? 0).fill(1)
  let size = 1
  for (let round = 0; round < 20; round++) {
    const next = new Float64Array(direction.length)
    for (const row of rows) {
      const along = dot(direction, row) / rows.length
      row.forEach((value, index) => {
        next[index] = (next[index] as number) + along * value
      })
    }
    size = Math.hypot(...next)
    direction = next.map((value) => value / size)
  }
  return size / 4
}

function dot(line: Float64Array, row: Float32Array): number {
  let sum = 0
  for (let index = 0; index < row.length; index++) sum += (line[index] as number) * (row[index] as number)
  return sum
}
