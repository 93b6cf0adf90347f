import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wilsonInterval } from './wilson-interval.ts'

test('the interval is Wilson’s and stays between 0 and 1', () => {
  const rounded = (part: number, whole: number) => {
    const { low, high } = wilsonInterval(part, whole)
    return [low, high].map((share) => Math.round(share * 1_000) / 10)
  }
  assert.deepEqual(rounded(294, 300), [95.7, 99.1])
  assert.deepEqual(rounded(5, 1_000), [0.2, 1.2])
  assert.deepEqual(rounded(0, 0), [0, 100])
  assert.deepEqual([rounded(0, 10)[0], rounded(10, 10)[1]], [0, 100])
})
