import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeoutsToOpen } from './circuit.ts'
import type { Lane, Queue } from './lane.ts'
import { openSeats } from './seats.ts'

const bounds = { first: { seats: 8 }, again: { seats: 2 } }
const lane = (queue: Queue, host: string, { due = 100, timeouts = 0 } = {}) =>
  ({ queue, endpoint: { host, timeouts }, due: Array(due).fill({}) }) as unknown as Lane

/** Takes for as many lanes as get something. */
function fill(seats: ReturnType<typeof openSeats>, make: () => Lane) {
  const taken: { lane: Lane; given: number }[] = []
  for (let next = make(); ; next = make()) {
    const given = seats.take(next)
    if (given === 0) return taken
    taken.push({ lane: next, given })
  }
}

test('a run gets what it can use, up to its bound', () => {
  const seats = openSeats(bounds)
  assert.equal(seats.take(lane('first', 'a.example')), 8)
  assert.equal(seats.take(lane('first', 'b.example', { due: 3 })), 3)
  assert.equal(seats.take(lane('again', 'a.example')), 2)
})

test('a host is bounded whoever has endpoints there, and has separate seats for retries', () => {
  const seats = openSeats(bounds)
  const taken = fill(seats, () => lane('first', 'shared.example'))
  assert.equal(
    taken.reduce((sum, { given }) => sum + given, 0),
    32,
  )
  assert.equal(seats.take(lane('again', 'shared.example')), 2)
  assert.equal(seats.take(lane('first', 'other.example')), 8)
  for (const { lane: one, given } of taken) seats.leave(one, given)
  assert.equal(seats.take(lane('first', 'shared.example')), 8)
})

test('endpoints that have timed out get one seat each, and only a few get one at a time', () => {
  const seats = openSeats(bounds)
  let number = 0
  const hanging = () => lane('first', `hangs-${number++}.example`, { timeouts: timeoutsToOpen })
  const taken = fill(seats, hanging)
  assert.ok(taken.length < 128, 'they cannot fill a process')
  assert.ok(taken.every(({ given }) => given === 1))
  assert.equal(seats.take(lane('first', 'healthy.example')), 8)
  // It answers again by the time its run ends: its place is free all the same.
  const [first] = taken
  assert.ok(first)
  first.lane.endpoint.timeouts = 0
  seats.leave(first.lane, first.given)
  assert.equal(seats.take(hanging()), 1)
})
