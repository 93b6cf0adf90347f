import { sql } from 'kysely'
import { hasJob } from '../../jobs/backlog.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import type { PaymentService } from '../../platform/payments/provider.ts'

/**
 * Closes an account permanently: the commit invalidates its keys, links and sessions and erases who owned it.
 * migrations/0023 lists what is erased. Returns false if the account was already closed.
 */
export async function closeAccount(tx: Transaction, { accountId, at }: { accountId: string; at: Date }) {
  const { rows } = await sql<{ closed: boolean }>`select close_account(${accountId}, ${at}) as closed`.execute(tx)
  if (!rows[0]?.closed) return false
  await askForClearing(tx, accountId)
  return true
}

const askForClearing = (tx: Transaction, accountId: string) =>
  enqueue(tx, 'clear-closed-account', { account_id: accountId }, { once: accountId })

/** Batch size; the next run follows a minute later. */
const requeuedAtMost = 100

/** Enqueues closed accounts that are not cleared yet, for example after a restored backup or a failed job. */
export function requeueClearing(db: Database): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ account_id: string }>`
      select account_id from (select id as account_id from accounts where standing = 'closed' and cleared_at is null) one
      where not ${hasJob('clear-closed-account', ['account_id'], 'one')} limit ${sql.lit(requeuedAtMost)}`.execute(tx)
    for (const { account_id } of rows) await askForClearing(tx, account_id)
  })
}

const batchSize = 1_000
const maxRounds = 10_000

type Forgetting = { db: Database; payments: PaymentService; accountId: string; at: Date }

/** Deletes the remaining rows of a closed account in batches, then its customer at the payment provider. */
export async function eraseClosedAccount({ db, payments, accountId, at }: Forgetting): Promise<void> {
  if (!(await isClosed(db, accountId))) return
  for (let round = 0; round < maxRounds; round++) if ((await eraseSome(db, accountId)) < batchSize) break
  await forgetCustomer(db, payments, accountId)
  await db.updateTable('accounts').set({ cleared_at: at }).where('id', '=', accountId).execute()
}

export async function isClosed(db: Database, accountId: string): Promise<boolean> {
  const account = await db.selectFrom('accounts').select('standing').where('id', '=', accountId).executeTakeFirst()
  return account?.standing === 'closed'
}

async function eraseSome(db: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ forgotten: number }>`
    select forget_closed_account(${accountId}, ${sql.lit(batchSize)}) as forgotten`.execute(db)
  return rows[0]?.forgotten ?? 0
}

/** Delete at the provider first: our row tells a retry whom to delete. */
async function forgetCustomer(db: Database, payments: PaymentService, accountId: string): Promise<void> {
  const row = await db
    .selectFrom('payment_customers')
    .select('customer')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!row) return
  if (payments.driver !== 'manual') await payments.forgetCustomer(row.customer)
  await db.deleteFrom('payment_customers').where('account_id', '=', accountId).execute()
}
