import assert from 'node:assert/strict'
import { test } from 'node:test'
import { times } from '../../../../tooling/test-length.ts'
import { fuzzDoors } from './doors.ts'

// A short form of `npm run fuzz -- doors`, which sends a million and also judges the memory.

test('odd contents sent to the API, MCP, the owner page, the desk and the search page get no 5xx', async () => {
  const count = times({ whole: 20_000, short: 1_000 })
  const { failures, sent, statuses } = await fuzzDoors({ count, seed: 20_261_117, first: 0, onAnswer: () => {} })
  assert.deepEqual(failures, [])
  assert.equal(sent, count)
  for (const [door, counts] of Object.entries(statuses)) assert.ok(counts['200'], `some requests to ${door} succeed`)
})
