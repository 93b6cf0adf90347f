/** Who the account is at the provider. Its names are the provider's own: `cus_…`, `pm_…`, `pi_…`. */
export type Card = { card: string; brand: string; last4: string; expires: string }

/** Why a card brought no money, in a few words that may be stored and shown. */
export type PaymentFailure =
  | 'card_declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'authentication_required'
  | 'other'

export type ProviderRefund = {
  reference: string
  /** Ours; null for one that was made in the provider's own pages. */
  refundId: string | null
  amountMicros: number
  status: 'pending' | 'succeeded' | 'failed'
}

export type ProviderDispute = { reference: string; amountMicros: number; status: 'open' | 'won' | 'lost' }

/** All that the provider knows of one payment, at the moment of asking. */
export type ProviderPayment = {
  /** Ours; null for a payment that is none of ours. */
  paymentId: string | null
  /** Null while nobody has tried to pay. */
  intent: string | null
  /** `open`: it may still be paid. */
  status: 'open' | 'paid' | 'failed' | 'cancelled'
  /** What was received, once it was; before, what was asked for. */
  amountMicros: number
  failure: PaymentFailure | null
  refunds: readonly ProviderRefund[]
  disputes: readonly ProviderDispute[]
}

/** What the provider's own call was about. Its details are not believed: they are read from the provider again. */
export type ProviderEvent = {
  id: string
  type: string
  /** A card is told by its customer, the provider's name of whom it belongs to. */
  about: { payment: { paymentId: string | null; intent: string | null } } | { cardOf: { customer: string } } | null
}

/** A page of the provider's where the owner goes on. */
export type ProviderPage = { reference: string; url: string }

type Return = { successUrl: string; cancelUrl: string }

/**
 * Cards, whoever carries them out. Each call that changes something names what it is for, and bears a second run. It
 * throws only a `ProviderError`.
 */
export type CardProvider = {
  driver: 'stripe'
  /** Where a form of ours may lead. */
  checkoutOrigin: string
  createCustomer(account: { accountId: string; email: string }): Promise<string>
  changeEmail(customer: string, email: string): Promise<void>
  /** Forgets the customer with all cards. One that is gone already is no fault. */
  forgetCustomer(customer: string): Promise<void>
  startTopUp(
    topUp: { paymentId: string; accountId: string; customer: string; amountMicros: number } & Return,
  ): Promise<ProviderPage>
  /** `setupId` is new for each attempt. */
  startCardSetup(setup: { setupId: string; accountId: string; customer: string } & Return): Promise<ProviderPage>
  /** The newest card of the customer. */
  readCard(customer: string): Promise<Card | null>
  removeCard(card: string): Promise<void>
  /** Takes money from the card on file while its owner is not there. A card that refuses is an answer, not a fault. */
  chargeCard(charge: {
    paymentId: string
    accountId: string
    customer: string
    card: string
    amountMicros: number
  }): Promise<ProviderPayment>
  sendRefund(refund: { refundId: string; intent: string; amountMicros: number }): Promise<ProviderRefund>
  /** By the page where it is paid, or by the payment itself; null when the provider knows neither. */
  readPayment(payment: { reference: string | null; intent: string | null }): Promise<ProviderPayment | null>
  /** Ends the page of a payment that nobody is to pay any more. */
  cancelPayment(payment: { reference: string | null; intent: string | null }): Promise<void>
  /** All payments of a stretch of time, ours and others, each once: begun in it, or sent back or disputed in it. */
  listPayments(range: { from: Date; until: Date }): AsyncIterable<ProviderPayment>
  /** Null when the signature is not the provider's, or is too old. */
  readEvent(body: Buffer, signature: string): Promise<ProviderEvent | null>
}

/** Without a provider: owners ask, and the operator says when the money has come. */
export type ManualPayments = { driver: 'manual'; instructions: string }

export type PaymentService = CardProvider | ManualPayments

/** Only `unreachable` may pass by itself: it is also said of a provider that is overloaded or broken. */
type FaultKind = 'unreachable' | 'refused' | 'not_signed_in'

/** The provider could not be asked, or would not do it. Nothing of the customer is in it, nor the provider's own words. */
export class ProviderError extends Error {
  readonly kind: FaultKind
  /** The provider's name for what is wrong, a short code. */
  readonly code: string | undefined

  constructor(kind: FaultKind, code?: string) {
    super(code === undefined ? explanations[kind] : `${explanations[kind]} (${code})`)
    this.kind = kind
    this.code = code
  }
}

const explanations: Record<FaultKind, string> = {
  unreachable: 'the payment provider could not be reached, or could not answer',
  refused: 'the payment provider refused the request',
  not_signed_in: 'the payment provider did not accept the secret key',
}
