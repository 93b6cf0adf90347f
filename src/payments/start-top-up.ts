import assert from 'node:assert/strict'
import { recordOwnerAction } from '../accounts/owner-audit-log.ts'
import { prices } from '../ledger/prices.ts'
import { inTransaction } from '../platform/database/database.ts'
import { newId } from '../platform/identifiers.ts'
import { findCustomer } from './customer.ts'
import type { PaymentDependencies } from './dependencies.ts'
import { closeUnpaidPayment } from './settle-payment.ts'

type TopUp = { accountId: string; amountMicros: number }

/** `url` is where the owner pays; null if the operator confirms payments manually. */
type StartedTopUp = { paymentId: string; url: string | null }

/** Records the payment before it requests the provider's page, so that no money arrives for an unknown payment. */
export async function startTopUp(parts: PaymentDependencies, topUp: TopUp): Promise<StartedTopUp> {
  const { db, payments, accountPageUrl } = parts
  const paymentId = await writeDown(parts, topUp)
  if (payments.driver === 'manual') return { paymentId, url: null }
  const returnUrl = `${accountPageUrl}/account/payments/${paymentId}`
  try {
    const customer = await findCustomer({ ...parts, payments }, topUp.accountId)
    const urls = { successUrl: returnUrl, cancelUrl: `${accountPageUrl}/account/money` }
    const page = await payments.startTopUp({ paymentId, customer, ...topUp, ...urls })
    await db.updateTable('payments').set({ reference: page.reference }).where('id', '=', paymentId).execute()
    return { paymentId, url: page.url }
  } catch (error) {
    // Even if the provider created the page, nobody has seen it.
    await closeUnpaidPayment(parts, paymentId)
    throw error
  }
}

async function writeDown(
  { db, clock, payments }: PaymentDependencies,
  { accountId, amountMicros }: TopUp,
): Promise<string> {
  assert((prices.topUpMicros as readonly number[]).includes(amountMicros), 'amount not on the price list')
  const at = clock.now()
  const id = newId('pay', at)
  await inTransaction(db, async (tx) => {
    await tx
      .insertInto('payments')
      .values({
        id,
        account_id: accountId,
        cause: 'top_up',
        provider: payments.driver,
        amount_micros: amountMicros,
        created_at: at,
      })
      .execute()
    const details = { payment_id: id, amount_micros: amountMicros }
    await recordOwnerAction(tx, { accountId, action: 'owner.start_top_up', at, details })
  })
  return id
}
