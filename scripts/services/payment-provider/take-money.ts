import { type Charge, cards, type Intent, type Metadata, make, type PaymentMethod } from './objects.ts'
import { type Parts, secondsOf } from './parts.ts'
import { refused } from './refused.ts'

export type Taking = ReturnType<typeof takingMoney>

/** How money comes in. */
export function takingMoney({ store, webhooks, now }: Parts) {
  const newIntent = (fields: { amount: number; customer: string | null; metadata: Metadata }): Intent =>
    store.put(
      make('payment_intent', secondsOf(now), {
        ...{ ...fields, status: 'requires_payment_method', amount_received: 0, currency: 'usd', payment_method: null },
        ...{ latest_charge: null, last_payment_error: null, cancellation_reason: null, canceled_at: null },
      }),
    )

  /** One attempt to take the money. `hold` keeps back what Stripe would tell of it. */
  const attempt = (intent: Intent, card: PaymentMethod, { hold = false } = {}): Charge => {
    const refusal = cards[card.card.last4]?.refusal ?? null
    const { amount, currency, customer, metadata } = intent
    const charge = store.put(
      make('charge', secondsOf(now), {
        ...{ amount, currency, customer, metadata, payment_intent: intent.id, payment_method: card.id },
        ...{ amount_refunded: 0, refunded: false, disputed: false, paid: refusal === null },
        ...{ status: refusal ? 'failed' : 'succeeded', failure_code: refusal?.code ?? null },
        outcome: { type: refusal ? 'issuer_declined' : 'authorized', reason: refusal?.decline_code ?? null },
      }),
    )
    intent.latest_charge = charge.id
    intent.last_payment_error = refusal
    if (!refusal) Object.assign(intent, { status: 'succeeded', amount_received: amount, payment_method: card.id })
    webhooks.emit(refusal ? 'charge.failed' : 'charge.succeeded', charge, { hold })
    webhooks.emit(refusal ? 'payment_intent.payment_failed' : 'payment_intent.succeeded', intent, { hold })
    return charge
  }

  const cancelIntent = (intent: Intent, reason: string | null): Intent => {
    if (intent.status !== 'requires_payment_method')
      throw refused(400, 'payment_intent_unexpected_state', `This PaymentIntent is ${intent.status}.`)
    // Stripe may clear the error at any change.
    const ended = { status: 'canceled', cancellation_reason: reason, last_payment_error: null }
    Object.assign(intent, ended, { canceled_at: secondsOf(now) })
    webhooks.emit('payment_intent.canceled', intent)
    return intent
  }

  return { newIntent, attempt, cancelIntent }
}
