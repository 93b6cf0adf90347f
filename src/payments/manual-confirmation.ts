import { bookTopUp } from '../ledger/deposits.ts'
import type { Booked } from '../ledger/transfers.ts'
import type { Transaction } from '../platform/database/database.ts'
import { holdPayment } from './held-payment.ts'
import { failRefund } from './refunds/book-refunds.ts'

/** The operator cannot confirm this payment or refund. The message says why. */
export class ManualConfirmationRefused extends Error {}

type Confirmed = { paymentId: string; at: Date }

/** Books a payment that the operator received, once. */
export async function confirmPayment(tx: Transaction, { paymentId, at }: Confirmed): Promise<Booked> {
  const payment = await holdPayment(tx, paymentId)
  if (payment.provider !== 'manual') throw new ManualConfirmationRefused('Only the provider can confirm this payment.')
  if (payment.isClosed) throw new ManualConfirmationRefused('The account is closed. Return the money.')
  if (payment.status === 'paid') return 'already'
  const { account_id: accountId, amount_micros: amountMicros } = payment
  await tx.updateTable('payments').set({ status: 'paid', settled_at: at }).where('id', '=', paymentId).execute()
  return bookTopUp(tx, { accountId, amountMicros, paymentId, settlesDebt: true, at })
}

type Ended = { paymentId: string; refundId: string; outcome: 'succeeded' | 'failed'; at: Date }

/** Records whether the operator sent a refund. If it failed, the amount returns to the balance. */
export async function endRefund(tx: Transaction, { paymentId, refundId, outcome, at }: Ended): Promise<Booked> {
  const payment = await holdPayment(tx, paymentId)
  if (payment.provider !== 'manual') throw new ManualConfirmationRefused('Only the provider can confirm this refund.')
  const { status } = await tx
    .selectFrom('payment_refunds')
    .select('status')
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow()
  if (status === outcome) return 'already'
  if (status !== 'asked') throw new ManualConfirmationRefused(`This refund has already ${status}.`)
  if (outcome === 'failed') await failRefund(tx, payment, { id: refundId, reference: null, subject: refundId }, at)
  else
    await tx
      .updateTable('payment_refunds')
      .set({ status: 'succeeded', settled_at: at })
      .where('id', '=', refundId)
      .execute()
  return 'done'
}
