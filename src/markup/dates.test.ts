import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortDay, shortTime } from './dates.ts'

test('days and times are short and in UTC', () => {
  assert.equal(shortDay(new Date('2026-09-05T23:59:59Z')), '5 Sep 2026')
  assert.equal(shortTime(new Date('2026-11-15T12:00:30Z')), '15 Nov 2026, 12:00 UTC')
})
