import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashNgrams, type NgramModel, ngramLogits } from './ngrams.ts'

const bits = 12

test('the same text gives the same buckets, all in range', () => {
  const one = hashNgrams('A lost dog near the mill', bits)
  assert.deepEqual(one, hashNgrams('A lost dog near the mill', bits))
  assert.ok(one.buckets.every((bucket) => bucket < 1 << bits))
  assert.equal(one.buckets.length, one.values.length)
})

test('links, numbers and repeated letters are normalised', () => {
  assert.deepEqual(hashNgrams('go to http://a.example/1', bits), hashNgrams('go to http://b.example/2', bits))
  assert.deepEqual(hashNgrams('call 020 7946 0018', bits), hashNgrams('call 020 7946 0999', bits))
  assert.deepEqual(hashNgrams('soooo good', bits), hashNgrams('sooooooo good', bits))
})

test('the output is the sum of scaled bytes and the bias', () => {
  const weights = new Int8Array(2 << bits)
  weights[3 * 2] = 10
  weights[3 * 2 + 1] = -20
  const model: NgramModel = {
    bits,
    outputs: 2,
    weights,
    scales: Float32Array.of(0.5, 0.25),
    biases: Float32Array.of(1, 0),
  }
  const logits = ngramLogits(model, { buckets: Uint32Array.of(3, 7), values: Float32Array.of(0.5, 1) })
  assert.deepEqual([...logits], [3.5, -2.5])
})
