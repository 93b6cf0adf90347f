import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { expectDecision, type MeasuredPace, maxCountedReviews } from './expected-decision.ts'

const hour = 3_600_000
const openedAt = new Date('2026-11-15T12:00:00Z')
const after = (hours: number) => new Date(openedAt.getTime() + hours * hour)
const unknown: MeasuredPace = { expectedSeconds: 24 * 3_600, usualSeconds: null, decidedPerHour: null }
const measured: MeasuredPace = { ...unknown, usualSeconds: 2 * 3_600, decidedPerHour: 10 }

test('without history the estimate is the setting', () => {
  assert.deepEqual(expectDecision({ openedAt, at: openedAt, inFront: 50, pace: unknown }), after(24))
})

test('with history the estimate is the usual time, or the time for the queue ahead', () => {
  assert.deepEqual(expectDecision({ openedAt, at: openedAt, inFront: 5, pace: measured }), after(2))
  assert.deepEqual(expectDecision({ openedAt, at: after(1), inFront: 50, pace: measured }), after(6))
})

test('an estimate that has passed is extended by half of the usual time', () => {
  assert.deepEqual(expectDecision({ openedAt, at: after(2), inFront: 0, pace: measured }), after(3))
  assert.deepEqual(expectDecision({ openedAt, at: after(7.5), inFront: 0, pace: measured }), after(8))
})

test('behind a queue beyond the count limit, the estimate is the maximum', () => {
  const fast = { ...measured, decidedPerHour: 1_000_000 }
  assert.deepEqual(expectDecision({ openedAt, at: openedAt, inFront: maxCountedReviews, pace: fast }), after(14 * 24))
})

test('the estimate is always in the future, and at most 14 days plus rounding away', () => {
  const pace = fc.record({
    expectedSeconds: fc.integer({ min: 3_600, max: 720 * 3_600 }),
    usualSeconds: fc.option(fc.double({ min: 0, max: 1e8, noNaN: true })),
    decidedPerHour: fc.option(fc.double({ min: 1e-6, max: 1e6, noNaN: true })),
  })
  fc.assert(
    fc.property(pace, fc.nat(20_000), fc.nat(10_000), (given, inFront, hours) => {
      const at = after(hours)
      const ahead = expectDecision({ openedAt, at, inFront, pace: given }).getTime() - at.getTime()
      assert.ok(ahead > 0 && ahead <= 14 * 24 * hour + 5 * 60_000, String(ahead))
    }),
  )
})
