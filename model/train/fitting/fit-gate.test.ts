import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitGate, gateInputs, gateLogit } from './fit-gate.ts'
import { chance } from './random.ts'

test('the gate reads the whole text, the maximum of its parts for each input, and the words', () => {
  const embeddings = [
    [1, -2],
    [0, 3],
  ].map((one) => Float32Array.from(one))
  assert.deepEqual([...gateInputs(embeddings, Float32Array.from([7]))], [1, -2, 1, 3, 7])
})

test('the gate finds the input that separates posts, whatever the scale of the others, and is reproducible', () => {
  const next = chance(3)
  const posts = Array.from({ length: 400 }, () => Float32Array.from([next() - 0.5, 1_000 * next(), 3]))
  const labels = posts.map((post) => Number((post[0] ?? 0) > 0.1))
  const gate = fitGate(posts, labels)
  const right = posts.filter((post, index) => gateLogit(gate, post) > 0 === (labels[index] === 1))
  assert.ok(right.length > 350, `${right.length} of 400`)
  assert.deepEqual(fitGate(posts, labels), gate)
})

test('a post with a higher weight counts for more', () => {
  const posts = [1, 1, -1, -1].map((value) => Float32Array.from([value]))
  const even = fitGate(posts, [1, 0, 0, 0])
  const heavy = fitGate(posts, [1, 0, 0, 0], [50, 1, 1, 1])
  assert.ok(gateLogit(heavy, Float32Array.from([1])) > gateLogit(even, Float32Array.from([1])))
})
