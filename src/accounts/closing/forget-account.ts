import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import type { Payments } from '../../platform/payments/provider.ts'

const batchSize = 1_000
const maxRounds = 10_000

type Forgetting = { db: Database; payments: Payments; accountId: string; at: Date }

/** Forgets what a closed account leaves behind in large numbers, and then its customer at the payment provider. */
export async function forgetAccount({ db, payments, accountId, at }: Forgetting): Promise<void> {
  if (!(await isClosed(db, accountId))) return
  for (let round = 0; round < maxRounds; round++) if ((await forgetSome(db, accountId)) < batchSize) break
  await forgetCustomer(db, payments, accountId)
  await db.updateTable('accounts').set({ cleared_at: at }).where('id', '=', accountId).execute()
}

export async function isClosed(db: Database, accountId: string): Promise<boolean> {
  const account = await db.selectFrom('accounts').select('standing').where('id', '=', accountId).executeTakeFirst()
  return account?.standing === 'closed'
}

async function forgetSome(db: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ forgotten: number }>`
    select forget_closed_account(${accountId}, ${sql.lit(batchSize)}) as forgotten`.execute(db)
  return rows[0]?.forgotten ?? 0
}

/** The provider first: while our row stands, a run that comes after a failure knows whom to forget. */
async function forgetCustomer(db: Database, payments: Payments, accountId: string): Promise<void> {
  const row = await db
    .selectFrom('payment_customers')
    .select('customer')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!row) return
  if (payments.driver !== 'manual') await payments.forgetCustomer(row.customer)
  await db.deleteFrom('payment_customers').where('account_id', '=', accountId).execute()
}
