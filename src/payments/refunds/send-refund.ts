import { type Database, inTransaction } from '../../platform/database/database.ts'
import { type CardProvider, ProviderError, type ProviderPayment } from '../../platform/payments/provider.ts'
import { bookPayment } from '../book-payment.ts'
import type { PaymentJobDependencies } from '../dependencies.ts'
import { holdPayment } from '../held-payment.ts'
import { failRefund, logFailure } from './book-refunds.ts'

/** Sends a requested refund. Refunds of manual payments wait for the operator. */
export async function sendRefund(work: PaymentJobDependencies, { refund_id }: { refund_id: string }): Promise<void> {
  const { db, payments, logger } = work
  const refund = await readAsked(db, refund_id)
  if (!refund || payments.driver === 'manual' || refund.provider !== payments.driver) return
  const state = await payments.readPayment(refund)
  if (state?.paymentId !== refund.payment_id || refund.intent === null) {
    logger.error({ refund_id, payment_id: refund.payment_id }, 'payment unknown to the provider')
    return
  }
  const sent = await sendOnce(payments, state, { ...refund, intent: refund.intent })
  if (sent === 'refused') await giveBack(work, refund)
  // After a rejection, the refunds that we just read explain it, even if the provider's webhook is late.
  const refunds = sent === 'refused' ? state.refunds : [...state.refunds, sent]
  await bookPayment(work, refund.payment_id, { ...state, refunds })
}

type Asked = { id: string; payment_id: string; amount_micros: number; intent: string }

/** Looks for the refund first: an earlier run may have sent it, and our idempotency key may have expired since. */
async function sendOnce(payments: CardProvider, state: ProviderPayment, { id, intent, amount_micros }: Asked) {
  const before = state.refunds.find(({ refundId }) => refundId === id)
  if (before) return before
  try {
    return await payments.sendRefund({ refundId: id, intent, amountMicros: amount_micros })
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'refused') return 'refused'
    throw error
  }
}

const readAsked = (db: Database, id: string) =>
  db
    .selectFrom('payment_refunds')
    .innerJoin('payments', 'payments.id', 'payment_refunds.payment_id')
    .select(['payment_refunds.id', 'payment_refunds.payment_id', 'payment_refunds.amount_micros'])
    .select(['payments.provider', 'payments.reference', 'payments.intent'])
    .where('payment_refunds.id', '=', id)
    .where('payment_refunds.status', '=', 'asked')
    .executeTakeFirst()

function giveBack(
  { db, clock, logger }: PaymentJobDependencies,
  { id, payment_id }: { id: string; payment_id: string },
) {
  return inTransaction(db, async (tx) => {
    const payment = await holdPayment(tx, payment_id)
    const still = await tx
      .selectFrom('payment_refunds')
      .select('id')
      .where('id', '=', id)
      .where('status', '=', 'asked')
      .executeTakeFirst()
    if (!still) return
    logFailure(logger, payment, id)
    await failRefund(tx, payment, { id, reference: null, subject: id }, clock.now())
  })
}
