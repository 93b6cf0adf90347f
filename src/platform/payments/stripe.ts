import assert from 'node:assert/strict'
import Stripe from 'stripe'
import { type CardProvider, ProviderError, type ProviderPage } from './provider.ts'
import { asking, faultOf, unlessMissing, unlessOver } from './stripe-error.ts'
import { eventFrom } from './stripe-event.ts'
import {
  chargeOf,
  disputeFrom,
  failureOf,
  isAtAnEnd,
  paymentFrom,
  paymentIdIn,
  refundFrom,
  refundIdIn,
  sessionPayment,
} from './stripe-mapping.ts'

type Options = {
  secretKey: string
  /** All of them are accepted. There are two during a rotation. */
  webhookSecrets: readonly string[]
  apiUrl: string
  checkoutOrigin: string
}

/** An event that arrives later than this after it was signed could be a replay. */
const toleranceSeconds = 300

/** Card payments through Stripe or a compatible API. */
export function openStripe({ secretKey, webhookSecrets, apiUrl, checkoutOrigin }: Options): CardProvider {
  const { protocol, hostname, port } = new URL(apiUrl)
  const stripe = new Stripe(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? '80' : '443'),
    timeout: 10_000,
    maxNetworkRetries: 2,
    telemetry: false,
  })
  return {
    driver: 'stripe',
    checkoutOrigin,
    ...peopleOf(stripe),
    ...pagesOf(stripe, checkoutOrigin),
    ...moneyOf(stripe),
    readEvent: async (body, signature) => {
      for (const secret of webhookSecrets) {
        const event = await Stripe.webhooks
          .constructEventAsync(body, signature, secret, toleranceSeconds)
          .catch(() => null)
        if (event) return eventFrom(event)
      }
      return null
    },
  }
}

function peopleOf(stripe: Stripe) {
  return {
    createCustomer: ({ accountId, email }) =>
      asking(async () => {
        // The key is the account alone, so that a second run with another address finds the same customer.
        const named = { idempotencyKey: `${accountId}:customer` }
        const { id } = await stripe.customers.create({ metadata: { account_id: accountId } }, named)
        await stripe.customers.update(id, { email })
        return id
      }),
    changeEmail: (customer, email) => asking(async () => void (await stripe.customers.update(customer, { email }))),
    forgetCustomer: (customer) => asking(async () => void (await unlessMissing(stripe.customers.del(customer)))),
    readCard: (customer) =>
      asking(async () => {
        const cards = await unlessMissing(stripe.customers.listPaymentMethods(customer, { type: 'card', limit: 1 }))
        const [newest] = cards?.data ?? []
        if (!newest?.card) return null
        const { brand, last4, exp_year, exp_month } = newest.card
        return { card: newest.id, brand, last4, expires: `${exp_year}-${String(exp_month).padStart(2, '0')}` }
      }),
    removeCard: (card) =>
      asking(async () => {
        try {
          await stripe.paymentMethods.detach(card)
        } catch (error) {
          // Stripe rejects a card that is already detached, without a specific code.
          const left = await unlessMissing(stripe.paymentMethods.retrieve(card))
          if (left?.customer) throw error
        }
      }),
  } satisfies Partial<CardProvider>
}

function pagesOf(stripe: Stripe, checkoutOrigin: string) {
  return {
    startTopUp: ({ paymentId, accountId, customer, amountMicros, successUrl, cancelUrl }) =>
      asking(async () => {
        const metadata = { payment_id: paymentId, account_id: accountId }
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'payment',
            customer,
            client_reference_id: paymentId,
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: 'usd',
                  unit_amount: centsOf(amountMicros),
                  product_data: { name: 'Broadside balance' },
                },
              },
            ],
            allowed_payment_method_types: ['card'],
            // In another currency, the amount would be wrong.
            adaptive_pricing: { enabled: false },
            invoice_creation: { enabled: false },
            metadata,
            payment_intent_data: { metadata },
            success_url: successUrl,
            cancel_url: cancelUrl,
          },
          { idempotencyKey: `${paymentId}:start` },
        )
        return pageAt(session, checkoutOrigin)
      }),
    startCardSetup: ({ setupId, accountId, customer, successUrl, cancelUrl }) =>
      asking(async () => {
        const metadata = { account_id: accountId }
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'setup',
            customer,
            currency: 'usd',
            allowed_payment_method_types: ['card'],
            metadata,
            setup_intent_data: { metadata },
            success_url: successUrl,
            cancel_url: cancelUrl,
          },
          { idempotencyKey: `${setupId}:start` },
        )
        return pageAt(session, checkoutOrigin)
      }),
    cancelPayment: ({ reference, intent }) =>
      asking(async () => {
        // The payment on a checkout page ends only when the page does.
        if (reference) await endPage(stripe, reference)
        else if (intent) await unlessOver(endIntent(stripe, intent))
      }),
  } satisfies Partial<CardProvider>
}

/** Our pages allow forms to redirect to only one other origin, so the page must be on that origin. */
function pageAt({ id, url }: Stripe.Checkout.Session, checkoutOrigin: string): ProviderPage {
  if (url === null || new URL(url).origin !== checkoutOrigin) throw new ProviderError('refused', 'checkout_origin')
  return { reference: id, url }
}

async function endPage(stripe: Stripe, reference: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(reference)
  } catch (error) {
    // Stripe rejects a page that has already expired, without a specific code.
    const left = await unlessMissing(stripe.checkout.sessions.retrieve(reference))
    if (left?.status === 'open') throw error
  }
}

