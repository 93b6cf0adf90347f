import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashNgrams, ngramLogits } from '../../server/local/features/ngrams.ts'
import { learntCategories } from '../../server/local/local-model.ts'
import { headLogits } from '../../server/local/scoring/head.ts'
import { averagePrecision, bootstrapInterval, measureAt } from '../benchmarks/metrics.ts'
import type { Example } from '../data/rows.ts'
import { calibrate } from './calibrate.ts'
import { averageHeads, fitHead } from './fit-head.ts'
import { fitNgrams } from './fit-ngrams.ts'
import { chance, shuffled } from './random.ts'

const spam = learntCategories.indexOf('spam')
const sexual = learntCategories.indexOf('sexual')

/** Spam if exactly one of two numbers is high, which is not linearly separable. Other categories are unknown. */
function makeExamples() {
  const next = chance(7)
  const inputs = Array.from({ length: 400 }, () =>
    Float32Array.of(next() < 0.5 ? -1 : 1, next() < 0.5 ? -1 : 1, next()),
  )
  const examples: Example[] = inputs.map(([one, other]) => ({ labels: { spam: one === other ? 0 : 1 }, weight: 1 }))
  return { inputs, examples }
}

test('the head learns a problem that is not linearly separable', () => {
  const { inputs, examples } = makeExamples()
  const head = fitHead(inputs, examples, { hidden: 16, epochs: 60, seed: 1 })
  const right = inputs.filter((input, index) => {
    const says = (headLogits(head, input)[spam] ?? 0) > 0 ? 1 : 0
    return says === examples[index]?.labels.spam
  })
  assert.ok(right.length >= 390, `${right.length} of 400`)
})

test('the same seed gives the same weights, and another seed gives different ones', () => {
  const { inputs, examples } = makeExamples()
  const fit = (seed: number) => fitHead(inputs, examples, { hidden: 4, epochs: 2, seed })
  assert.deepEqual(fit(1), fit(1))
  assert.notDeepEqual(fit(1), fit(2))
})

test('a category without rows is not learnt', () => {
  const { inputs, examples } = makeExamples()
  const head = fitHead(inputs, examples, { hidden: 4, epochs: 2, seed: 1 })
  assert.equal(head.outputBiases[sexual], -3)
})

test('the averaged head returns the mean of the heads’ scores', () => {
  const { inputs, examples } = makeExamples()
  const heads = [1, 2].map((seed) => fitHead(inputs, examples, { hidden: 4, epochs: 1, seed }))
  const input = Float32Array.of(1, -1, 0.5)
  const apart = heads.map((head) => headLogits(head, input)[spam] ?? 0)
  const together = headLogits(averageHeads(heads), input)[spam] ?? 0
  assert.ok(Math.abs(together - ((apart[0] ?? 0) + (apart[1] ?? 0)) / 2) < 1e-5)
})

test('the n-grams learn a word, even quantized to bytes', () => {
  const texts = Array.from({ length: 40 }, (_, index) =>
    index % 2 ? `cheap tea number ${index}` : `lost dog number ${index}`,
  )
  const features = texts.map((text) => hashNgrams(text, 12))
  const examples: Example[] = texts.map((_, index) => ({ labels: { spam: index % 2 ? 1 : 0 }, weight: 1 }))
  const model = fitNgrams(features, examples, { bits: 12, epochs: 5, seed: 1 })
  assert.ok((ngramLogits(model, hashNgrams('cheap tea', 12))[spam] ?? 0) > 0)
  assert.ok((ngramLogits(model, hashNgrams('lost dog', 12))[spam] ?? 0) < 0)
})

test('calibration turns scores into observed shares', () => {
  const next = chance(3)
  const sums = Array.from({ length: 4_000 }, () => next() * 8 - 4)
  const labels = sums.map((sum) => (next() < 1 / (1 + Math.exp(-(0.5 * sum - 1))) ? 1 : 0))
  const { slope, offset } = calibrate(sums, labels)
  assert.ok(Math.abs(slope - 0.5) < 0.1, `slope ${slope}`)
  assert.ok(Math.abs(offset + 1) < 0.2, `offset ${offset}`)
})

test('calibration leaves a category with very few samples unchanged', () => {
  assert.deepEqual(calibrate([1, 2, -1], [1, 1, 0]), { slope: 1, offset: 0 })
})

test('average precision is 1 for a perfect order and the base rate without one', () => {
  const perfect = [0.9, 0.8, 0.2, 0.1].map((score, index) => ({ score, isPositive: index < 2 }))
  const none = Array.from({ length: 10 }, (_, index) => ({ score: 0.5, isPositive: index < 3 }))
  assert.equal(averagePrecision(perfect), 1)
  assert.ok(Math.abs(averagePrecision(none) - 0.3) < 1e-9)
  const [low, high] = bootstrapInterval(shuffled([...perfect, ...none], 1), 100)
  assert.ok(low <= averagePrecision([...perfect, ...none]) && high >= low)
})

test('precision, recall and false alarms are counted at the threshold', () => {
  const scored = [
    { score: 0.9, isPositive: true },
    { score: 0.5, isPositive: false },
    { score: 0.4, isPositive: true },
    { score: 0.1, isPositive: false },
  ]
  assert.deepEqual(measureAt(scored), { precision: 0.5, recall: 0.5, f1: 0.5, falseAlarms: 0.5 })
})
