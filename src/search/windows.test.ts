import assert from 'node:assert/strict'
import { test } from 'node:test'
import { windowOf } from './windows.ts'

const month = (number: number) => new Date(Date.UTC(2026, number - 1))
/** Newest first; the next month is prepared and empty. */
const partitions = [
  { startsAt: month(12), entries: 0 },
  { startsAt: month(11), entries: 100 },
  { startsAt: month(10), entries: 300 },
  { startsAt: month(9), entries: 300 },
  { startsAt: null, entries: 5_000 },
]

test('a window has the fewest of the newest partitions with enough entries', () => {
  assert.deepEqual(windowOf(partitions, 80), { startsAt: month(11), entries: 100 })
  assert.deepEqual(windowOf(partitions, 101), { startsAt: month(10), entries: 400 })
  assert.deepEqual(windowOf(partitions, 701), { startsAt: null, entries: 5_700 })
  assert.deepEqual(windowOf(partitions, Number.POSITIVE_INFINITY), { startsAt: null, entries: 5_700 })
  assert.deepEqual(windowOf([{ startsAt: null, entries: 9 }], 1), { startsAt: null, entries: 9 })
})

test('partitions after the end of a search do not count, and one before its beginning is not needed', () => {
  const middle = new Date('2026-10-15')
  assert.deepEqual(windowOf(partitions, 80, { before: middle }), { startsAt: month(10), entries: 300 })
  assert.deepEqual(windowOf(partitions, 1_000, { since: middle }), { startsAt: null, entries: 400 })
})
