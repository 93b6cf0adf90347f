import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offsetClock, parseDuration, systemClock } from './clock.ts'

test('a duration is a whole number with a unit, and nothing else', () => {
  const durations: Record<string, number | null> = {
    '0s': 0,
    '90s': 90_000,
    '15m': 900_000,
    '25h': 90_000_000,
    '7d': 604_800_000,
    '': null,
    '7': null,
    h: null,
    '1.5h': null,
    '-1h': null,
    '1 h': null,
    '1H': null,
    '1h30m': null,
    '1e3s': null,
    '1000000000s': null,
    '1h\n': null,
  }
  for (const [text, milliseconds] of Object.entries(durations))
    assert.equal(parseDuration(text), milliseconds, JSON.stringify(text))
})

test('a clock that was set keeps running from there and can be reset', () => {
  let ms = Date.parse('2026-11-15T23:59:59Z')
  const clock = offsetClock({ now: () => new Date(ms) })
  assert.equal(clock.now().toISOString(), '2026-11-15T23:59:59.000Z')
  clock.setOffset(1_000)
  assert.equal(clock.now().toISOString(), '2026-11-16T00:00:00.000Z')
  ms += 500
  assert.equal(clock.now().toISOString(), '2026-11-16T00:00:00.500Z')
  clock.setOffset(0)
  assert.equal(clock.now().toISOString(), '2026-11-15T23:59:59.500Z')
})

test('the system clock is the machine’s clock', () => {
  const before = Date.now()
  const now = systemClock.now().getTime()
  assert.ok(before <= now && now <= Date.now())
})
