import { sql } from 'kysely'
import type { Database, Transaction } from '../platform/database/database.ts'

export type Balance = { prepaidMicros: number; owedMicros: number }

export async function readBalance(db: Database | Transaction, accountId: string): Promise<Balance> {
  const row = await db
    .selectFrom('balances')
    .select(['prepaid_micros', 'owed_micros'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { prepaidMicros: row.prepaid_micros, owedMicros: row.owed_micros }
}

/** Reads the balance and locks it until the transaction ends. */
export async function lockBalance(tx: Transaction, accountId: string): Promise<Balance> {
  const { rows } = await sql<{ prepaid_micros: number; owed_micros: number }>`
    select prepaid_micros, owed_micros from lock_balance(${accountId})`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('the account has no balance row')
  return { prepaidMicros: row.prepaid_micros, owedMicros: row.owed_micros }
}

/** Creates the balance row of a new account. */
export async function openBalance(tx: Transaction, accountId: string): Promise<void> {
  await tx.insertInto('balances').values({ account_id: accountId }).execute()
}
