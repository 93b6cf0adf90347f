import type { Database } from '../platform/database.ts'
import { ProviderFault } from '../platform/payments/provider.ts'
import type { PaymentWork } from './parts.ts'

type Whose = { account_id: string }

/** Has the provider write to the address that the account has now, if it knows the account at all. */
export async function tellProviderOfEmail({ db, payments, logger }: PaymentWork, { account_id }: Whose): Promise<void> {
  if (payments.driver === 'manual') return
  const known = await readCustomer(db, account_id)
  if (!known) return
  try {
    await payments.changeEmail(known.customer, known.email)
  } catch (error) {
    if (!(error instanceof ProviderFault && error.kind === 'refused')) throw error
    // Asked again, it would refuse again: an address of no use to it, or a customer that somebody has deleted there.
    logger.warn({ account_id, code: error.code }, 'the payment provider refused a change of address')
  }
}

const readCustomer = (db: Database, accountId: string) =>
  db
    .selectFrom('payment_customers')
    .innerJoin('accounts', 'accounts.id', 'payment_customers.account_id')
    .select(['payment_customers.customer', 'accounts.email'])
    .where('accounts.id', '=', accountId)
    .where('accounts.standing', '<>', 'closed')
    .executeTakeFirst()
