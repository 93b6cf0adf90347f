import { openStripe } from '../../../src/platform/payments/stripe.ts'
import { startPaymentProvider } from './server.ts'

type Options = {
  /** Where the provider sends webhooks. If the URL is not known yet, set it later with `double.webhooks.sendTo`. */
  eventsUrl?: string
  /** The creation time of the provider's objects. */
  now?: () => Date
  file?: string
  /** Additional secrets to accept besides the double's own. */
  otherSecrets?: readonly string[]
}

export const providerKey = 'sk_test_double'
export const providerSecret = 'whsec_of_the_double'

/** The double of the payment provider in this process, the driver that calls it, and the settings to open the driver. */
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
  const settings = {
    PAYMENTS_DRIVER: 'stripe',
    STRIPE_SECRET_KEY: providerKey,
    STRIPE_WEBHOOK_SECRET: providerSecret,
    STRIPE_API_URL: apiUrl,
    STRIPE_CHECKOUT_ORIGIN: checkoutOrigin,
  }
  return { payments, double, settings }
}
