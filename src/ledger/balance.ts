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

export type Debt = { accountId: string; owedMicros: number }

/** What other verified accounts of the same mailbox owe. It must be paid there before this account can spend. */
export async function readDebtsElsewhere(db: Database | Transaction, accountId: string): Promise<Debt[]> {
  const { rows } = await sql<Debt>`
    select other.id as "accountId", owed_micros as "owedMicros" from accounts mine
    join accounts other on fold_mailbox(other.email) = fold_mailbox(mine.email) and other.id <> mine.id
      and other.email_verified_at is not null and other.standing <> 'closed'
    join balances on balances.account_id = other.id and owed_micros > 0
    where mine.id = ${accountId} and mine.email_verified_at is not null
    order by other.id limit 10`.execute(db)
  return rows
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
