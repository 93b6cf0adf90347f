import { z } from 'zod'
import { defineOperation, type Operation } from '../../../src/contract/define-operation.ts'

const output = z.strictObject({ done: z.literal(true) })
const examples = { output: { done: true as const } }
const shared = { method: 'POST' as const, successStatus: 200 as const, tag: 'Probe', output, problems: [], examples }
const handle = () => ({ done: true as const })

/** Operations of a form that no real one has yet, so that the interfaces are tested for it in advance. */
export const probeOperations: readonly Operation[] = [
  defineOperation({
    ...shared,
    id: 'probeGoodStanding',
    path: '/v1/probe/good-standing',
    access: 'key',
    whenBanned: 'refused',
    summary: 'Needs good standing',
    description: 'Refused to a banned account.',
    handle,
  }),
  defineOperation({
    ...shared,
    id: 'probeOwner',
    path: '/v1/probe/owner',
    access: 'owner',
    whenBanned: 'refused',
    summary: 'Needs the owner',
    description: 'Refused to every API key.',
    handle,
  }),
]
