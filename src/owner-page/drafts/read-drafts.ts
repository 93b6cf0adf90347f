import { sql } from 'kysely'
import type { DraftProblem } from '../../drafts/draft-record.ts'
import { type DraftState, openStates } from '../../drafts/draft-states.ts'
import { readBalance } from '../../ledger/balance.ts'
import { spentToday } from '../../ledger/spending-limits.ts'
import type { Database } from '../../platform/database/database.ts'

export type OwnDraft = {
  id: string
  kind: string
  state: DraftState
  content: object | null
  total_micros: number
  publish_at: Date | null
  approved_at: Date | null
  expires_at: Date | null
  created_at: Date
  decided_at: Date | null
  post_id: string | null
  problem: DraftProblem | null
  key_id: string
  key_name: string
  /** Null if the key has no cap. */
  cap_left_micros: number | null
}

const selectDrafts = (db: Database, accountId: string, at: Date) =>
  db
    .selectFrom('drafts')
    .innerJoin('api_keys', 'api_keys.id', 'drafts.key_id')
    .select(['drafts.id', 'drafts.kind', 'drafts.state', 'drafts.content', 'drafts.total_micros', 'drafts.publish_at'])
    .select(['drafts.approved_at', 'drafts.expires_at', 'drafts.created_at', 'drafts.decided_at', 'drafts.post_id'])
    .select(['drafts.problem', 'drafts.key_id', 'api_keys.name as key_name'])
    .select(sql<number | null>`daily_cap_micros - ${spentToday(at)}`.as('cap_left_micros'))
    .where('drafts.account_id', '=', accountId)

/** All open drafts of the account, oldest first. The number is limited. */
export async function listOpenDrafts(db: Database, accountId: string, at: Date): Promise<OwnDraft[]> {
  const rows = await selectDrafts(db, accountId, at)
    .where('drafts.state', 'in', openStates)
    .where((where) => where.or([where('drafts.state', '=', 'scheduled'), where('drafts.expires_at', '>', at)]))
    .orderBy('drafts.id')
    .execute()
  return rows as OwnDraft[]
}

/** The drafts that ended last, newest first. */
export async function listEndedDrafts(db: Database, accountId: string, at: Date): Promise<OwnDraft[]> {
  const rows = await selectDrafts(db, accountId, at)
    .where('drafts.decided_at', 'is not', null)
    .orderBy('drafts.decided_at', 'desc')
    .orderBy('drafts.id', 'desc')
    .limit(endedShown)
    .execute()
  return rows as OwnDraft[]
}

const endedShown = 20

export type SpendingOutlook = {
  isBanned: boolean
  totalMicros: number
  /** Null unless the balance does not cover all drafts. */
  balanceMicros: number | null
  /** The keys whose cap for today does not cover their drafts. */
  cappedKeys: { name: string; totalMicros: number; leftMicros: number }[]
}

/** What would keep the drafts from being submitted if all were approved now. */
export async function readOutlook(
  db: Database,
  accountId: string,
  drafts: readonly OwnDraft[],
): Promise<SpendingOutlook> {
  const { standing } = await db
    .selectFrom('accounts')
    .select('standing')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const { prepaidMicros, owedMicros } = await readBalance(db, accountId)
  const totalMicros = sumOf(drafts)
  const byKey = Map.groupBy(drafts, ({ key_id }) => key_id)
  const cappedKeys = [...byKey.values()].flatMap((own) => {
    const [first] = own
    const total = sumOf(own)
    return first && first.cap_left_micros !== null && first.cap_left_micros < total
      ? [{ name: first.key_name, totalMicros: total, leftMicros: Math.max(0, first.cap_left_micros) }]
      : []
  })
  return {
    isBanned: standing !== 'good',
    totalMicros,
    balanceMicros: prepaidMicros - owedMicros < totalMicros ? prepaidMicros : null,
    cappedKeys,
  }
}

const sumOf = (drafts: readonly OwnDraft[]) => drafts.reduce((sum, { total_micros }) => sum + total_micros, 0)
