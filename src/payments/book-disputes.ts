import type { DisputeStatus } from '../../generated/database-types.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { holdDisputed, loseDisputed, regainDisputed, returnDisputed } from '../ledger/split-transfers.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { ProviderDispute } from '../platform/payments/provider.ts'
import { stopRecharging } from './card.ts'
import type { Booking, HeldPayment } from './held-payment.ts'

type Known = { status: DisputeStatus; amount_micros: number }

/** States only move forward in this order: a lost dispute can be won on appeal. */
const order: readonly DisputeStatus[] = ['open', 'lost', 'won']

/** Holds the disputed amount, and returns it or writes it off when the dispute closes. */
export async function bookDisputes(
  tx: Transaction,
  payment: HeldPayment,
  disputes: readonly ProviderDispute[],
  booking: Booking,
): Promise<void> {
  for (const dispute of disputes) {
    const known = await readKnown(tx, dispute.reference)
    if (!known) await open(tx, payment, dispute, booking)
    else if (order.indexOf(dispute.status) > order.indexOf(known.status)) {
      const amountMicros = known.amount_micros
      if (known.status === 'lost')
        await regainDisputed(tx, { amountMicros, subject: dispute.reference, at: booking.at })
      await close(tx, payment, { ...dispute, amountMicros }, booking)
    }
  }
}

const readKnown = (tx: Transaction, reference: string): Promise<Known | undefined> =>
  tx
    .selectFrom('payment_disputes')
    .select(['status', 'amount_micros'])
    .where('reference', '=', reference)
    .executeTakeFirst()

/** Holds the amount and turns auto-recharge off. A dispute that is already won has no effect. */
async function open(tx: Transaction, payment: HeldPayment, dispute: ProviderDispute, booking: Booking) {
  const { reference, amountMicros, status } = dispute
  const { at } = booking
  await tx
    .insertInto('payment_disputes')
    .values({
      reference,
      payment_id: payment.id,
      amount_micros: amountMicros,
      status,
      opened_at: at,
      closed_at: status === 'open' ? null : at,
    })
    .execute()
  if (status === 'won') return
  const accountId = payment.account_id
  await holdDisputed(tx, { accountId, amountMicros, subject: reference, at })
  await stopRecharging(tx, accountId)
  if (status === 'lost') return close(tx, payment, dispute, booking)
  await enqueue(tx, 'tell-owner', { account_id: accountId, about: 'payment_disputed', subject: reference })
}

async function close(tx: Transaction, payment: HeldPayment, dispute: ProviderDispute, { at }: Booking): Promise<void> {
  const { reference: subject, amountMicros, status } = dispute
  const accountId = payment.account_id
  if (status === 'won') await returnDisputed(tx, { accountId, subject, at })
  else await loseDisputed(tx, { amountMicros, subject, at })
  await tx.updateTable('payment_disputes').set({ status, closed_at: at }).where('reference', '=', subject).execute()
  await enqueue(tx, 'tell-owner', { account_id: accountId, about: 'dispute_closed', subject })
}
