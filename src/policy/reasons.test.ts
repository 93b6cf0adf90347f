import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyCategoryIds } from './policy.ts'
import { reasonFor, remedyFor, ruleFor, splitReason } from './reasons.ts'

test('each category has its own reason: two short sentences', () => {
  const reasons = policyCategoryIds.map(reasonFor)
  assert.equal(new Set(reasons).size, policyCategoryIds.length)
  for (const reason of reasons) {
    assert.match(reason, /^[A-Z][^.]*\. [A-Z][^.]*\.$/)
    assert.ok(reason.length <= 220, reason)
  }
})

test('a stored reason is split into its rule and its remedy, even if no category uses it any more', () => {
  for (const category of policyCategoryIds)
    assert.deepEqual(splitReason(reasonFor(category)), { rule: ruleFor(category), remedy: remedyFor(category) })
  assert.deepEqual(splitReason('An older rule. An older remedy. And more.'), {
    rule: 'An older rule.',
    remedy: 'An older remedy. And more.',
  })
  assert.deepEqual(splitReason(''), { rule: '', remedy: '' })
})
