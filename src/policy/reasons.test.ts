import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyCategoryIds } from './policy.ts'
import { reasonFor } from './reasons.ts'

test('each category has its own reason: two short sentences', () => {
  const reasons = policyCategoryIds.map(reasonFor)
  assert.equal(new Set(reasons).size, policyCategoryIds.length)
  for (const reason of reasons) {
    assert.match(reason, /^[A-Z][^.]*\. [A-Z][^.]*\.$/)
    assert.ok(reason.length <= 220, reason)
  }
})
