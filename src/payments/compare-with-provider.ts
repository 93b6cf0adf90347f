import type { PaymentRefundStatus } from '../../generated/database-types.ts'
import type { Database } from '../platform/database/database.ts'
import type { ProviderPayment, ProviderRefund } from '../platform/payments/provider.ts'

/** A difference between the provider and the ledger. Contains only ids and amounts. */
export type PaymentDifference = {
  payment_id: string
  difference: 'missing_in_ledger' | 'missing_at_provider' | 'other_amount' | 'unknown_payment'
  of: 'payment' | 'refund' | 'dispute' | 'lost_dispute'
  /** The ledger's subject. */
  subject: string
  provider_micros: number
  ledger_micros: number
}

type RefundRow = { id: string; status: PaymentRefundStatus; reference: string | null }
export type LedgerState = {
  refunds: RefundRow[]
  disputes: string[]
  booked: (of: PaymentDifference['of'], subject: string) => number
}

const reasonsOf = {
  payment: { went: 'top_up', back: null },
  refund: { went: 'payout', back: 'payout_return' },
  dispute: { went: 'dispute', back: 'dispute_return' },
  lost_dispute: { went: 'dispute_loss', back: null },
} as const

/** Our record of a payment: its rows, and the ledger's total for each of its subjects. */
export async function readLedgerState(
  db: Database,
  paymentId: string,
  state: ProviderPayment | null,
): Promise<LedgerState> {
  const refunds = await db
    .selectFrom('payment_refunds')
    .select(['id', 'status', 'reference'])
    .where('payment_id', '=', paymentId)
    .execute()
  const disputes = (
    await db.selectFrom('payment_disputes').select('reference').where('payment_id', '=', paymentId).execute()
  ).map(({ reference }) => reference)
  const theirs = [...(state?.refunds ?? []), ...(state?.disputes ?? [])].map(({ reference }) => reference)
  const named = refunds.flatMap(({ id, reference }) => (reference ? [id, reference] : [id]))
  const transfers = await db
    .selectFrom('ledger_transfers')
    .select(['subject', 'reason', 'part', 'amount_micros', 'from_book'])
    .where('subject', 'in', [paymentId, ...named, ...disputes, ...theirs])
    .execute()
  const booked: LedgerState['booked'] = (of, subject) => {
    const { went, back } = reasonsOf[of]
    return (
      transfers
        .filter((one) => one.subject === subject && (one.reason === went || one.reason === back))
        // If a lost dispute is won on appeal, the return has the same reason as the loss, in the opposite direction.
        .map((one) => (one.reason === back || isRegained(one) ? -one.amount_micros : one.amount_micros))
        .reduce((sum, micros) => sum + micros, 0)
    )
  }
  return { refunds, disputes, booked }
}

const isRegained = ({ reason, from_book }: { reason: string; from_book: string }) =>
  reason === 'dispute_loss' && from_book === 'provider_clearing'

/** The differences. A refund that has not been sent yet exists only in our ledger, which is not a difference. */
export function compare(paymentId: string, state: ProviderPayment, books: LedgerState): PaymentDifference[] {
  const { refunds, disputes } = state
  const sent = new Map<string, number>()
  for (const refund of refunds) {
    const subject = subjectOf(books, refund)
    sent.set(subject, (sent.get(subject) ?? 0) + (refund.status === 'failed' ? 0 : refund.amountMicros))
  }
  const said = [
    { of: 'payment' as const, subject: paymentId, micros: state.status === 'paid' ? state.amountMicros : 0 },
    ...[...sent].map(([subject, micros]) => ({ of: 'refund' as const, subject, micros })),
    ...books.refunds
      .filter(({ id, status, reference }) => status !== 'asked' && !sent.has(id) && !sent.has(reference ?? ''))
      .map(({ id, reference }) => ({ of: 'refund' as const, subject: reference ?? id, micros: 0 })),
    ...disputes.flatMap(({ reference: subject, amountMicros, status }) => [
      { of: 'dispute' as const, subject, micros: status === 'won' ? 0 : amountMicros },
      { of: 'lost_dispute' as const, subject, micros: status === 'lost' ? amountMicros : 0 },
    ]),
  ]
  return said.flatMap(({ of, subject, micros }) => {
    const ledger = books.booked(of, subject)
    if (ledger === micros) return []
    const difference = ledger === 0 ? 'missing_in_ledger' : micros === 0 ? 'missing_at_provider' : 'other_amount'
    return [{ payment_id: paymentId, difference, of, subject, provider_micros: micros, ledger_micros: ledger }]
  })
}

const subjectOf = ({ refunds }: LedgerState, { refundId, reference }: ProviderRefund): string => {
  const ours = refunds.find(({ id }) => id === refundId)
  return ours && (ours.reference === reference || ours.status !== 'failed') ? ours.id : reference
}
