import type { PaymentCause, PaymentStatus } from '../../generated/database-types.ts'
import { lockBalance } from '../ledger/balance.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { Logger } from '../platform/observability/logger.ts'

/** A payment whose row and whose account's balance the transaction has locked. */
export type HeldPayment = {
  id: string
  account_id: string
  cause: PaymentCause
  provider: string
  amount_micros: number
  status: PaymentStatus
  intent: string | null
  isClosed: boolean
}

export type Booking = { at: Date; logger: Logger }

/** Locks the payment and then the balance, always in this order. Closing an account also locks the balance. */
export async function holdPayment(tx: Transaction, paymentId: string): Promise<HeldPayment> {
  const payment = await tx
    .selectFrom('payments')
    .select(['id', 'account_id', 'cause', 'provider', 'amount_micros', 'status', 'intent'])
    .where('id', '=', paymentId)
    // Not `for update`: a refund request locks the balance and references this row.
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  await lockBalance(tx, payment.account_id)
  const { standing } = await tx
    .selectFrom('accounts')
    .select('standing')
    .where('id', '=', payment.account_id)
    .executeTakeFirstOrThrow()
  return { ...payment, isClosed: standing === 'closed' }
}
