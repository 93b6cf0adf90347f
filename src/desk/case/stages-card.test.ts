import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decisionTable } from '../../moderation/decisions/decision-table.ts'
import { rowWords } from './stages-card.ts'

test('every row of the decision table has a description, and there are no extra ones', () => {
  assert.deepEqual(
    Object.keys(rowWords),
    decisionTable.map(({ id }) => id),
  )
})
