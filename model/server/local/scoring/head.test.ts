import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Head, headLogits, joinInputs } from './head.ts'

const head: Head = {
  inputs: 2,
  hidden: 2,
  outputs: 1,
  hiddenWeights: Float32Array.of(1, 1, 1, -1),
  hiddenBiases: Float32Array.of(0, 0),
  outputWeights: Float32Array.of(2, 4),
  outputBiases: Float32Array.of(-1),
}

test('an inactive unit contributes nothing', () => {
  assert.deepEqual([...headLogits(head, Float32Array.of(1, 3))], [7])
  assert.deepEqual([...headLogits(head, Float32Array.of(3, 1))], [15])
})

test('the embedding comes first, and each part is scaled', () => {
  assert.deepEqual([...joinInputs(Float32Array.of(0.25, 0.5), Float32Array.of(1))], [1, 2, 0.5])
})
