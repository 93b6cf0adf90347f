import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reviewReasonOf } from './apply-decision.ts'
import { decisionTable } from './decision-table.ts'

const model = { automated: true, actor: 'model:test' }
const reason = (row: string, { judged = true, category = null as 'spam' | 'self_harm' | null } = {}) =>
  reviewReasonOf({ category, by: { ...model, scores: { row, judged } } })

test('each row of the decision table that opens a review has a review reason', () => {
  const given = decisionTable.filter(({ outcome }) => outcome === 'review').map(({ id }) => [id, reason(id)])
  assert.deepEqual(Object.fromEntries(given), {
    minors: 'sensitive',
    judge_failed: 'no_answer',
    judge_doubts: 'unsure',
    judge_refuses_alone: 'unsure',
    rule_hit: 'rule',
    local_suspects: 'unsure',
    rule_doubts: 'rule',
    local_alone_in_doubt: 'unsure',
  })
})

test('a sensitive category comes first, and an ordinary one is not revealed', () => {
  assert.equal(reason('rule_hit', { category: 'self_harm' }), 'sensitive')
  assert.equal(reason('judge_refuses_alone', { category: 'spam' }), 'unsure')
})

test('a language that the local model cannot judge is the reason if there is no other', () => {
  assert.equal(reason('local_alone_in_doubt', { judged: false }), 'language')
  assert.equal(reason('rule_hit', { judged: false }), 'rule')
})

test('a post that no model could judge has the reason no_answer', () => {
  for (const actor of ['system:model-gave-no-answer', 'system:waited-too-long'])
    assert.equal(reviewReasonOf({ category: null, by: { automated: true, actor } }), 'no_answer')
})
