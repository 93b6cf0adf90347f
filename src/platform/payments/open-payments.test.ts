import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings, SettingsError } from '../settings/settings.ts'
import { openPayments, paymentSettings } from './open-payments.ts'

const open = async (environment: NodeJS.ProcessEnv) => openPayments(readSettings(environment, paymentSettings))
const stripe = {
  BROADSIDE_ENVIRONMENT: 'test',
  PAYMENTS_DRIVER: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_1234',
  STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
}

test('without settings, owners are asked to contact the operator', async () => {
  const payments = await open({})
  assert.ok(payments.driver === 'manual' && payments.instructions.includes('operator'))
})

test('Stripe needs its key and its secret, and the error says so', async () => {
  await assert.rejects(open({ PAYMENTS_DRIVER: 'stripe' }), (error: Error) => {
    assert.ok(error instanceof SettingsError)
    assert.equal(error.message, 'The payments driver "stripe" also needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.')
    return true
  })
  const payments = await open(stripe)
  assert.ok(payments.driver === 'stripe' && payments.checkoutOrigin === 'https://checkout.stripe.com')
})

test('the key is sent only over TLS or to this machine', async () => {
  for (const url of ['https://api.stripe.com', 'http://127.0.0.1:4007', 'http://localhost:4007'])
    assert.equal((await open({ ...stripe, STRIPE_API_URL: url })).driver, 'stripe')
  for (const url of [
    'http://api.stripe.com',
    'https://a:b@stripe.example',
    'https://stripe.example/v1',
    'http://127.0.0.1.x',
  ])
    await assert.rejects(open({ ...stripe, STRIPE_API_URL: url }), /STRIPE_API_URL: invalid/, url)
})

test('there are one or two webhook secrets, and an error does not quote a wrong one', async () => {
  const read = (STRIPE_WEBHOOK_SECRET: string) =>
    readSettings({ STRIPE_WEBHOOK_SECRET }, ['STRIPE_WEBHOOK_SECRET']).STRIPE_WEBHOOK_SECRET
  assert.deepEqual(read('whsec_12345678 whsec_87654321'), ['whsec_12345678', 'whsec_87654321'])
  for (const wrong of [
    '12345678',
    'whsec_1',
    'whsec_12345678 whsec_12345678',
    'whsec_aaaaaaaa whsec_bbbbbbbb whsec_cccccccc',
  ])
    assert.throws(
      () => read(wrong),
      (error: Error) => error instanceof SettingsError && !error.message.includes(wrong),
    )
})
