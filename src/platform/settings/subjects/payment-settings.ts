import { z } from 'zod'
import { accountKey, keyedOrigin, signingSecrets } from '../setting-values.ts'

/** The settings of the payment provider. */
export const paymentDriverSettings = {
  PAYMENTS_DRIVER: z
    .enum(['stripe', 'manual'])
    .default('manual')
    .describe('How owners pay: by card through Stripe, or manually. The operator confirms each manual payment.'),
  PAYMENTS_INSTRUCTIONS: z
    .string()
    .max(2_000)
    .default('Contact the operator of this service. Your balance is credited when the payment arrives.')
    .describe('For the driver "manual": payment instructions shown to owners.'),
  STRIPE_SECRET_KEY: accountKey
    .optional()
    .describe('For the driver "stripe": secret key (sk_test_… or sk_live_…) or restricted key (rk_…).'),
  STRIPE_WEBHOOK_SECRET: signingSecrets
    .optional()
    .describe(
      'For the driver "stripe": secret that Stripe signs its webhooks with (whsec_…). To rotate it, set both secrets, separated by a space.',
    ),
  STRIPE_API_URL: keyedOrigin.default('https://api.stripe.com').describe('For the driver "stripe": origin of its API.'),
  STRIPE_CHECKOUT_ORIGIN: z
    .string()
    .regex(/^https?:\/\/[^/?#\s]+$/)
    .default('https://checkout.stripe.com')
    .describe('For the driver "stripe": origin of its checkout pages.'),
}
