import type { PaymentFailure, ProviderDispute, ProviderPayment, ProviderRefund } from './provider.ts'

/** The fields of Stripe's records that we read. */
type Metadata = Record<string, string> | null | undefined
type Charge = {
  status: string
  failure_code: string | null
  outcome: { reason: string | null } | null
  amount_refunded: number
  disputed: boolean
}
type Intent = {
  id: string
  status: string
  currency: string
  amount: number
  amount_received: number
  metadata: Metadata
  last_payment_error: { code?: string; decline_code?: string } | null
  latest_charge: string | Charge | null
}

/** Everything known about a payment. A declined payment stays open while its owner can try another card. */
export function paymentFrom(
  intent: Intent,
  refunds: readonly ProviderRefund[] = [],
  disputes: readonly ProviderDispute[] = [],
): ProviderPayment {
  const status = statusOf(intent)
  return {
    // All our payments are in dollars: in another currency, the amount would be wrong.
    paymentId: intent.currency === 'usd' ? paymentIdIn(intent.metadata) : null,
    intent: intent.id,
    status,
    amountMicros: microsOf(status === 'paid' ? intent.amount_received : intent.amount),
    failure: status === 'failed' ? failureOf(intent) : null,
    refunds,
    disputes,
  }
}

function statusOf(intent: Intent): ProviderPayment['status'] {
  if (intent.status === 'succeeded') return 'paid'
  if (intent.status !== 'canceled') return 'open'
  return intent.last_payment_error || chargeOf(intent)?.status === 'failed' ? 'failed' : 'cancelled'
}

/** Whether no further action is needed. */
export const isAtAnEnd = ({ status }: Intent) => ['succeeded', 'canceled', 'processing'].includes(status)

/** A later change can clear the error on an intent, but the charge keeps it. */
export function failureOf(intent: Intent): PaymentFailure {
  const error = intent.last_payment_error
  const charge = chargeOf(intent)
  return error
    ? failureFrom(error.code, error.decline_code)
    : failureFrom(charge?.failure_code, charge?.outcome?.reason)
}

const failures: Record<string, PaymentFailure> = {
  card_declined: 'card_declined',
  insufficient_funds: 'insufficient_funds',
  expired_card: 'expired_card',
  authentication_required: 'authentication_required',
}

/** The bank's reason, if we map it, takes precedence over the provider's. */
const failureFrom = (code: string | null | undefined, declineCode: string | null | undefined): PaymentFailure =>
  failures[declineCode ?? ''] ?? failures[code ?? ''] ?? 'other'

export const chargeOf = ({ latest_charge: charge }: Intent) => (typeof charge === 'object' ? charge : null)

type Session = { status: string | null; amount_total: number | null; metadata: Metadata }

/** The same for a page where nobody has tried to pay. */
export const sessionPayment = (session: Session): ProviderPayment => ({
  paymentId: paymentIdIn(session.metadata),
  intent: null,
  status: session.status === 'expired' ? 'cancelled' : 'open',
  amountMicros: microsOf(session.amount_total ?? 0),
  failure: null,
  refunds: [],
  disputes: [],
})

const refundStatuses: Record<string, ProviderRefund['status']> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
}

type Refund = { id: string; amount: number; status: string | null; metadata: Metadata }

export const refundFrom = ({ id, amount, status, metadata }: Refund): ProviderRefund => ({
  reference: id,
  refundId: refundIdIn(metadata),
  amountMicros: microsOf(amount),
  // An unknown status counts as pending, because that decides nothing. An unknown dispute status counts as open.
  status: refundStatuses[status ?? ''] ?? 'pending',
})

const disputeStatuses: Record<string, ProviderDispute['status']> = {
  warning_needs_response: 'open',
  warning_under_review: 'open',
  warning_closed: 'won',
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
  // The money has been withdrawn until the dispute is won.
  appeal_needs_response: 'lost',
  appeal_under_review: 'lost',
  // It never became a dispute. If it was settled by a refund, the refund is listed separately.
  prevented: 'won',
}

export const disputeFrom = ({
  id,
  amount,
  status,
}: {
  id: string
  amount: number
  status: string
}): ProviderDispute => ({
  reference: id,
  amountMicros: microsOf(amount),
  status: disputeStatuses[status] ?? 'open',
})

const microsOf = (cents: number) => cents * 10_000

/**
 * Anyone with access to the provider's dashboard can write any value there, so everything that is not one of our ids is
 * ignored.
 */
export const paymentIdIn = (metadata: Metadata) => ours('pay', metadata?.['payment_id'])
export const refundIdIn = (metadata: Metadata) => ours('rfd', metadata?.['refund_id'])

const ours = (prefix: string, text: string | undefined) =>
  text?.startsWith(`${prefix}_`) && /^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text) ? text : null
