/** An account's customer at the provider. The ids are the provider's: `cus_…`, `pm_…`, `pi_…`. */
export type Card = { card: string; brand: string; last4: string; expires: string }

/** Why a card payment failed, as a short code that may be stored and shown. */
export type PaymentFailure =
  | 'card_declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'authentication_required'
  | 'other'

export type ProviderRefund = {
  reference: string
  /** Our id; null for a refund made in the provider's dashboard. */
  refundId: string | null
  amountMicros: number
  status: 'pending' | 'succeeded' | 'failed'
}

export type ProviderDispute = { reference: string; amountMicros: number; status: 'open' | 'won' | 'lost' }

/** Everything the provider has recorded about one payment at the time of the request. */
export type ProviderPayment = {
  /** Our id; null for a payment that we did not create. */
  paymentId: string | null
  /** Null until somebody has tried to pay. */
  intent: string | null
  /** `open`: it can still be paid. */
  status: 'open' | 'paid' | 'failed' | 'cancelled'
  /** The received amount; before that, the requested amount. */
  amountMicros: number
  failure: PaymentFailure | null
  refunds: readonly ProviderRefund[]
  disputes: readonly ProviderDispute[]
}

/** The subject of the provider's event. The event's details are not trusted: we read them from the provider again. */
export type ProviderEvent = {
  id: string
  type: string
  /** A card event names only the customer: the provider's id for the card's owner. */
  about: { payment: { paymentId: string | null; intent: string | null } } | { cardOf: { customer: string } } | null
}

/** A page on the provider's site where the owner continues. */
export type ProviderPage = { reference: string; url: string }

type Return = { successUrl: string; cancelUrl: string }

/**
 * Card payments, independent of the provider. Each call that changes something has an id for its purpose and can be
 * repeated. Throws only a `ProviderError`.
 */
export type CardProvider = {
  driver: 'stripe'
  /** The origin to which our forms may redirect. */
  checkoutOrigin: string
  createCustomer(account: { accountId: string; email: string }): Promise<string>
  changeEmail(customer: string, email: string): Promise<void>
  /** Deletes the customer with all cards. A customer that is already deleted is not an error. */
  forgetCustomer(customer: string): Promise<void>
  startTopUp(
    topUp: { paymentId: string; accountId: string; customer: string; amountMicros: number } & Return,
  ): Promise<ProviderPage>
  /** `setupId` is new for each attempt. */
  startCardSetup(setup: { setupId: string; accountId: string; customer: string } & Return): Promise<ProviderPage>
  /** The newest card of the customer. */
  readCard(customer: string): Promise<Card | null>
  removeCard(card: string): Promise<void>
  /** Charges the stored card while its owner is absent. A declined card is a result, not an error. */
  chargeCard(charge: {
    paymentId: string
    accountId: string
    customer: string
    card: string
    amountMicros: number
  }): Promise<ProviderPayment>
  sendRefund(refund: { refundId: string; intent: string; amountMicros: number }): Promise<ProviderRefund>
  /** Finds a payment by its checkout page or by its id; null if the provider has neither. */
  readPayment(payment: { reference: string | null; intent: string | null }): Promise<ProviderPayment | null>
  /** Expires the checkout page of a payment that must no longer be paid. */
  cancelPayment(payment: { reference: string | null; intent: string | null }): Promise<void>
  /** All payments that were created, refunded or disputed in a period, ours and others, each once. */
  listPayments(range: { from: Date; until: Date }): AsyncIterable<ProviderPayment>
  /** Null if the signature is invalid or too old. */
  readEvent(body: Buffer, signature: string): Promise<ProviderEvent | null>
}

/**
 * For deployments without a provider: owners request payments, and the operator confirms when the money has arrived.
 */
export type ManualPayments = { driver: 'manual'; instructions: string }

export type PaymentService = CardProvider | ManualPayments

/** Only `unreachable` is temporary; it also covers a provider that is overloaded or failing. */
type FaultKind = 'unreachable' | 'refused' | 'not_signed_in'

/** The provider could not be reached or rejected the request. Contains no customer data and no provider message. */
export class ProviderError extends Error {
  readonly kind: FaultKind
  /** The provider's short error code. */
  readonly code: string | undefined

  constructor(kind: FaultKind, code?: string) {
    super(code === undefined ? explanations[kind] : `${explanations[kind]} (${code})`)
    this.kind = kind
    this.code = code
  }
}

const explanations: Record<FaultKind, string> = {
  unreachable: 'the payment provider is unreachable or could not respond',
  refused: 'the payment provider rejected the request',
  not_signed_in: 'the payment provider rejected the secret key',
}
