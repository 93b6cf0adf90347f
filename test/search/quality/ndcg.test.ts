import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ndcgAtTen } from './ndcg.ts'

const close = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 5e-4, `${actual}`)

test('the best order is 1, for any number of results', () => {
  close(ndcgAtTen(['a'], { a: 2 }), 1)
  close(ndcgAtTen(['a', 'b', 'c'], { c: 1, a: 3, b: 2 }), 1)
  close(ndcgAtTen(['b', 'a', 'nothing', 'more'], { a: 3, b: 3 }), 1)
})

test('an irrelevant result scores nothing and takes a place', () => {
  assert.equal(ndcgAtTen([], { a: 3 }), 0)
  assert.equal(ndcgAtTen(['x', 'y'], { a: 3 }), 0)
  close(ndcgAtTen(['x', 'a'], { a: 3 }), 1 / Math.log2(3))
  close(ndcgAtTen(['x', 'x', 'a'], { a: 1 }), 0.5)
})

test('a known order has its known value', () => {
  // Gains 7 3 7 0 1 3, discounted 13.8482; at best 7 7 3 3 1, which is 14.5953.
  const grades = { a: 3, b: 2, c: 3, d: 0, e: 1, f: 2 }
  close(ndcgAtTen(['a', 'b', 'c', 'd', 'e', 'f'], grades), 0.9488)
})

test('the eleventh place is ignored, and the best order has ten', () => {
  const many = Array.from({ length: 12 }, (_, index) => `post ${index}`)
  const grades = Object.fromEntries(many.map((id) => [id, 3]))
  close(ndcgAtTen(many, grades), 1)
  assert.equal(ndcgAtTen([...Array.from({ length: 10 }, () => 'x'), 'post 0'], grades), 0)
})
