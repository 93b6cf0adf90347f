import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countWindows, mostWindows } from './count-windows.ts'

test('a message has a few windows, a long story has the maximum, and the parts of a post count together', () => {
  assert.equal(countWindows(''), 1)
  assert.equal(countWindows('x'.repeat(500)), 9)
  assert.equal(countWindows('x'.repeat(300), 'x'.repeat(200)), 9)
  assert.equal(countWindows('x'.repeat(14_000)), mostWindows)
})
