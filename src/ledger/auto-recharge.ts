import { type RawBuilder, sql } from 'kysely'
import { startOfUtcDay } from '../contract/utc-day.ts'
import { hasJob } from '../jobs/backlog.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'

/** After a card has refused, it is left alone for so long. */
const rechargeRestMs = 3_600_000
/** So many refusals in a row turn auto-recharge off. */
export const maxRechargeFailures = 3
/** So many accounts in one run; the next run, a minute later, takes the following. */
const batch = 1_000

/**
 * SQL for `from … where`: the accounts, as `account` and `balance`, whose card is to be charged now.
 *
 * Once for each time that the balance falls: what has been taken since the last recharge came in makes another one due,
 * and so does the owner who has turned it on since: after a refund nothing is left that could be taken. A debt that eats a
 * recharge does not bring the next one.
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

/** Asks for a recharge if one seems to be due. Whether it is, the job decides, which alone may make a payment. */
export async function askForRecharge(db: Database, { accountId, at }: { accountId: string; at: Date }): Promise<void> {
  const { rows } = await sql`select from ${dueForRecharge(at)} and account.id = ${accountId}`.execute(db)
  if (rows.length > 0)
    await inTransaction(db, (tx) => enqueue(tx, 'recharge-balance', { account_id: accountId }, once(accountId)))
}

/** Asks for every recharge that is due and not asked for, or was begun and is carried on by nobody. */
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
