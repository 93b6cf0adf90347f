import { randomBytes } from 'node:crypto'

/** An error response in Stripe's format. */
export class Refusal extends Error {
  readonly status: number
  readonly error: { type: string; code?: string; message: string } & Record<string, unknown>

  constructor(status: number, error: Refusal['error']) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

export const refused = (status: number, code: string | undefined, message: string, more: object = {}) =>
  new Refusal(status, { type: 'invalid_request_error', ...(code && { code }), message, ...more })

export type Metadata = Record<string, string>
type Base<Kind extends string> = { id: string; object: Kind; created: number; livemode: false }

export type Customer = Base<'customer'> & { email: string | null; metadata: Metadata }

export type PaymentMethod = Base<'payment_method'> & {
  type: 'card'
  customer: string | null
  card: { brand: string; display_brand: string; last4: string; exp_month: number; exp_year: number; funding: 'credit' }
  metadata: Metadata
}

export type Session = Base<'checkout.session'> & {
  mode: 'payment' | 'setup'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid' | 'no_payment_required'
  customer: string
  currency: string
  amount_total: number | null
  client_reference_id: string | null
  payment_intent: string | null
  setup_intent: string | null
  metadata: Metadata
  success_url: string
  cancel_url: string
  expires_at: number
  url: string | null
  /** How the payment will end once someone tries to pay. Stripe does not expose this. */
  intent_metadata: Metadata
}

export type CardError = { type: 'card_error'; code: string; decline_code?: string; message: string }

export type Intent = Base<'payment_intent'> & {
  status: 'requires_payment_method' | 'succeeded' | 'canceled'
  amount: number
  amount_received: number
  currency: string
  customer: string | null
  payment_method: string | null
  latest_charge: string | null
  last_payment_error: CardError | null
  cancellation_reason: string | null
  canceled_at: number | null
  metadata: Metadata
}

export type Charge = Base<'charge'> & {
  status: 'succeeded' | 'failed'
  paid: boolean
  amount: number
  amount_refunded: number
  refunded: boolean
  disputed: boolean
  currency: string
  customer: string | null
  payment_intent: string
  payment_method: string | null
  failure_code: string | null
  outcome: { type: 'authorized' | 'issuer_declined'; reason: string | null }
  metadata: Metadata
}

export type Refund = Base<'refund'> & {
  status: 'pending' | 'succeeded' | 'failed'
  amount: number
  currency: string
  charge: string
  payment_intent: string
  reason: string | null
  failure_reason?: string
  metadata: Metadata
}

export type Dispute = Base<'dispute'> & {
  status: 'needs_response' | 'won' | 'lost'
  amount: number
  currency: string
  charge: string
  payment_intent: string
  reason: string
  metadata: Metadata
}

export type SetupIntent = Base<'setup_intent'> & {
  status: 'succeeded'
  customer: string
  payment_method: string
  metadata: Metadata
}

export type Thing = Customer | PaymentMethod | Session | Intent | Charge | Refund | Dispute | SetupIntent
export type Kind = Thing['object']
export type ThingOf<Name extends Kind> = Extract<Thing, { object: Name }>

const prefixes: Record<Kind, string> = {
  customer: 'cus_',
  payment_method: 'pm_',
  'checkout.session': 'cs_test_',
  payment_intent: 'pi_',
  charge: 'ch_',
  refund: 're_',
  dispute: 'dp_',
  setup_intent: 'seti_',
}

export const newName = (prefix: string) => prefix + randomBytes(12).toString('hex')

type Made<Name extends Kind> = Omit<ThingOf<Name>, 'id' | 'object' | 'created' | 'livemode'>

/** A new Stripe object. */
export const make = <Name extends Kind>(object: Name, created: number, fields: Made<Name>) =>
  ({ id: newName(prefixes[object]), object, created, livemode: false, ...fields }) as unknown as ThingOf<Name>

/** The card numbers of Stripe's test mode by their last four digits, and the bank's response to each. */
export const cards: Record<string, { brand: string; refusal: CardError | null }> = {
  '4242': { brand: 'visa', refusal: null },
  '0002': { brand: 'visa', refusal: refusalOf('card_declined', 'generic_decline') },
  '0341': { brand: 'visa', refusal: refusalOf('card_declined', 'generic_decline') },
  '9995': { brand: 'visa', refusal: refusalOf('card_declined', 'insufficient_funds') },
  '0069': { brand: 'visa', refusal: refusalOf('expired_card') },
  '3155': { brand: 'visa', refusal: refusalOf('authentication_required', 'authentication_required') },
}

function refusalOf(code: string, declineCode?: string): CardError {
  const message = 'The test double declined this card.'
  return { type: 'card_error', code, ...(declineCode && { decline_code: declineCode }), message }
}

/** An object in Stripe's format. */
export const shown = (body: object) =>
  JSON.stringify(body, (key, value: unknown) => (key === 'intent_metadata' ? undefined : value), 2)
