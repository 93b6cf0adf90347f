import { z } from 'zod'
import { defineOperation } from '../../../src/contract/define-operation.ts'
import { Problem } from '../../../src/contract/problems/problem.ts'

const output = z.strictObject({ free_remaining: z.int(), charged_micros: z.int() })

/** The possible outcomes of a metered call. */
const doings = ['answer', 'fail', 'misfit', 'refuse', 'meet'] as const
export type Doing = (typeof doings)[number]

/** Counted like a search, with the given outcome. `meet` waits for the calls that should overlap. */
export const meteredOperation = (meeting: () => Promise<void> = async () => {}) =>
  defineOperation({
    id: 'probeMetered',
    method: 'GET',
    path: '/v1/probe/metered',
    access: 'anyone',
    whenBanned: 'allowed',
    successStatus: 200,
    tag: 'Probe',
    summary: 'Is counted as a search is',
    description: 'Answers, fails or refuses as it is told.',
    query: z.strictObject({ do: z.enum(doings).default('answer') }),
    output,
    problems: ['post_not_found'],
    allowance: { withKey: 'searches-per-key', withoutKey: 'searches-per-address' },
    examples: { output: { free_remaining: 99, charged_micros: 0 } },
    handle: async ({ metering }, { query }) => {
      if (query.do === 'fail') throw new Error('told to fail')
      if (query.do === 'refuse') throw new Problem('post_not_found', 'Told to refuse.')
      if (query.do === 'meet') await meeting()
      const answer = { free_remaining: metering.freeRemaining, charged_micros: metering.chargedMicros }
      return query.do === 'misfit' ? { ...answer, free_remaining: 0.5 } : answer
    },
  })
