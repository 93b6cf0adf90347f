import { sql } from 'kysely'
import { z } from 'zod'
import { timestamp } from '../../contract/fields.ts'
import type { Database } from '../../platform/database/database.ts'
import { type AgentRefusalCode, agentRefusals } from '../../platform/http-signatures/refusal.ts'

const refusalCodes = Object.keys(agentRefusals) as [AgentRefusalCode, ...AgentRefusalCode[]]

/** What an agent that signs its requests learns about its mark. */
export const agentRecord = z
  .strictObject({
    state: z
      .enum(['verified', 'awaiting_owner', 'checking', 'refused', 'declined', 'lost'])
      .meta({ description: 'Only `verified` is public. `awaiting_owner`: the owner confirms it on the owner page.' }),
    domain: z.string().nullable().meta({ description: 'The domain that publishes the key; null if none was read.' }),
    directory_url: z.string().nullable(),
    verified_at: timestamp.nullable(),
    checked_at: timestamp.nullable().meta({ description: 'When the directory was last read.' }),
    last_refusal: z
      .strictObject({ code: z.enum(refusalCodes), detail: z.string(), at: timestamp })
      .nullable()
      .meta({ description: 'Why the last signature or key was refused.' }),
  })
  .meta({ component: 'VerifiedAgentStatus' })

export type AgentRecord = z.input<typeof agentRecord>

/** The states in the order in which they matter to an agent. */
const order = ['verified', 'awaiting_owner', 'checking', 'lost', 'refused', 'declined'] as const

/** The mark of an account, or what became of its last signature; null if it never signed. */
export async function readAgentRecord(db: Database, accountId: string): Promise<AgentRecord | null> {
  const rows = await db
    .selectFrom('agent_keys')
    .select(['domain', 'directory_url', 'state', 'refusal', 'signed_at', 'checked_at', 'decided_at'])
    .where('account_id', '=', accountId)
    // A mark must be among them, however many keys were refused after it.
    .orderBy(sql`state in ('verified', 'awaiting_owner')`, 'desc')
    .orderBy('signed_at', 'desc')
    .limit(50)
    .execute()
  const form = await db
    .selectFrom('agent_refusals')
    .select(['refusal', 'refused_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const [row] = rows.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
  if (!row && !form) return null
  const failed = rows.find(({ refusal }) => refusal !== null)
  const refusals = [
    ...(form ? [refusalOf(form.refusal, form.refused_at)] : []),
    ...(failed ? [refusalOf(failed.refusal ?? '', failed.checked_at ?? failed.signed_at)] : []),
  ].toSorted((one, other) => (one.at < other.at ? 1 : -1))
  return {
    state: row?.state ?? 'refused',
    domain: row?.domain ?? null,
    directory_url: row?.directory_url ?? null,
    verified_at: row?.state === 'verified' ? (row.decided_at?.toISOString() ?? null) : null,
    checked_at: row?.checked_at?.toISOString() ?? null,
    last_refusal: refusals[0] ?? null,
  }
}

function refusalOf(stored: string, at: Date) {
  const code = stored as AgentRefusalCode
  return { code, detail: agentRefusals[code], at: at.toISOString() }
}

export type AgentForOwner = { domain: string; keyId: string; checkedAt: Date | null }

export type AgentsForOwner = Awaited<ReturnType<typeof readAgentsForOwner>>

/** What the owner page shows: the mark, agents that wait for a decision, and a mark that was lost. */
export async function readAgentsForOwner(db: Database, accountId: string) {
  const rows = await db
    .selectFrom('agent_keys')
    .select(['domain', 'key_id', 'state', 'refusal', 'checked_at', 'decided_at'])
    .where('account_id', '=', accountId)
    .where('state', 'in', ['verified', 'awaiting_owner', 'lost'])
    .orderBy('signed_at')
    .execute()
  const inState = (state: string) => rows.filter((row) => row.state === state)
  const forOwner = ({ domain, key_id, checked_at }: (typeof rows)[number]): AgentForOwner => ({
    domain,
    keyId: key_id,
    checkedAt: checked_at,
  })
  const [verified] = inState('verified')
  // Only a mark that the owner had confirmed can be missed.
  const lost = inState('lost').filter(({ decided_at }) => decided_at !== null)
  return {
    verified: verified?.decided_at ? { domain: verified.domain, since: verified.decided_at } : null,
    waiting: inState('awaiting_owner').map(forOwner),
    lost: verified
      ? []
      : lost.map((row) => ({ ...forOwner(row), reason: agentRefusals[row.refusal as AgentRefusalCode] })),
  }
}
