import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockTime, dateParts, longDate, utcTime } from './dates.ts'

test('a time is shown as written, without converting its offset', () => {
  const lateInAuckland = '2030-06-15T23:30:00+12:00'
  assert.equal(longDate(lateInAuckland), '15 June 2030')
  assert.equal(clockTime(lateInAuckland), '23:30')
  assert.deepEqual(dateParts(lateInAuckland), { day: 15, month: 'June', year: '2030', weekday: 'Saturday' })
})

test('the markup also contains the exact time', () => {
  assert.equal(
    utcTime('2026-11-15T12:00:03.000Z'),
    '<time datetime="2026-11-15T12:00:03.000Z">15 November 2026, 12:00 UTC</time>',
  )
})
