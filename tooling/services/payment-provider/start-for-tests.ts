import { openStripe } from '../../../src/platform/payments/stripe.ts'
import { startPaymentProvider } from './server.ts'

type Options = {
  /** Where the provider calls; `double.webhooks.sendTo` names it once it is known. */
  eventsUrl?: string
  /** When the provider's objects say that they were made. */
  now?: () => Date
  file?: string
  /** Other secrets than the double's own, to be believed besides. */
  otherSecrets?: readonly string[]
}

export const providerKey = 'sk_test_double'
export const providerSecret = 'whsec_of_the_double'

/** The double of the card provider, in this process, and the real driver that speaks to it. */
export async function startProvider(stack: AsyncDisposableStack, { otherSecrets = [], ...options }: Options = {}) {
  const double = stack.use(
    await startPaymentProvider({
      port: 0,
      secretKey: providerKey,
      webhookSecret: providerSecret,
      retryDelaysMs: [20, 50, 100, 200, 400, 800],
      ...options,
    }),
  )
  const { apiUrl, checkoutOrigin } = double
  const webhookSecrets = [...otherSecrets, providerSecret]
  const payments = openStripe({ secretKey: providerKey, webhookSecrets, apiUrl, checkoutOrigin })
  return { payments, double }
}
