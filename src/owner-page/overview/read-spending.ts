import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import { firstIdAt } from '../../platform/identifiers.ts'

export const spendingDays = 30
const dayMs = 86_400_000

export type DayOfSpending = { day: Date; micros: number }

/**
 * What was charged on each of the last days and has not come back, today last. What was given back counts for the day of
 * the charge. Days without a charge are there, with nothing.
 */
export async function readSpending(db: Database, accountId: string, at: Date): Promise<DayOfSpending[]> {
  const today = Math.floor(at.getTime() / dayMs) * dayMs
  const days = Array.from({ length: spendingDays }, (_, index) => new Date(today - (spendingDays - 1 - index) * dayMs))
  const since = days[0] ?? at
  const { rows } = await sql<{ day: string; micros: number }>`
    select to_char(taken_at at time zone 'UTC', 'YYYY-MM-DD') as day, sum(micros)::bigint as micros
    from (
      select min(entered_at) filter (where reason not in ('refund', 'review_return', 'penalty_return')) as taken_at,
        sum(case when reason in ('refund', 'review_return', 'penalty_return') then -amount_micros else amount_micros end) as micros
      from ledger_transfers
      where account_id = ${accountId} and id >= ${firstIdAt('txn', since)} and entered_at >= ${since}
        and reason in ('post', 'edit', 'search', 'penalty', 'refund', 'review_return', 'penalty_return')
      group by subject, reason in ('penalty', 'penalty_return')
    ) as spending
    where taken_at is not null
    group by 1`.execute(db)
  const spent = new Map(rows.map(({ day, micros }) => [day, Number(micros)]))
  return days.map((day) => ({ day, micros: spent.get(day.toISOString().slice(0, 10)) ?? 0 }))
}
