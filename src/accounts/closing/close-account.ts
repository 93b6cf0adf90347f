import { sql } from 'kysely'
import { enqueue } from '../../jobs/enqueue.ts'
import { hasJob } from '../../jobs/has-job.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database.ts'

/**
 * Ends an account for good: its keys, links and sessions are dead with the commit, and nothing says any more whose it
 * was. What is erased is listed in migrations/0023. Returns false when it was closed before.
 */
export async function closeAccount(tx: Transaction, { accountId, at }: { accountId: string; at: Date }) {
  const { rows } = await sql<{ closed: boolean }>`select close_account(${accountId}, ${at}) as closed`.execute(tx)
  if (!rows[0]?.closed) return false
  await askForClearing(tx, accountId)
  return true
}

const askForClearing = (tx: Transaction, accountId: string) =>
  enqueue(tx, 'clear-closed-account', { account_id: accountId }, { once: accountId })

/** So many in a run; the next one is a minute away. */
const requeuedAtMost = 100

/** Asks again for what was closed and is not cleared, as after a restored backup or a job that failed for good. */
export function requeueClearing(db: Database): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ account_id: string }>`
      select account_id from (select id as account_id from accounts where standing = 'closed' and cleared_at is null) one
      where not ${hasJob('clear-closed-account', ['account_id'], 'one')} limit ${sql.lit(requeuedAtMost)}`.execute(tx)
    for (const { account_id } of rows) await askForClearing(tx, account_id)
  })
}