function moneyOf(stripe: Stripe) {
  return {
    chargeCard: (charge) =>
      asking(async () => {
        const known = await findIntent(stripe, charge)
        const intent = known ?? (await attempt(stripe, charge))
        if (!isAtAnEnd(intent)) {
          // Nobody is present to try another card, so the payment must not be paid later.
          const failure = failureOf(intent)
          const ended = (await unlessOver(endIntent(stripe, intent.id))) ?? (await readIntent(stripe, intent.id))
          assert(ended, 'a cancelled intent must be readable')
          const payment = paymentFrom(ended)
          return payment.status === 'paid' ? payment : { ...payment, status: 'failed' as const, failure }
        }
        return paymentFrom(intent)
      }),
    sendRefund: ({ refundId, intent, amountMicros }) =>
      asking(async () => {
        // Stripe forgets idempotency keys after a day; a job may be retried for a month.
        for await (const refund of stripe.refunds.list({ payment_intent: intent, limit: 100 }))
          if (refundIdIn(refund.metadata) === refundId) return refundFrom(refund)
        const made = await stripe.refunds.create(
          {
            payment_intent: intent,
            amount: centsOf(amountMicros),
            reason: 'requested_by_customer',
            metadata: { refund_id: refundId },
          },
          { idempotencyKey: refundId },
        )
        return refundFrom(made)
      }),
    readPayment: ({ reference, intent }) =>
      asking(async () => {
        const expand = ['payment_intent', 'payment_intent.latest_charge']
        const session = reference && (await unlessMissing(stripe.checkout.sessions.retrieve(reference, { expand })))
        const begun = session ? (session.payment_intent as Stripe.PaymentIntent | null) : null
        const found = begun ?? (intent ? await readIntent(stripe, intent) : null)
        if (!found) return session ? sessionPayment(session) : null
        const payment = paymentFrom(found, await refundsOf(stripe, found.id), await disputesOf(stripe, found.id))
        const isGivenUp = session && session.status === 'expired' && payment.status === 'open'
        return isGivenUp ? { ...payment, status: 'cancelled' } : payment
      }),
    listPayments: async function* (range) {
      try {
        yield* listed(stripe, range)
      } catch (error) {
        throw faultOf(error)
      }
    },
  } satisfies Partial<CardProvider>
}

/** A refund or a dispute can follow months after its payment, so the payment is found through it. */
async function* listed(stripe: Stripe, { from, until }: Parameters<CardProvider['listPayments']>[0]) {
  const created = { gte: Math.floor(from.getTime() / 1_000), lt: Math.ceil(until.getTime() / 1_000) }
  const seen = new Set<string>()
  for await (const intent of stripe.paymentIntents.list({ created, limit: 100, expand: ['data.latest_charge'] })) {
    seen.add(intent.id)
    const charge = chargeOf(intent)
    const refunds = charge && charge.amount_refunded > 0 ? await refundsOf(stripe, intent.id) : []
    const disputes = charge?.disputed ? await disputesOf(stripe, intent.id) : []
    yield paymentFrom(intent, refunds, disputes)
  }
  for (const goneBack of [stripe.disputes, stripe.refunds])
    for await (const { payment_intent: named } of goneBack.list({ created, limit: 100 })) {
      const id = typeof named === 'object' ? named?.id : named
      if (!id || seen.has(id)) continue
      seen.add(id)
      const intent = await readIntent(stripe, id)
      if (intent) yield paymentFrom(intent, await refundsOf(stripe, id), await disputesOf(stripe, id))
    }
}

type Charge = Parameters<CardProvider['chargeCard']>[0]

/** The result of an earlier run. Stripe forgets idempotency keys after a day; a job may be retried for a month. */
async function findIntent(stripe: Stripe, { paymentId, customer }: Charge): Promise<Stripe.PaymentIntent | undefined> {
  const { data } = await stripe.paymentIntents.list({ customer, limit: 100, expand: ['data.latest_charge'] })
  return data.find(({ metadata }) => paymentIdIn(metadata) === paymentId)
}

async function attempt(stripe: Stripe, charge: Charge): Promise<Stripe.PaymentIntent> {
  try {
    return await stripe.paymentIntents.create(
      {
        amount: centsOf(charge.amountMicros),
        currency: 'usd',
        customer: charge.customer,
        payment_method: charge.card,
        allowed_payment_method_types: ['card'],
        off_session: true,
        confirm: true,
        description: 'Broadside balance',
        metadata: { payment_id: charge.paymentId, account_id: charge.accountId },
      },
      { idempotencyKey: `${charge.paymentId}:start` },
    )
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError && error.payment_intent) return error.payment_intent
    throw error
  }
}

const endIntent = (stripe: Stripe, intent: string) =>
  stripe.paymentIntents.cancel(intent, { cancellation_reason: 'abandoned', expand: ['latest_charge'] })

const readIntent = (stripe: Stripe, intent: string) =>
  unlessMissing(stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] }))

const refundsOf = (stripe: Stripe, intent: string) =>
  Array.fromAsync(stripe.refunds.list({ payment_intent: intent, limit: 100 }), refundFrom)

const disputesOf = (stripe: Stripe, intent: string) =>
  Array.fromAsync(stripe.disputes.list({ payment_intent: intent, limit: 100 }), disputeFrom)

const microsInCent = 10_000

function centsOf(micros: number): number {
  assert(micros > 0 && micros % microsInCent === 0, 'a card payment must be in whole cents')
  return micros / microsInCent
}
