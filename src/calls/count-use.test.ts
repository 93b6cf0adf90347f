import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { Call } from '../contract/call.ts'
import { defineOperation } from '../contract/define-operation.ts'
import { countUse } from './count-use.ts'

const search = defineOperation({
  id: 'search',
  method: 'GET',
  path: '/v1/probe',
  access: 'anyone',
  whenBanned: 'allowed',
  successStatus: 200,
  tag: 'Probe',
  summary: 'Counted as a search is',
  description: 'Counted as a search is.',
  output: z.strictObject({}),
  problems: [],
  allowance: { withKey: 'searches-per-key', withoutKey: 'searches-per-address' },
  examples: { output: {} },
  handle: () => ({}),
})

test('a limit of 0 means no limit: nothing is counted and no headers are sent', async () => {
  // There is no database, so counting would fail.
  const call = { caller: null, metering: { freeRemaining: 0, chargedMicros: 0 } } as Call
  const using = { operation: search, call, sizes: { 'searches-per-address': 0 }, maxChargeMicros: null }
  const answer = await countUse(using, async (given) => {
    assert.deepEqual(given.metering, { freeRemaining: 0, chargedMicros: 0 })
    return { headers: { link: 'kept' } }
  })
  assert.deepEqual(answer, { headers: { link: 'kept' } })
})
