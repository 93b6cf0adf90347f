import { learntCategories } from '../../server/local/local-model.ts'
import { dotRow, type Head } from '../../server/local/scoring/head.ts'
import { logistic } from '../../server/local/scoring/score.ts'
import type { Example } from '../data/rows.ts'
import { chance, shuffleInPlace } from './random.ts'
import { weighPositives } from './weigh-positives.ts'

export type HeadOptions = { hidden: number; epochs: number; seed: number; onEpoch?: (() => void) | undefined }

const learningRate = 0.002
const weightDecay = 0.01
const dropout = 0.2
const batchSize = 64
const outputs = learntCategories.length

/** Trains the network with Adam on the cross-entropy of the known labels. The same seed gives the same weights. */
export function fitHead(inputs: readonly Float32Array[], examples: readonly Example[], options: HeadOptions): Head {
  const next = chance(options.seed)
  const head = newHead(inputs[0]?.length ?? 0, options.hidden, next)
  const gradient = zeroLike(head)
  const step = adam(head, gradient, options.epochs * Math.ceil(examples.length / batchSize))
  const passBack = backward(head, gradient, weighPositives(examples), next)
  const order = examples.map((_, index) => index)
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffleInPlace(order, next)
    for (let start = 0; start < order.length; start += batchSize) {
      const batch = order.slice(start, start + batchSize)
      for (const index of batch) passBack(inputs[index] as Float32Array, examples[index] as Example, 1 / batch.length)
      step()
    }
    options.onEpoch?.()
  }
  return head
}

function newHead(inputs: number, hidden: number, next: () => number): Head {
  const uniform = (count: number, reach: number) => Float32Array.from({ length: count }, () => (next() * 2 - 1) * reach)
  return {
    inputs,
    hidden,
    outputs,
    hiddenWeights: uniform(hidden * inputs, Math.sqrt(6 / (inputs + hidden))),
    hiddenBiases: new Float32Array(hidden),
    outputWeights: uniform(outputs * hidden, Math.sqrt(6 / (hidden + outputs))),
    // The initial bias is negative, because most posts break no rule.
    outputBiases: new Float32Array(outputs).fill(-3),
  }
}

const tables = ['hiddenWeights', 'hiddenBiases', 'outputWeights', 'outputBiases'] as const
type Tables = Pick<Head, (typeof tables)[number]>

const zeroLike = (head: Head): Tables =>
  Object.fromEntries(tables.map((name) => [name, new Float32Array(head[name].length)])) as Tables

/** Adds one example to the gradient. */
function backward(head: Head, gradient: Tables, positiveWeights: readonly number[], next: () => number) {
  const { inputs: width, hidden, hiddenWeights, hiddenBiases, outputWeights, outputBiases } = head
  const active = new Float32Array(hidden)
  const kept = new Float32Array(hidden)
  const blame = new Float32Array(hidden)
  return (input: Float32Array, { labels, weight }: Example, share: number) => {
    for (let unit = 0; unit < hidden; unit++) {
      kept[unit] = next() < dropout ? 0 : 1 / (1 - dropout)
      active[unit] = 0
      if (kept[unit] === 0) continue
      const sum = (hiddenBiases[unit] as number) + dotRow(hiddenWeights, unit, input)
      if (sum > 0) active[unit] = sum * (kept[unit] as number)
    }
    blame.fill(0)
    for (let output = 0; output < outputs; output++) {
      const label = labels[learntCategories[output] as (typeof learntCategories)[number]]
      if (label === undefined) continue
      const start = output * hidden
      let sum = outputBiases[output] as number
      for (let unit = 0; unit < hidden; unit++)
        sum += (outputWeights[start + unit] as number) * (active[unit] as number)
      const error = (logistic(sum) - label) * weight * share * (label === 1 ? (positiveWeights[output] as number) : 1)
      gradient.outputBiases[output] = (gradient.outputBiases[output] as number) + error
      for (let unit = 0; unit < hidden; unit++) {
        gradient.outputWeights[start + unit] =
          (gradient.outputWeights[start + unit] as number) + error * (active[unit] as number)
        blame[unit] = (blame[unit] as number) + error * (outputWeights[start + unit] as number)
      }
    }
    for (let unit = 0; unit < hidden; unit++) {
      if (active[unit] === 0 || blame[unit] === 0) continue
      const error = (blame[unit] as number) * (kept[unit] as number)
      gradient.hiddenBiases[unit] = (gradient.hiddenBiases[unit] as number) + error
      const start = unit * width
      const row = gradient.hiddenWeights
      for (let index = 0; index < width; index++)
        row[start + index] = (row[start + index] as number) + error * (input[index] as number)
    }
  }
}

/** One Adam step with weight decay and a learning rate that falls to a tenth. Clears the gradient afterwards. */
function adam(head: Head, gradient: Tables, steps: number): () => void {
  const means = zeroLike(head)
  const squares = zeroLike(head)
  let count = 0
  return () => {
    count++
    const rate = learningRate * (1 - (0.9 * count) / steps)
    const meanScale = 1 / (1 - 0.9 ** count)
    const squareScale = 1 / (1 - 0.999 ** count)
    for (const name of tables) {
      const [values, slopes, mean, square] = [head[name], gradient[name], means[name], squares[name]]
      const decay = name.endsWith('Weights') ? weightDecay : 0
      for (let index = 0; index < values.length; index++) {
        const slope = slopes[index] as number
        const first = 0.9 * (mean[index] as number) + 0.1 * slope
        const second = 0.999 * (square[index] as number) + 0.001 * slope * slope
        mean[index] = first
        square[index] = second
        const value = values[index] as number
        values[index] = value - rate * ((first * meanScale) / (Math.sqrt(second * squareScale) + 1e-8) + decay * value)
      }
      slopes.fill(0)
    }
  }
}

/** One network that returns the mean of several. */
export function averageHeads(heads: readonly Head[]): Head {
  const [first] = heads
  if (!first) throw new Error('There are no heads to average.')
  const hidden = heads.reduce((sum, head) => sum + head.hidden, 0)
  const join = (parts: Float32Array[]) => Float32Array.from(parts.flatMap((part) => [...part]))
  const rowOf = (output: number) =>
    heads.map((head) =>
      head.outputWeights.slice(output * head.hidden, (output + 1) * head.hidden).map((weight) => weight / heads.length),
    )
  return {
    ...first,
    hidden,
    hiddenWeights: join(heads.map((head) => head.hiddenWeights)),
    hiddenBiases: join(heads.map((head) => head.hiddenBiases)),
    outputWeights: join(Array.from({ length: outputs }, (_, output) => rowOf(output)).flat()),
    outputBiases: first.outputBiases.map(
      (_, output) => heads.reduce((sum, head) => sum + (head.outputBiases[output] ?? 0), 0) / heads.length,
    ),
  }
}
