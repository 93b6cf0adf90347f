import {
  type CardProvider,
  type ProviderDispute,
  ProviderError,
  type ProviderPayment,
  type ProviderRefund,
} from '../../../src/platform/payments/provider.ts'

type Known = {
  paymentId: string
  reference: string | null
  intent: string | null
  status: ProviderPayment['status']
  amountMicros: number
  refunds: ProviderRefund[]
  disputes: ProviderDispute[]
}

export type MemoryProvider = ReturnType<typeof openMemoryProvider>

/**
 * A provider that is only a list, for tests of our ledger and not of the transport. Its response to a change may be
 * lost: `fails` says when.
 */
export function openMemoryProvider({ fails }: { fails: () => boolean }) {
  const known: Known[] = []
  let names = 0
  const newName = (prefix: string) => `${prefix}_${process.pid}_${++names}_${Math.random().toString(36).slice(2)}`
  const snapshot = (one: Known): ProviderPayment =>
    structuredClone({ ...one, failure: one.status === 'failed' ? ('card_declined' as const) : null })
  const byId = (paymentId: string) => known.find((one) => one.paymentId === paymentId)
  /** The remaining amount of a received payment. */
  const leftOf = ({ status, amountMicros, refunds, disputes }: Known): number =>
    status === 'paid'
      ? amountMicros -
        taken(refunds.filter((one) => one.status !== 'failed')) -
        taken(disputes.filter((one) => one.status !== 'won'))
      : 0

  const addRefund = (one: Known, { amountMicros, refundId }: { amountMicros: number; refundId: string | null }) => {
    if (amountMicros > leftOf(one) || one.disputes.some(({ status }) => status === 'open'))
      throw new ProviderError('refused', 'charge_disputed')
    const refund: ProviderRefund = { reference: newName('re'), refundId, amountMicros, status: 'pending' }
    one.refunds.push(refund)
    return refund
  }
  const provider: CardProvider = {
    driver: 'stripe',
    checkoutOrigin: 'https://checkout.example',
    createCustomer: async ({ accountId }) => `cus_${accountId}`,
    changeEmail: async () => {},
    forgetCustomer: async () => {},
    startTopUp: async ({ paymentId, amountMicros }) => {
      const reference = newName('cs')
      known.push({ paymentId, reference, intent: null, status: 'open', amountMicros, refunds: [], disputes: [] })
      return { reference, url: 'https://checkout.example/' }
    },
    startCardSetup: async () => ({ reference: newName('cs'), url: 'https://checkout.example/' }),
    readCard: async () => null,
    removeCard: async () => {},
    chargeCard: async ({ paymentId, amountMicros }) => {
      const intent = newName('pi')
      const one = {
        paymentId,
        reference: null,
        intent,
        status: 'paid' as const,
        amountMicros,
        refunds: [],
        disputes: [],
      }
      const before = byId(paymentId)
      if (!before) known.push(one)
      if (fails()) throw new ProviderError('unreachable')
      return snapshot(before ?? one)
    },
    sendRefund: async ({ refundId, intent, amountMicros }) => {
      const one = known.find((payment) => payment.intent === intent)
      if (!one) throw new ProviderError('refused', 'resource_missing')
      const refund =
        one.refunds.find((before) => before.refundId === refundId) ?? addRefund(one, { refundId, amountMicros })
      if (fails()) throw new ProviderError('unreachable')
      return structuredClone(refund)
    },
    readPayment: async ({ reference, intent }) => {
      if (fails()) throw new ProviderError('unreachable')
      const one = known.find((payment) =>
        intent ? payment.intent === intent : reference !== null && payment.reference === reference,
      )
      return one ? snapshot(one) : null
    },
    cancelPayment: async () => {},
    listPayments: async function* () {
      for (const one of known) yield snapshot(one)
    },
    readEvent: async () => null,
  }
  return {
    provider,
    known,
    pay: (one: Known | undefined) => {
      if (!one) return
      one.intent ??= newName('pi')
      one.status = 'paid'
    },
    addRefund,
    leftOf,
    dispute: (one: Known, amountMicros: number) =>
      void one.disputes.push({ reference: newName('dp'), amountMicros, status: 'open' }),
    /** The amount that the provider holds for us. */
    takings: () =>
      known
        .filter(({ status }) => status === 'paid')
        .reduce((sum, one) => sum + one.amountMicros - taken(live(one.refunds)) - taken(lost(one.disputes)), 0),
  }
}

const taken = (parts: readonly { amountMicros: number }[]) => parts.reduce((sum, part) => sum + part.amountMicros, 0)
const live = (refunds: readonly ProviderRefund[]) => refunds.filter(({ status }) => status !== 'failed')
const lost = (disputes: readonly ProviderDispute[]) => disputes.filter(({ status }) => status === 'lost')
