import { type Charge, type Metadata, make } from './objects.ts'
import { type Parts, secondsOf } from './parts.ts'
import { refused } from './refused.ts'
import type { Store } from './store.ts'

export type RefundOutcome = 'succeeded' | 'pending' | 'failed'

/** How money goes back because its receiver sends it. */
export function givingBack({ store, webhooks, now }: Parts) {
  let refundOutcome: RefundOutcome = 'succeeded'

  const refund = (intentId: string, given: { amount?: number; reason?: string | null; metadata?: Metadata }) => {
    const charge = chargeOf(store, intentId)
    const left = charge.amount - charge.amount_refunded
    if (left === 0) throw refused(400, 'charge_already_refunded', 'The charge has been refunded.')
    if (charge.disputed && store.list('dispute').some((one) => one.charge === charge.id && one.status !== 'won'))
      throw refused(400, 'charge_disputed', 'The charge is disputed.')
    const { amount = left, reason = null, metadata = {} } = given
    if (amount > left) throw refused(400, undefined, `The refund is greater than what is left of the charge, ${left}.`)
    const made = store.put(
      make('refund', secondsOf(now), {
        ...{ amount, currency: 'usd', charge: charge.id, payment_intent: intentId, reason, metadata },
        status: refundOutcome === 'failed' ? 'pending' : refundOutcome,
      }),
    )
    changeRefunded(charge, amount)
    webhooks.emit('refund.created', made)
    webhooks.emit('charge.refunded', charge)
    // The answer is what is known at once; the failure comes after it.
    const answer = structuredClone(made)
    if (refundOutcome === 'failed') settleRefund(made.id, 'failed')
    return answer
  }

  const settleRefund = (id: string, status: 'succeeded' | 'failed') => {
    const found = store.find('refund', id)
    const charge = store.find('charge', found?.charge ?? null)
    if (!found || !charge) throw refused(404, 'resource_missing', 'No such refund.')
    if (status === 'failed' && found.status !== 'failed') {
      changeRefunded(charge, -found.amount)
      found.failure_reason = 'expired_or_canceled_card'
    }
    found.status = status
    webhooks.emit('refund.updated', found)
    if (status === 'failed') webhooks.emit('refund.failed', found)
    return found
  }

  const makeRefunds = (outcome: RefundOutcome) => {
    refundOutcome = outcome
  }
  return { refund, settleRefund, makeRefunds }
}

/** How money goes back because the owner of the card wants it. */
export function disputing({ store, webhooks, now }: Parts) {
  const dispute = (intentId: string, amount?: number) => {
    const charge = chargeOf(store, intentId)
    charge.disputed = true
    const made = store.put(
      make('dispute', secondsOf(now), {
        ...{ status: 'needs_response', amount: amount ?? charge.amount, currency: 'usd', charge: charge.id },
        ...{ payment_intent: intentId, reason: 'fraudulent', metadata: {} },
      }),
    )
    webhooks.emit('charge.dispute.created', made)
    return made
  }

  const closeDispute = (id: string, outcome: 'won' | 'lost') => {
    const found = store.find('dispute', id)
    if (!found) throw refused(404, 'resource_missing', 'No such dispute.')
    found.status = outcome
    webhooks.emit('charge.dispute.closed', found)
    return found
  }

  return { dispute, closeDispute }
}

function chargeOf(store: Store, intentId: string): Charge {
  const charge = store.find('charge', store.find('payment_intent', intentId)?.latest_charge ?? null)
  if (charge?.status !== 'succeeded') throw refused(400, undefined, 'This PaymentIntent has no charge that succeeded.')
  return charge
}

function changeRefunded(charge: Charge, cents: number): void {
  charge.amount_refunded += cents
  charge.refunded = charge.amount_refunded === charge.amount
}
