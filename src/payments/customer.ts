import type { Database } from '../platform/database/database.ts'
import { type CardProvider, ProviderError } from '../platform/payments/provider.ts'
import type { PaymentDependencies, PaymentJobDependencies } from './dependencies.ts'

type CardParts = Omit<PaymentDependencies, 'payments'> & { payments: CardProvider }

/** The account's customer at the provider, created on first use. If two are created concurrently, one is kept. */
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
  if (!kept) throw new Error('customer removed in the meantime')
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

type Whose = { account_id: string }

/** Updates the email address at the provider, if the account has a customer there. */
export async function updateProviderEmail(
  { db, payments, logger }: PaymentJobDependencies,
  { account_id }: Whose,
): Promise<void> {
  if (payments.driver === 'manual') return
  const known = await readCustomerWithEmail(db, account_id)
  if (!known) return
  try {
    await payments.changeEmail(known.customer, known.email)
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === 'refused')) throw error
    // A retry would fail again: the provider considers the address invalid, or someone deleted the customer there.
    logger.warn({ account_id, code: error.code }, 'payment provider rejected the new email address')
  }
}

const readCustomerWithEmail = (db: Database, accountId: string) =>
  db
    .selectFrom('payment_customers')
    .innerJoin('accounts', 'accounts.id', 'payment_customers.account_id')
    .select(['payment_customers.customer', 'accounts.email'])
    .where('accounts.id', '=', accountId)
    .where('accounts.standing', '<>', 'closed')
    .executeTakeFirst()
