import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kinds } from '../../kinds/index.ts'
import { formFiltersOf, nextPath, queryOf, readAsked } from './query.ts'

const filters = formFiltersOf(kinds)

test('empty fields and unknown parameters are ignored', () => {
  assert.deepEqual(readAsked('/search?q=night+bus&kind=&sort=newest&utm_source=a&utm_source=b&limit=50', filters), {
    q: 'night bus',
    sort: 'newest',
  })
  for (const url of ['/search', '/search?', '/search?q=', '/search?%', '/search?__proto__=a'])
    assert.deepEqual(readAsked(url, filters), {}, url)
})

test('dates are whole UTC days, including the last one', () => {
  assert.deepEqual(queryOf({ q: 'a', since: '2026-11-14', until: '2026-11-15' }, filters), {
    q: 'a',
    since: '2026-11-14T00:00:00.000Z',
    until: '2026-11-16T00:00:00.000Z',
  })
})

test('an invalid date is passed on for validation to refuse', () => {
  for (const day of ['2026-02-30', '2026-13-01', '0000-01-01', '2026-11-15T12:00:00Z', 'soon', '26-1-1'])
    assert.deepEqual(queryOf({ since: day }, filters)['since'], day)
})

test('a topic can be written in plain words', () => {
  for (const topic of ['open-data', '#open-data', 'Open Data', ' open  data '])
    assert.equal(queryOf({ topic }, filters)['topic'], 'open-data')
})

test('the link to the next page keeps all parameters', () => {
  const asked = { q: 'a & "b"', kind: 'story', since: '2026-11-14', cursor: 'old' }
  assert.deepEqual(readAsked(nextPath(asked, 'new'), filters), { ...asked, cursor: 'new' })
})
