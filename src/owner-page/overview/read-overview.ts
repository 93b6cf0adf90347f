import { sql } from 'kysely'
import { standingDeletionRequest } from '../../accounts/deletion/request-deletion.ts'
import { readTrust } from '../../accounts/trust/read-trust.ts'
import { readBalance, readDebtsElsewhere } from '../../ledger/balance.ts'
import type { Database } from '../../platform/database/database.ts'
import { firstIdAt } from '../../platform/identifiers.ts'

/** A payment started longer ago will probably not complete. */
const begunRecentlyMs = 3_600_000

export type Overview = Awaited<ReturnType<typeof readOverview>>

/** The account's state, and everything that needs the owner's attention. */
export async function readOverview(db: Database, accountId: string, at: Date) {
  const account = await db
    .selectFrom('accounts')
    .select(['standing', 'banned_with', 'strikes', 'card_on_file', 'deletion_requested_at', 'auto_recharge_enabled'])
    .select([
      'auto_recharge_amount_micros',
      'auto_recharge_threshold_micros',
      'recharge_failures',
      'recharge_failed_at',
    ])
    .select(
      sql<number>`(select count(*) from api_keys where account_id = accounts.id and revoked_at is null)`.as('keys'),
    )
    .select(
      sql<number>`(select count(*) from webhooks where account_id = accounts.id and deleted_at is null)`.as('webhooks'),
    )
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const begun = await db
    .selectFrom('payments')
    .select(['id', 'amount_micros', 'created_at', 'cause'])
    .where('account_id', '=', accountId)
    .where('status', '=', 'started')
    .where('id', '>=', firstIdAt('pay', new Date(at.getTime() - begunRecentlyMs)))
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return {
    ...account,
    ...(await readBalance(db, accountId)),
    debtsElsewhere: await readDebtsElsewhere(db, accountId),
    deletionRequestedAt: standingDeletionRequest(account.deletion_requested_at, at),
    begunPayment: begun ?? null,
    trust: await readTrust(db, { accountId, at }),
  }
}

export const spendingDays = 30
const dayMs = 86_400_000

export type DayOfSpending = { day: Date; micros: number }

/**
 * Charges minus refunds for each of the last days, today last. A refund counts for the day of its charge. Days without
 * a charge are included as zero.
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
