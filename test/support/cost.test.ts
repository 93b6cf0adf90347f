import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCheap, readOnce } from './cost.ts'

const read = (times: number) => () => {
  for (let time = 0; time < times; time++) readOnce()
}

test('work passes if it stays within its limit, however slow the machine', () => {
  assertCheap(read(3), 2, 'one reading')
})

test('work that takes more than twice its limit fails', () => {
  assert.throws(() => assertCheap(read(6), 0.9, 'six texts'), /six texts took \d\.\d\d readings, and may take 0\.9/)
})

test('work that is far too slow fails on the first try', () => {
  let tries = 0
  const work = () => {
    tries++
    read(40)()
  }
  assert.throws(() => assertCheap(work, 0.5, 'forty'))
  assert.equal(tries, 1)
})
