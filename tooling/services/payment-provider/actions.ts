import {
  type Charge,
  cards,
  type Intent,
  type Metadata,
  make,
  type PaymentMethod,
  refused,
  type Session,
} from './objects.ts'
import type { Store } from './store.ts'
import type { Webhooks } from './webhooks.ts'

/** The parts that every action of the double uses. */
export type Parts = { store: Store; webhooks: Webhooks; now: () => Date; origin: () => string }

export const secondsOf = (now: () => Date) => Math.floor(now().getTime() / 1_000)

export type Taking = ReturnType<typeof takingMoney>

/** Actions that take money: payments and charges. */
export function takingMoney({ store, webhooks, now }: Parts) {
  const newIntent = (fields: { amount: number; customer: string | null; metadata: Metadata }): Intent =>
    store.put(
      make('payment_intent', secondsOf(now), {
        ...{ ...fields, status: 'requires_payment_method', amount_received: 0, currency: 'usd', payment_method: null },
        ...{ latest_charge: null, last_payment_error: null, cancellation_reason: null, canceled_at: null },
      }),
    )

  /** One attempt to charge the card. `hold` holds back the events that Stripe would send. */
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
    // Stripe may clear the error on any change.
    const ended = { status: 'canceled', cancellation_reason: reason, last_payment_error: null }
    Object.assign(intent, ended, { canceled_at: secondsOf(now) })
    webhooks.emit('payment_intent.canceled', intent)
    return intent
  }

  return { newIntent, attempt, cancelIntent }
}

/** The actions on the double's pages and their results. */
export function checkingOut({ store, webhooks, now, origin }: Parts, { newIntent, attempt, cancelIntent }: Taking) {
  const newCard = (customer: string | null, last4: string): PaymentMethod => {
    const brand = cards[last4]?.brand
    if (!brand) throw refused(400, 'incorrect_number', 'The test double does not know this card.')
    const year = now().getUTCFullYear() + 3
    const card = { brand, display_brand: brand, last4, exp_month: 12, exp_year: year, funding: 'credit' as const }
    return store.put(make('payment_method', secondsOf(now), { type: 'card', customer, card, metadata: {} }))
  }

  const newSession = (
    fields: Pick<Session, 'mode' | 'customer' | 'amount_total' | 'metadata' | 'intent_metadata'>,
    urls: Pick<Session, 'success_url' | 'cancel_url' | 'client_reference_id'>,
  ): Session => {
    const session = make('checkout.session', secondsOf(now), {
      ...{ ...fields, ...urls, status: 'open', currency: 'usd', payment_intent: null, setup_intent: null, url: null },
      payment_status: fields.mode === 'setup' ? 'no_payment_required' : 'unpaid',
      expires_at: secondsOf(now) + 86_400,
    })
    session.url = `${origin()}/c/pay/${session.id}`
    return store.put(session)
  }

  const openSession = (id: string): Session => {
    const session = store.find('checkout.session', id)
    if (!session) throw refused(404, 'resource_missing', 'No such checkout session.')
    if (session.status !== 'open') throw refused(400, undefined, `This Checkout Session is ${session.status}.`)
    return session
  }

  /** Pays on the page of a session. After a declined card the page stays open, as at Stripe. */
  const pay = (sessionId: string, { last4 = '4242', hold = false } = {}) => {
    const session = openSession(sessionId)
    const { customer, amount_total, intent_metadata } = session
    const begun = store.find('payment_intent', session.payment_intent)
    const intent = begun ?? newIntent({ amount: amount_total ?? 0, customer, metadata: intent_metadata })
    session.payment_intent = intent.id
    const charge = attempt(intent, newCard(null, last4), { hold })
    if (charge.paid) {
      Object.assign(session, { status: 'complete', payment_status: 'paid', url: null })
      webhooks.emit('checkout.session.completed', session, { hold })
    }
    return { session, intent, isPaid: charge.paid }
  }

  /** Saves a card on the page of a session. */
  const leaveCard = (sessionId: string, last4 = '4242') => {
    const session = openSession(sessionId)
    const card = newCard(session.customer, last4)
    const [status, metadata] = ['succeeded' as const, session.intent_metadata]
    const fields = { status, customer: session.customer, payment_method: card.id, metadata }
    const setup = store.put(make('setup_intent', secondsOf(now), fields))
    Object.assign(session, { status: 'complete', setup_intent: setup.id, url: null })
    webhooks.emit('setup_intent.succeeded', setup)
    webhooks.emit('checkout.session.completed', session)
    return { session, card }
  }

  const expire = (sessionId: string): Session => {
    const session = openSession(sessionId)
    Object.assign(session, { status: 'expired', url: null })
    const intent = store.find('payment_intent', session.payment_intent)
    if (intent) cancelIntent(intent, 'automatic')
    webhooks.emit('checkout.session.expired', session)
    return session
  }

  const detach = (card: PaymentMethod): PaymentMethod => {
    if (!card.customer) throw refused(400, undefined, 'The payment method is not attached to a customer.')
    const previous = { customer: card.customer }
    card.customer = null
    webhooks.emit('payment_method.detached', card, { previous })
    return card
  }

  return { newCard, newSession, pay, leaveCard, expire, detach }
}

export type RefundOutcome = 'succeeded' | 'pending' | 'failed'

/** Refunds, which send money back to the cardholder. */
export function givingBack({ store, webhooks, now }: Parts) {
  let refundOutcome: RefundOutcome = 'succeeded'

  const refund = (intentId: string, given: { amount?: number; reason?: string | null; metadata?: Metadata }) => {
    const charge = chargeOf(store, intentId)
    const left = charge.amount - charge.amount_refunded
    if (left === 0) throw refused(400, 'charge_already_refunded', 'The charge has been refunded.')
    if (charge.disputed && store.list('dispute').some((one) => one.charge === charge.id && one.status !== 'won'))
      throw refused(400, 'charge_disputed', 'The charge is disputed.')
    const { amount = left, reason = null, metadata = {} } = given
    if (amount > left) throw refused(400, undefined, `The refund exceeds the remaining amount of the charge, ${left}.`)
    const made = store.put(
      make('refund', secondsOf(now), {
        ...{ amount, currency: 'usd', charge: charge.id, payment_intent: intentId, reason, metadata },
        status: refundOutcome === 'failed' ? 'pending' : refundOutcome,
      }),
    )
    changeRefunded(charge, amount)
    webhooks.emit('refund.created', made)
    webhooks.emit('charge.refunded', charge)
    // The response contains only what is known immediately; a failure follows later.
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

/** Disputes, with which the cardholder takes the money back. */
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
  if (charge?.status !== 'succeeded') throw refused(400, undefined, 'This PaymentIntent has no successful charge.')
  return charge
}

function changeRefunded(charge: Charge, cents: number): void {
  charge.amount_refunded += cents
  charge.refunded = charge.amount_refunded === charge.amount
}

export type Actions = ReturnType<typeof actionsOn>

/** Everything that can happen at the provider, and its effects there. */
export function actionsOn(parts: Parts) {
  const taking = takingMoney(parts)
  return { ...taking, ...givingBack(parts), ...disputing(parts), ...checkingOut(parts, taking) }
}
