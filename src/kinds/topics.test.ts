import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCheap } from '../../test/support/cost.ts'
import { refusals } from '../../test/support/http/refusals.ts'
import { topicFacets, topicFilters, topics, topicTexts } from './topics.ts'

const pattern = 'must contain only lowercase letters a–z and digits, separated by single hyphens'

test('topics are optional and default to an empty list', () => {
  assert.deepEqual(topics.parse(undefined), [])
  assert.deepEqual(topics.parse([]), [])
  assert.deepEqual(refusals(topics, null), ['# must be an array'])
  assert.deepEqual(refusals(topics, 'news'), ['# must be an array'])
})

test('a post has at most five topics', () => {
  assert.deepEqual(refusals(topics, ['aa', 'bb', 'cc', 'dd', 'ee']), [])
  assert.deepEqual(refusals(topics, ['aa', 'bb', 'cc', 'dd', 'ee', 'ff']), [
    '# must have at most 5 topics; remove the rest',
  ])
})

test('a topic has 2 to 40 characters', () => {
  assert.deepEqual(refusals(topics, ['ab', 'a'.repeat(40), '42', `a${'-b'.repeat(19)}`]), [])
  assert.deepEqual(refusals(topics, ['a']), ['#/0 must be at least 2 characters'])
  assert.deepEqual(refusals(topics, ['a'.repeat(41)]), ['#/0 must be at most 40 characters'])
})

test('a topic consists of lowercase words with single hyphens', () => {
  for (const wrong of ['Aa', 'a b', '-aa', 'aa-', 'a--b', 'a_b', 'münchen', 'a\n', 'ａｂ', '#tag'])
    assert.deepEqual(refusals(topics, ['fine', wrong]), [`#/1 ${pattern}`], wrong)
  assert.deepEqual(refusals(topics, [7]), ['#/0 must be a string'])
})

test('a repeated topic is reported along with other errors', () => {
  assert.deepEqual(refusals(topics, ['news', 'news', 8, 'sport', 'news']), [
    '#/2 must be a string',
    '#/1 repeats an earlier topic; remove it',
    '#/4 repeats an earlier topic; remove it',
  ])
})

test('a list as long as a request is rejected without checking each topic', () => {
  const list = Array(130_000).fill(1)
  assertCheap(() => assert.ok(refusals(topics, list).length <= 20), 2, 'the list')
})

test('topics are part of the text, the facets and the filters', () => {
  assert.deepEqual(topicTexts({ topics: ['open-data', 'news'] }), [{ field: 'topics', text: 'open-data news' }])
  assert.deepEqual(topicFacets({ topics: ['open-data', 'news'] }), { topics: ['open-data', 'news'] })
  assert.deepEqual([topicTexts({ topics: [] }), topicFacets({ topics: [] })], [[], {}])
  assert.equal(topicFilters.topic.query.parse('news'), 'news')
  assert.deepEqual(refusals(topicFilters.topic.query, 'Big News'), [`# ${pattern}`])
})
