import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kinds } from '../../kinds/index.ts'
import { formFiltersOf, nextPath, queryOf, readAsked, shownFilters } from './query.ts'

const filters = formFiltersOf(kinds)

const read = (url: string) => readAsked(url, filters, 'story')

test('empty fields and unknown parameters are ignored', () => {
  assert.deepEqual(read('/search?q=night+bus&kind=&topic=&sort=newest&utm_source=a&utm_source=b&limit=50'), {
    q: 'night bus',
    kind: '',
    sort: 'newest',
  })
  for (const url of ['/search', '/search?', '/search?q=', '/search?%', '/search?__proto__=a'])
    assert.deepEqual(read(url), { kind: 'story' }, url)
})

test('a search is on its site, unless another site or all sites are chosen', () => {
  assert.equal(queryOf(read('/search?q=a'), filters)['kind'], 'story')
  assert.equal(queryOf(read('/search?q=a&kind=event'), filters)['kind'], 'event')
  assert.ok(!('kind' in queryOf(read('/search?q=a&kind='), filters)))
})

test('the filters of another kind are dropped when a site is chosen', () => {
  const chosen = 'q=a&category=vehicles&topic=ferries'
  assert.deepEqual(read(`/search?${chosen}&kind=event`), { q: 'a', topic: 'ferries', kind: 'event' })
  for (const kind of ['', 'classified'])
    assert.equal(read(`/search?${chosen}&kind=${kind}`)['category'], 'vehicles', kind)
})

test('the form shows the filters of the chosen kind; for all sites, those that are shared or set', () => {
  const names = (url: string) => shownFilters(read(url), filters).map(({ name }) => name)
  assert.deepEqual(names('/search'), ['topic'])
  assert.deepEqual(names('/search?kind=event'), ['topic', 'country', 'starts_after', 'starts_before'])
  const ofAds = ['topic', 'country', 'category', 'condition', 'currency', 'min_price', 'max_price']
  assert.deepEqual(names('/search?kind=classified'), ofAds)
  assert.deepEqual(names('/search?kind='), ['topic', 'country'])
  assert.deepEqual(names('/search?kind=&category=vehicles'), ['topic', 'country', 'category'])
})

test('the days of a filter include the last one', () => {
  assert.deepEqual(queryOf({ q: 'a', starts_after: '2030-06-15', starts_before: '2030-06-16' }, filters), {
    q: 'a',
    starts_after: '2030-06-15T00:00:00.000Z',
    starts_before: '2030-06-16T23:59:59.000Z',
  })
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
  assert.deepEqual(read(nextPath(asked, 'new')), { ...asked, cursor: 'new' })
})
