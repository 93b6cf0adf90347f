import { z } from 'zod'
import type { ProviderEvent } from './provider.ts'
import { paymentIdIn } from './stripe-mapping.ts'

const name = z.string().nullish()
/** The parts of an event that identify the objects to read again. */
const stripeEvent = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({
    object: z.object({
      object: z.string(),
      id: name,
      mode: name,
      customer: name,
      payment_intent: name,
      metadata: z.record(z.string(), z.string()).nullish(),
    }),
    previous_attributes: z.object({ customer: name }).nullish(),
  }),
})

type StripeEventData = z.output<typeof stripeEvent>['data']

/** Null if it is not a Stripe event. */
export function eventFrom(sent: unknown): ProviderEvent | null {
  const read = stripeEvent.safeParse(sent)
  if (!read.success) return null
  const { id, type, data } = read.data
  return { id, type, about: readers[data.object.object]?.(data) ?? null }
}

/** By the type of the event's object. */
const readers: Record<string, (data: StripeEventData) => ProviderEvent['about']> = {
  'checkout.session': (data) => (data.object.mode === 'setup' ? aboutCard(data) : aboutPayment(data)),
  payment_intent: ({ object }) => aboutPayment({ object: { ...object, payment_intent: object.id } }),
  charge: (data) => aboutPayment(data),
  // These have none of our ids, or not the id of the payment.
  refund: ({ object }) => aboutPayment({ object: { ...object, metadata: null } }),
  dispute: ({ object }) => aboutPayment({ object: { ...object, metadata: null } }),
  setup_intent: (data) => aboutCard(data),
  payment_method: (data) => aboutCard(data),
}

function aboutPayment({ object }: StripeEventData): ProviderEvent['about'] {
  const payment = { paymentId: paymentIdIn(object.metadata), intent: object.payment_intent ?? null }
  return payment.paymentId || payment.intent ? { payment } : null
}

/** A removed card has no customer; the event names its former customer. */
function aboutCard({ object, previous_attributes }: StripeEventData): ProviderEvent['about'] {
  const customer = object.customer ?? previous_attributes?.customer
  return customer ? { cardOf: { customer } } : null
}
