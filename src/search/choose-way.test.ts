import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchesOf } from './branches.ts'
import { chooseWay } from './choose-way.ts'
import { readQuery } from './read-query.ts'
import { shareBeginningWith, type WordStatistics } from './word-statistics.ts'

const shares = (values: Record<string, number>) => ({
  sorted: Object.keys(values).toSorted(),
  shareOf: new Map(Object.entries(values)),
})
const known: WordStatistics = {
  entries: 1_000_000,
  words: shares({ 'en/common': 0.2, 'en/usual': 0.1, 'en/middl': 0.005, 'en/commun': 0.1 }),
  facets: shares({ 'kind=message': 0.5, 'country=PT': 0.001 }),
}
const wayOf = (q: string, { facets = [] as string[], wanted = 300, isTyped = false } = {}) =>
  chooseWay(branchesOf(readQuery(q, { isTyped })), { facets, count: wanted }, known)

test('a common word scans the newest posts, and a rare word uses the index', () => {
  assert.equal(wayOf('common'), 'newest')
  assert.equal(wayOf('common usual'), 'newest')
  assert.equal(wayOf('common', { facets: ['kind=message'] }), 'newest')
  for (const q of ['rare', 'common rare', 'middle', '"common middle"', '東京']) assert.equal(wayOf(q), 'index', q)
  assert.equal(wayOf('common', { facets: ['country=PT'] }), 'index')
  assert.equal(wayOf('common', { facets: ['country=never'] }), 'index')
})

test('the fewer posts are needed, the more likely is a scan of the newest', () => {
  assert.equal(wayOf('middle', { wanted: 21 }), 'newest')
  assert.equal(wayOf('rare or middle', { wanted: 21 }), 'newest')
})

test('an incomplete word is as common as all words with that prefix', () => {
  assert.equal(wayOf('com', { isTyped: true }), 'newest')
  assert.equal(wayOf('com'), 'index')
  assert.ok(Math.abs(shareBeginningWith(known.words, 'en/comm') - 0.3) < 1e-9)
  assert.equal(shareBeginningWith(known.words, 'zz'), 0)
})
