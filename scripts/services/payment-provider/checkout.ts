import { cards, make, type PaymentMethod, type Session } from './objects.ts'
import { type Parts, secondsOf } from './parts.ts'
import { refused } from './refused.ts'
import type { Taking } from './take-money.ts'

/** What happens on the double's pages, and what they leave behind. */
export function checkingOut({ store, webhooks, now, origin }: Parts, { newIntent, attempt, cancelIntent }: Taking) {
  const newCard = (customer: string | null, last4: string): PaymentMethod => {
    const brand = cards[last4]?.brand
    if (!brand) throw refused(400, 'incorrect_number', 'The double does not know this card.')
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

  /** Pays on the page of a session. A card that is declined leaves the page open, as at Stripe. */
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

  /** Leaves a card on the page of a session. */
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
