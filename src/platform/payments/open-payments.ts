import { type Settings, SettingsError } from '../settings/settings.ts'
import type { PaymentService } from './provider.ts'

/** The settings for each process that handles payments. */
export const paymentSettings = [
  'PAYMENTS_DRIVER',
  'PAYMENTS_INSTRUCTIONS',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_API_URL',
  'STRIPE_CHECKOUT_ORIGIN',
] as const

type PaymentSettings = Settings<(typeof paymentSettings)[number]>

/** The driver named in the settings. Throws a `SettingsError` if a setting it needs is missing. */
export async function openPayments(settings: PaymentSettings): Promise<PaymentService> {
  const drivers: Record<PaymentSettings['PAYMENTS_DRIVER'], () => Promise<PaymentService>> = {
    manual: async () => ({ driver: 'manual', instructions: settings.PAYMENTS_INSTRUCTIONS }),
    stripe: () => openStripeWith(settings),
  }
  return drivers[settings.PAYMENTS_DRIVER]()
}

async function openStripeWith(settings: PaymentSettings): Promise<PaymentService> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecrets } = settings
  if (!secretKey || !webhookSecrets) {
    const missing = [!secretKey && 'STRIPE_SECRET_KEY', !webhookSecrets && 'STRIPE_WEBHOOK_SECRET'].filter(Boolean)
    throw new SettingsError(`The payments driver "stripe" also needs ${missing.join(' and ')}.`)
  }
  // Loading the library takes 0.1 s and 6 MB, so deployments without Stripe do not load it.
  const { openStripe } = await import('./stripe.ts')
  const { STRIPE_API_URL: apiUrl, STRIPE_CHECKOUT_ORIGIN: checkoutOrigin } = settings
  return openStripe({ secretKey, webhookSecrets, apiUrl, checkoutOrigin })
}
