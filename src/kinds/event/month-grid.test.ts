import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthGrid } from './month-grid.ts'

const grid = monthGrid('2030-01', [
  { starts_at: '2029-12-30T10:00:00Z', ends_at: '2030-01-02T12:00:00Z' },
  { starts_at: '2030-01-19T18:00:00Z', ends_at: '2030-01-19T20:00:00Z' },
  { starts_at: '2030-01-18T18:00:00+02:00', ends_at: '2030-01-20T00:00:00+02:00' },
])
const words = (html: string) => html.replaceAll(/<[^>]+>/g, '')
const busy = [...grid.matchAll(/<a href="([^"]+)">(.*?)<\/a>/g)].map(([, href, text]) => [href, words(String(text))])

test('every day of an event within the month is marked and links to the event', () => {
  assert.deepEqual(busy, [
    ['#day-2029-12-30', '1 January, 1 event'],
    ['#day-2029-12-30', '2 January, 1 event'],
    ['#day-2030-01-18', '18 January, 1 event'],
    ['#day-2030-01-19', '19 January, 2 events'],
  ])
})

test('every week has seven cells', () => {
  const weeks = [...grid.matchAll(/<tr>(<td.*?)<\/tr>/g)].map(([, cells]) => String(cells).match(/<td>/g)?.length)
  assert.deepEqual(weeks, [7, 7, 7, 7, 7])
  assert.equal(monthGrid('2027-02', []).match(/<td>\d+<\/td>/g)?.length, 28)
})
