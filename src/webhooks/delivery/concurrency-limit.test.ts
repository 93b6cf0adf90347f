import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { timeoutsToOpen } from './endpoint-health.ts'
import type { DeliveryLane, LaneQueue } from './lanes.ts'

const bounds = { first: { concurrency: 8 }, again: { concurrency: 2 } }
const lane = (queue: LaneQueue, host: string, { due = 100, timeouts = 0 } = {}) =>
  ({ queue, endpoint: { host, timeouts }, due: Array(due).fill({}) }) as unknown as DeliveryLane

/** Takes attempts for each lane in turn, until a lane gets none. */
function fill(concurrency: ReturnType<typeof createConcurrencyLimit>, make: () => DeliveryLane) {
  const taken: { lane: DeliveryLane; given: number }[] = []
  for (let next = make(); ; next = make()) {
    const given = concurrency.take(next)
    if (given === 0) return taken
    taken.push({ lane: next, given })
  }
}

test('a run gets as many attempts as it can use, up to its limit', () => {
  const concurrency = createConcurrencyLimit(bounds)
  assert.equal(concurrency.take(lane('first', 'a.example')), 8)
  assert.equal(concurrency.take(lane('first', 'b.example', { due: 3 })), 3)
  assert.equal(concurrency.take(lane('again', 'a.example')), 2)
})

test('a host has one limit for all accounts, and a separate one for retries', () => {
  const concurrency = createConcurrencyLimit(bounds)
  const taken = fill(concurrency, () => lane('first', 'shared.example'))
  assert.equal(
    taken.reduce((sum, { given }) => sum + given, 0),
    32,
  )
  assert.equal(concurrency.take(lane('again', 'shared.example')), 2)
  assert.equal(concurrency.take(lane('first', 'other.example')), 8)
  for (const { lane: one, given } of taken) concurrency.leave(one, given)
  assert.equal(concurrency.take(lane('first', 'shared.example')), 8)
})

test('endpoints with repeated timeouts get one attempt each, and only a few at a time', () => {
  const concurrency = createConcurrencyLimit(bounds)
  let number = 0
  const hanging = () => lane('first', `hangs-${number++}.example`, { timeouts: timeoutsToOpen })
  const taken = fill(concurrency, hanging)
  assert.ok(taken.length < 128, 'they cannot fill a process')
  assert.ok(taken.every(({ given }) => given === 1))
  assert.equal(concurrency.take(lane('first', 'healthy.example')), 8)
  // The endpoint recovered during the run, but the run still frees its trial slot.
  const [first] = taken
  assert.ok(first)
  first.lane.endpoint.timeouts = 0
  concurrency.leave(first.lane, first.given)
  assert.equal(concurrency.take(hanging()), 1)
})
