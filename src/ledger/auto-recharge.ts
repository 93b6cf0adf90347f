import { type RawBuilder, sql } from 'kysely'
import { startOfUtcDay } from '../contract/time/utc-day.ts'
import { hasJob } from '../jobs/backlog.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'

/** How long to wait after a card was declined. */
const rechargeRestMs = 3_600_000
/** The number of failures in a row that turns auto-recharge off. */
export const maxRechargeFailures = 3
/** Accounts per run. The next run, a minute later, handles more. */
const batch = 1_000

/**
 * SQL for `from … where`: the accounts, as `account` and `balance`, whose card should be charged now. After a recharge,
 * another is due only after further spending or, because a refund leaves nothing to spend, after the owner changed the
 * settings. A debt that uses up a recharge does not trigger another.
 */
export const dueForRecharge = (at: Date): RawBuilder<unknown> => sql`
  accounts account join balances balance on balance.account_id = account.id
  where account.auto_recharge_enabled and account.card_on_file and account.standing = 'good'
    and balance.prepaid_micros < account.auto_recharge_threshold_micros
    and (account.recharge_failures = 0 or account.recharge_failed_at <= ${new Date(at.getTime() - rechargeRestMs)})
    and not exists (
      select from payments where account_id = account.id and cause = 'recharge' and status = 'started'
    )
    and account.auto_recharge_amount_micros + (
      select coalesce(sum(amount_micros), 0) from payments
      where account_id = account.id and cause = 'recharge' and status = 'paid' and created_at >= ${startOfUtcDay(at)}
    ) <= account.auto_recharge_daily_cap_micros
    and coalesce(
      (select max(settled_at) from payments where account_id = account.id and cause = 'recharge' and status = 'paid'),
      '-infinity'
    ) < greatest(account.auto_recharge_changed_at, (
      select entered_at from ledger_transfers
      where account_id = account.id and reason in ('post', 'edit', 'search', 'penalty', 'debit') order by id desc limit 1
    ))`

/** Enqueues a recharge if one seems due. The job checks again, because only the job may create a payment. */
export async function askForRecharge(db: Database, { accountId, at }: { accountId: string; at: Date }): Promise<void> {
  const { rows } = await sql`select from ${dueForRecharge(at)} and account.id = ${accountId}`.execute(db)
  if (rows.length > 0)
    await inTransaction(db, (tx) => enqueue(tx, 'recharge-balance', { account_id: accountId }, once(accountId)))
}

/** Enqueues every recharge that is due but not enqueued, or that was started and abandoned. */
export async function askForRecharges(db: Database, at: Date): Promise<void> {
  const { rows } = await sql<{ account_id: string }>`
    (
      select balance.account_id from ${dueForRecharge(at)} and not ${hasJob('recharge-balance', ['account_id'], 'balance')}
      union
      select account_id from payments begun
      where cause = 'recharge' and status = 'started' and not ${hasJob('recharge-balance', ['account_id'], 'begun')}
    )
    limit ${batch}`.execute(db)
  for (const { account_id } of rows)
    await inTransaction(db, (tx) => enqueue(tx, 'recharge-balance', { account_id }, once(account_id)))
}

const once = (accountId: string) => ({ once: `recharge:${accountId}` })
