import type { Database } from '../platform/database.ts'
import type { CardProvider } from '../platform/payments/provider.ts'
import type { PaymentParts } from './parts.ts'

type CardParts = Omit<PaymentParts, 'payments'> & { payments: CardProvider }

/** Who the account is at the provider, made on the first occasion. Of two that are made at once, one is kept. */
export async function findCustomer(parts: CardParts, accountId: string): Promise<string> {
  const known = await readCustomer(parts.db, accountId)
  if (known) return known
  const { db, clock, payments } = parts
  const { email } = await db
    .selectFrom('accounts')
    .select('email')
    .where('id', '=', accountId)
    .where('standing', '<>', 'closed')
    .executeTakeFirstOrThrow()
  const made = await payments.createCustomer({ accountId, email })
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('payment_customers')
    .values({ account_id: accountId, customer: made, created_at: clock.now() })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 1n) return made
  const kept = await readCustomer(db, accountId)
  if (!kept) throw new Error('the customer was removed meanwhile')
  if (kept !== made) await payments.forgetCustomer(made)
  return kept
}

async function readCustomer(db: Database, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('payment_customers')
    .select('customer')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.customer
}
