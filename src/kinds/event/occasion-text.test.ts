import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayAndHours, hours, localTime, zoneText } from './occasion-text.ts'

const evening = {
  starts_at: '2030-06-15T18:00:00+01:00',
  ends_at: '2030-06-15T22:00:00+01:00',
  timezone: 'Europe/Lisbon',
}
const night = {
  starts_at: '2030-10-26T22:00:00+02:00',
  ends_at: '2030-10-27T04:00:00+01:00',
  timezone: 'Europe/Berlin',
}
const words = (html: string) => html.replaceAll(/<[^>]+>/g, '')

test('an event is shown in its local time', () => {
  assert.equal(localTime(evening.starts_at), 'Saturday 15 June 2030, 18:00')
  assert.equal(words(hours(evening)), '18:00–22:00')
  assert.equal(words(dayAndHours(evening)), 'Saturday 15 June 2030, 18:00–22:00')
  assert.match(hours(evening), /datetime="2030-06-15T18:00:00\+01:00"/)
})

test('the end date is shown if it differs', () => {
  assert.equal(words(hours(night)), '22:00 until Sunday 27 October 2030, 04:00')
})

test('the time zone is shown with its UTC offset, or with both if the clocks change', () => {
  assert.equal(zoneText(evening), 'Europe/Lisbon (UTC+01:00)')
  assert.equal(zoneText(night), 'Europe/Berlin (UTC+02:00, then UTC+01:00)')
  assert.equal(zoneText({ starts_at: '2030-03-05T15:00:00Z', ends_at: '2030-03-05T17:00:00Z', timezone: 'UTC' }), 'UTC')
})
