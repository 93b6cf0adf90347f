import { bookTopUp } from '../ledger/deposits.ts'
import type { Booked } from '../ledger/transfers.ts'
import type { Transaction } from '../platform/database/database.ts'
import { holdPayment } from './held-payment.ts'
import { failRefund } from './refunds/book-refunds.ts'

/** Why the operator may not say this of a payment. */
export class ManualConfirmationRefused extends Error {}

type Confirmed = { paymentId: string; at: Date }

/** Books a payment that came to the operator, once. */
export async function confirmPayment(tx: Transaction, { paymentId, at }: Confirmed): Promise<Booked> {
  const payment = await holdPayment(tx, paymentId)
  if (payment.provider !== 'manual')
    throw new ManualConfirmationRefused('The provider alone says whether this payment was made.')
  if (payment.isClosed) throw new ManualConfirmationRefused('The account is closed: send the money back.')
  if (payment.status === 'paid') return 'already'
  const { account_id: accountId, amount_micros: amountMicros } = payment
  await tx.updateTable('payments').set({ status: 'paid', settled_at: at }).where('id', '=', paymentId).execute()
  return bookTopUp(tx, { accountId, amountMicros, paymentId, settlesDebt: true, at })
}

type Ended = { paymentId: string; refundId: string; outcome: 'succeeded' | 'failed'; at: Date }

/** Says that the operator has sent a refund, or could not: then it is in the balance again. */
export async function endRefund(tx: Transaction, { paymentId, refundId, outcome, at }: Ended): Promise<Booked> {
  const payment = await holdPayment(tx, paymentId)
  if (payment.provider !== 'manual')
    throw new ManualConfirmationRefused('The provider alone says what became of this refund.')
  const { status } = await tx
    .selectFrom('payment_refunds')
    .select('status')
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow()
  if (status === outcome) return 'already'
  if (status !== 'asked') throw new ManualConfirmationRefused(`This refund has ${status} before.`)
  if (outcome === 'failed') await failRefund(tx, payment, { id: refundId, reference: null, subject: refundId }, at)
  else
    await tx
      .updateTable('payment_refunds')
      .set({ status: 'succeeded', settled_at: at })
      .where('id', '=', refundId)
      .execute()
  return 'done'
}
