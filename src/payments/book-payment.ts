import { sql } from 'kysely'
import type { PaymentStatus } from '../../generated/database-types.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { maxRechargeFailures } from '../ledger/auto-recharge.ts'
import { bookTopUp } from '../ledger/deposits.ts'
import { inTransaction, type Transaction } from '../platform/database/database.ts'
import type { ProviderPayment } from '../platform/payments/provider.ts'
import { bookDisputes } from './book-disputes.ts'
import { resetRechargeFailures } from './card.ts'
import type { PaymentJobDependencies } from './dependencies.ts'
import type { Booking, HeldPayment } from './held-payment.ts'
import { holdPayment } from './held-payment.ts'
import { bookRefunds } from './refunds/book-refunds.ts'
import { refundPayment } from './refunds/refund-balance.ts'

/**
 * Books everything that the provider reports about a payment and that is missing from the ledger: money received,
 * refunded and disputed. The report may be outdated, so states only move forward and bookings are never removed.
 */
export function bookPayment(
  { db, clock, logger }: Omit<PaymentJobDependencies, 'payments'>,
  paymentId: string,
  state: ProviderPayment,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const booking = { at: clock.now(), logger }
    const payment = await holdPayment(tx, paymentId)
    const isPaid = payment.status === 'paid' || state.status === 'paid'
    await changeStatus(tx, payment, state, booking)
    if (!isPaid) return
    await bookRefunds(tx, payment, state.refunds, booking)
    await bookDisputes(tx, payment, state.disputes, booking)
  })
}

async function changeStatus(tx: Transaction, payment: HeldPayment, state: ProviderPayment, booking: Booking) {
  if (payment.status === 'paid') return
  const next = nextStatus(payment, state.status)
  await tx
    .updateTable('payments')
    .set({
      status: next,
      intent: payment.intent ?? state.intent,
      failure: next === 'paid' ? null : state.failure,
      ...(next !== payment.status && { settled_at: booking.at }),
    })
    .where('id', '=', payment.id)
    .execute()
  if (next === 'paid') await bookReceived(tx, payment, state.amountMicros, booking)
  if (next === 'failed' && payment.status === 'started') await countFailure(tx, payment, booking.at)
}

/** On the provider's page, the owner can use another card after a declined one. A failed recharge is final. */
function nextStatus({ status, cause }: HeldPayment, said: ProviderPayment['status']): PaymentStatus {
  if (said === 'paid') return 'paid'
  if (status !== 'started') return status
  if (said === 'cancelled') return 'cancelled'
  return said === 'failed' && cause === 'recharge' ? 'failed' : 'started'
}

/** Books the received money. If the account is closed, refunds all of it. */
async function bookReceived(tx: Transaction, payment: HeldPayment, amountMicros: number, booking: Booking) {
  const { id, account_id: accountId, amount_micros: askedMicros } = payment
  const { at, logger } = booking
  if (amountMicros !== askedMicros)
    logger.error(
      { payment_id: id, asked_micros: askedMicros, received_micros: amountMicros },
      'received a different amount than requested',
    )
  if (amountMicros <= 0) return
  await bookTopUp(tx, { accountId, amountMicros, paymentId: id, settlesDebt: !payment.isClosed, at })
  if (payment.isClosed) await refundPayment(tx, { accountId, paymentId: id, amountMicros, at })
  if (payment.cause === 'recharge') await resetRechargeFailures(tx, accountId)
}

async function countFailure(tx: Transaction, { id, account_id }: HeldPayment, at: Date): Promise<void> {
  const { recharge_failures } = await tx
    .updateTable('accounts')
    .set((eb) => ({
      recharge_failures: eb('recharge_failures', '+', 1),
      recharge_failed_at: at,
      auto_recharge_enabled: sql<boolean>`auto_recharge_enabled and recharge_failures + 1 < ${maxRechargeFailures}`,
    }))
    .where('id', '=', account_id)
    .returning('recharge_failures')
    .executeTakeFirstOrThrow()
  const about = recharge_failures >= maxRechargeFailures ? 'recharge_off' : 'recharge_failed'
  await enqueue(tx, 'tell-owner', { account_id, about, subject: id })
}
