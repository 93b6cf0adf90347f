import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { attemptDelaysSeconds, jitterShare, longestRetryAfterSeconds } from '../delivery-policy.ts'
import { nextAttemptAt, readRetryAfter } from './attempts.ts'

const at = new Date('2026-11-15T12:00:00.000Z')
const failed = (retryAfterSeconds: number | null = null) => ({ status: 500, retryAfterSeconds })

test('the first attempt is immediate, and a receiver that is down for most of a day misses nothing', () => {
  const [first, ...retries] = attemptDelaysSeconds
  assert.equal(first, 0)
  // Any schedule must outlast an outage of a night and a working day.
  const total = retries.reduce((sum: number, delay) => sum + delay, 0)
  assert.ok(total > 20 * 3_600, `${total} seconds`)
})

test('every retry is within the jitter, or as late as Retry-After asks; after the last attempt there is none', () => {
  const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  const asked = fc.option(fc.integer({ min: 0, max: longestRetryAfterSeconds }))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: attemptDelaysSeconds.length }), share, asked, (tries, random, retryAfter) => {
      const next = nextAttemptAt({ tries, reaction: failed(retryAfter), at, random: () => random })
      const delay = attemptDelaysSeconds[tries]
      if (delay === undefined) return assert.equal(next, null)
      const waited = (Number(next) - at.getTime()) / 1_000
      const [least, most] = [delay * (1 - jitterShare), delay * (1 + jitterShare)].map((seconds) =>
        Math.max(seconds, retryAfter ?? 0),
      )
      assert.ok(waited >= Number(least) - 0.001 && waited <= Number(most) + 0.001, `${waited} s for ${delay} s`)
    }),
  )
})

test('Retry-After is read as seconds or as a date, and ignored if it is neither or too long', () => {
  assert.equal(readRetryAfter('120', at), 120)
  assert.equal(readRetryAfter('Sun, 15 Nov 2026 12:10:00 GMT', at), 600)
  assert.equal(readRetryAfter('3600', at), 3_600)
  for (const text of ['3601', '-1', 'soon', '', '1e3', 'Sun, 15 Nov 2026 11:00:00 GMT', '99999999999'])
    assert.equal(readRetryAfter(text, at), null, text)
  assert.equal(readRetryAfter(null, at), null)
})
