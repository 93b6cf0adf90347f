import { sql } from 'kysely'
import { startOfUtcDay } from '../contract/utc-day.ts'
import type { Database } from '../platform/database.ts'

/** What a key may spend in a UTC day, and what it has spent in this one. */
export type KeySpending = { capMicros: number | null; spentMicros: number }

export async function readKeySpending(db: Database, keyId: string, at: Date): Promise<KeySpending> {
  const { daily_cap_micros, spent_micros } = await db
    .selectFrom('api_keys')
    .select(['daily_cap_micros', spentToday(at).as('spent_micros')])
    .where('id', '=', keyId)
    .executeTakeFirstOrThrow()
  return { capMicros: daily_cap_micros, spentMicros: spent_micros }
}

/** For a query over `api_keys`: what each has spent since 00:00 UTC. What was refunded since was spent all the same. */
export const spentToday = (at: Date) => sql<number>`(
  select coalesce(sum(amount_micros), 0)::bigint from ledger_transfers
  where key_id = api_keys.id and entered_at >= ${startOfUtcDay(at)}
)`
