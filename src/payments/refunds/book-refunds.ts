import type { PaymentRefundStatus } from '../../../generated/database-types.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { payOut, returnPayout } from '../../ledger/split-transfers.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identifiers.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import type { ProviderRefund } from '../../platform/payments/provider.ts'
import type { Booking, HeldPayment } from '../held-payment.ts'

type Row = { id: string; status: PaymentRefundStatus; reference: string | null }

const statusOf = { pending: 'sent', succeeded: 'succeeded', failed: 'failed' } as const

/** States only move forward in this order. A succeeded refund can still fail if the bank rejects the money. */
const order: readonly PaymentRefundStatus[] = ['asked', 'sent', 'succeeded', 'failed']

/** Updates the refunds that we requested, and books those made in the provider's dashboard. */
export async function bookRefunds(
  tx: Transaction,
  payment: HeldPayment,
  refunds: readonly ProviderRefund[],
  booking: Booking,
): Promise<void> {
  if (refunds.length === 0) return
  const rows = await tx
    .selectFrom('payment_refunds')
    .select(['id', 'status', 'reference'])
    .where('payment_id', '=', payment.id)
    .execute()
  for (const refund of refunds) {
    const known = rows.find(({ reference }) => reference === refund.reference) ?? ours(rows, refund)
    if (known) await follow(tx, payment, { ...known, subject: subjectOf(known, refund) }, refund, booking)
    else await addFromOutside(tx, payment, refund, booking)
  }
}

/**
 * Leaves out a failed refund, whose amount was returned to the balance. If the provider made it nevertheless, it is
 * booked as an external refund.
 */
const ours = (rows: readonly Row[], { refundId }: ProviderRefund) =>
  rows.find(({ id, status }) => id === refundId && status !== 'failed')

/** The subject of the payout: our id for a refund that we requested, the provider's id for any other. */
const subjectOf = ({ id }: Row, { refundId, reference }: ProviderRefund) => (id === refundId ? id : reference)

async function follow(
  tx: Transaction,
  payment: HeldPayment,
  known: Row & { subject: string },
  refund: ProviderRefund,
  booking: Booking,
): Promise<void> {
  const status = statusOf[refund.status]
  if (order.indexOf(status) <= order.indexOf(known.status)) return
  if (status === 'failed') {
    logFailure(booking.logger, payment, known.id)
    return failRefund(tx, payment, { ...known, reference: refund.reference }, booking.at)
  }
  await tx
    .updateTable('payment_refunds')
    .set({ status, reference: refund.reference, ...(status === 'succeeded' && { settled_at: booking.at }) })
    .where('id', '=', known.id)
    .execute()
}

/** Logs an error for a closed account, because the operator must act: we no longer know its owner. */
export const logFailure = (logger: Logger, { id, isClosed }: HeldPayment, refundId: string) =>
  logger[isClosed ? 'error' : 'warn'](
    { payment_id: id, refund_id: refundId, account_closed: isClosed },
    'refund failed',
  )

/** Marks a refund as failed and returns its amount to the balance. */
export async function failRefund(
  tx: Transaction,
  { account_id: accountId, isClosed }: HeldPayment,
  { id, reference, subject }: { id: string; reference: string | null; subject: string },
  at: Date,
): Promise<void> {
  await returnPayout(tx, { accountId, subject, at })
  await tx
    .updateTable('payment_refunds')
    .set({ status: 'failed', reference, settled_at: at })
    .where('id', '=', id)
    .execute()
  if (!isClosed) await enqueue(tx, 'tell-owner', { account_id: accountId, about: 'refund_failed', subject: id })
}

/** Books an external refund. The part that was already spent is owed. A refund that already failed has no effect. */
async function addFromOutside(tx: Transaction, payment: HeldPayment, refund: ProviderRefund, { at }: Booking) {
  const { reference, amountMicros } = refund
  const status = statusOf[refund.status]
  await tx
    .insertInto('payment_refunds')
    .values({
      id: newId('rfd', at),
      payment_id: payment.id,
      amount_micros: amountMicros,
      status,
      reference,
      created_at: at,
      settled_at: status === 'sent' ? null : at,
    })
    .execute()
  if (status !== 'failed') await payOut(tx, { accountId: payment.account_id, amountMicros, subject: reference, at })
}
