import { day, month, type Period, row } from './period.ts'

/** What agents that sign their requests leave behind. */
export const agentPeriods = {
  'agent-keys': {
    ...row,
    table: 'agent_keys',
    what: 'the key of a signing agent that was refused, declined or lost',
    keptSeconds: month,
    from: 'the last check',
    why: 'You can see why an agent is not shown as verified, and are not asked again.',
  },
  'waiting-agent-keys': {
    ...row,
    table: 'agent_keys',
    what: 'the key of a signing agent that the owner has not decided about',
    keptSeconds: month,
    from: 'the signature',
    why: 'We read its directory once a day. If the agent still signs, you are asked again.',
  },
  'agent-refusals': {
    ...row,
    table: 'agent_refusals',
    what: 'why the last signature of your agent was refused',
    keptSeconds: 7 * day,
    from: 'the refusal',
    why: 'Your agent can correct its signature.',
  },
  'agent-nonces': {
    ...row,
    table: 'agent_nonces',
    what: 'the hash of a signature’s nonce',
    keptSeconds: 0,
    from: 'the signature expires',
    why: 'A signature counts once.',
  },
} as const satisfies Record<string, Period>
