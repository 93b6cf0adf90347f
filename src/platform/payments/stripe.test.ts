import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { providerKey, startProvider } from '../../../tooling/services/payment-provider/start-for-tests.ts'
import { newId } from '../identifiers.ts'
import { ProviderError } from './provider.ts'
import { openStripe } from './stripe.ts'

const stack = new AsyncDisposableStack()
after(() => stack.disposeAsync())
const { payments, double } = await startProvider(stack)
const moment = new Date('2026-11-02T12:00:00Z')
const urls = { successUrl: 'http://owner.example/paid', cancelUrl: 'http://owner.example/back' }
const tenDollars = 10_000_000

const newCustomer = async () => {
  const accountId = newId('acct', moment)
  return { accountId, customer: await payments.createCustomer({ accountId, email: 'ada@example.com' }) }
}
const newTopUp = async (amountMicros = tenDollars) => {
  const owner = await newCustomer()
  const topUp = { paymentId: newId('pay', moment), ...owner, amountMicros, ...urls }
  return { topUp, ...(await payments.startTopUp(topUp)) }
}
const paidTopUp = async () => {
  const { topUp, reference } = await newTopUp()
  const { intent } = double.pay(reference)
  return { topUp, reference, intent: intent.id }
}
const savedCard = async (last4 = '4242') => {
  const owner = await newCustomer()
  const { reference } = await payments.startCardSetup({ setupId: crypto.randomUUID(), ...owner, ...urls })
  double.leaveCard(reference, last4)
  const card = await payments.readCard(owner.customer)
  assert.ok(card)
  return { ...owner, card }
}
const newCharge = async (last4?: string) => {
  const { card, ...owner } = await savedCard(last4)
  return { paymentId: newId('pay', moment), ...owner, card: card.card, amountMicros: tenDollars }
}
const intentsOf = (customer: string) => double.list('payment_intent').filter((one) => one.customer === customer)
const isFault = (kind: string, code?: string) => (error: unknown) =>
  error instanceof ProviderError && error.kind === kind && (code === undefined || error.code === code)

test('a customer is created once, even if the address has changed meanwhile', async () => {
  const accountId = newId('acct', moment)
  const first = await payments.createCustomer({ accountId, email: 'ada@example.com' })
  assert.equal(await payments.createCustomer({ accountId, email: 'new@example.com' }), first)
  await payments.changeEmail(first, 'newest@example.com')
  const [customer] = double.list('customer').filter(({ id }) => id === first)
  assert.equal(customer?.email, 'newest@example.com')
  assert.deepEqual(customer?.metadata, { account_id: accountId })
})

test('a deleted customer has no card and can be deleted again', async () => {
  const { customer, card } = await savedCard()
  await payments.forgetCustomer(customer)
  await payments.forgetCustomer(customer)
  assert.equal(await payments.readCard(customer), null)
  assert.equal(double.list('payment_method').find(({ id }) => id === card.card)?.customer, null)
})

test('a top-up has a checkout page and is open until it is paid there', async () => {
  const { topUp, reference, url } = await newTopUp()
  assert.equal(new URL(url).origin, payments.checkoutOrigin)
  const asked = { paymentId: topUp.paymentId, amountMicros: tenDollars, failure: null, refunds: [], disputes: [] }
  assert.deepEqual(await payments.readPayment({ reference, intent: null }), { ...asked, intent: null, status: 'open' })
  const { intent } = double.pay(reference)
  const paid = { ...asked, intent: intent.id, status: 'paid' }
  assert.deepEqual(await payments.readPayment({ reference, intent: null }), paid)
  assert.deepEqual(await payments.readPayment({ reference: null, intent: intent.id }), paid)
  assert.deepEqual(intent.metadata, { payment_id: topUp.paymentId, account_id: topUp.accountId })
})

test('a repeated top-up returns the same page, and fails with another amount', async () => {
  const { topUp, reference } = await newTopUp()
  assert.equal((await payments.startTopUp(topUp)).reference, reference)
  await assert.rejects(
    payments.startTopUp({ ...topUp, amountMicros: 2 * tenDollars }),
    isFault('unreachable', 'idempotency_error'),
  )
})

test('an amount with a fraction of a cent is a bug', async () => {
  await assert.rejects(newTopUp(10_000_001), { name: 'AssertionError' })
})

test('a checkout page on an unexpected origin is rejected', async () => {
  const { topUp } = await newTopUp()
  const strict = openStripe({
    ...{ secretKey: providerKey, webhookSecrets: [], apiUrl: double.apiUrl, checkoutOrigin: 'https://pay.example' },
  })
  await assert.rejects(strict.startTopUp(topUp), isFault('refused', 'checkout_origin'))
})

test('a declined top-up stays open for another card, and is cancelled with its page', async () => {
  const { reference } = await newTopUp()
  assert.equal(double.pay(reference, { last4: '0002' }).isPaid, false)
  assert.equal((await payments.readPayment({ reference, intent: null }))?.status, 'open')
  await payments.cancelPayment({ reference, intent: null })
  await payments.cancelPayment({ reference, intent: null })
  const ended = await payments.readPayment({ reference, intent: null })
  assert.deepEqual([ended?.status, ended?.failure], ['failed', 'card_declined'])
})

test('an unused page is cancelled; a paid one stays paid', async () => {
  const { reference } = await newTopUp()
  await payments.cancelPayment({ reference, intent: null })
  assert.equal((await payments.readPayment({ reference, intent: null }))?.status, 'cancelled')
  const paid = await paidTopUp()
  await payments.cancelPayment({ reference: paid.reference, intent: paid.intent })
  await payments.cancelPayment({ reference: null, intent: paid.intent })
  assert.equal((await payments.readPayment({ reference: paid.reference, intent: null }))?.status, 'paid')
})

test('objects unknown to the provider are null', async () => {
  assert.equal(await payments.readPayment({ reference: 'cs_test_none', intent: null }), null)
  assert.equal(await payments.readPayment({ reference: null, intent: 'pi_none' }), null)
  assert.equal(await payments.readPayment({ reference: null, intent: null }), null)
})

test('the newest saved card is read, and removing a card can be repeated', async () => {
  const { customer, card, accountId } = await savedCard('4242')
  assert.deepEqual({ ...card, card: '', expires: '' }, { card: '', brand: 'visa', last4: '4242', expires: '' })
  assert.match(card.expires, /^20\d\d-12$/)
  const { reference } = await payments.startCardSetup({ setupId: crypto.randomUUID(), accountId, customer, ...urls })
  double.leaveCard(reference, '0341')
  const newer = await payments.readCard(customer)
  assert.equal(newer?.last4, '0341')
  await payments.removeCard(String(newer?.card))
  await payments.removeCard(String(newer?.card))
  await payments.removeCard('pm_none')
  assert.equal((await payments.readCard(customer))?.last4, '4242')
})

test('a card is charged once, however often the charge is requested', async () => {
  const charge = await newCharge()
  const first = await payments.chargeCard(charge)
  assert.deepEqual([first.paymentId, first.status, first.amountMicros], [charge.paymentId, 'paid', tenDollars])
  assert.deepEqual(await payments.chargeCard(charge), first)
  assert.equal(intentsOf(charge.customer).length, 1)
})

test('a declined charge is a result, and can never be paid later', async () => {
  const expected = {
    '0341': 'card_declined',
    '9995': 'insufficient_funds',
    '0069': 'expired_card',
    '3155': 'authentication_required',
  } as const
  for (const [last4, failure] of Object.entries(expected)) {
    const charge = await newCharge(last4)
    const answer = await payments.chargeCard(charge)
    assert.deepEqual([answer.status, answer.failure], ['failed', failure])
    const [intent, ...others] = intentsOf(charge.customer)
    assert.deepEqual([intent?.status, others], ['canceled', []])
    const again = await payments.chargeCard(charge)
    assert.deepEqual([again.status, again.failure], ['failed', failure])
    assert.equal(intentsOf(charge.customer).length, 1)
  }
})

test('a removed card is an error that contains only its code', async () => {
  const charge = await newCharge()
  await payments.removeCard(charge.card)
  await assert.rejects(payments.chargeCard(charge), (error) => {
    assert.ok(isFault('refused')(error))
    assert.ok(!inspect(error).includes('not attached'))
    return true
  })
})

test('after a lost response, the same request does not charge again', async () => {
  const [charge, declined] = [await newCharge(), await newCharge('0341')]
  double.loseAnswers(1)
  assert.equal((await payments.chargeCard(charge)).status, 'paid')
  // The library tries three times; then the caller retries later.
  double.loseAnswers(3)
  await assert.rejects(payments.chargeCard(declined), isFault('unreachable'))
  assert.equal((await payments.chargeCard(declined)).failure, 'card_declined')
  for (const { customer } of [charge, declined]) assert.equal(intentsOf(customer).length, 1)
})

test('an unavailable provider is a temporary error; a rejected request is not', async () => {
  const { apiUrl, checkoutOrigin } = double
  const gone = openStripe({ secretKey: providerKey, webhookSecrets: [], apiUrl: 'http://127.0.0.1:9', checkoutOrigin })
  const unreachable = assert.rejects(gone.changeEmail('cus_1', 'ada@example.com'), isFault('unreachable'))
  double.failWith(500, 429)
  await assert.rejects(newCustomer(), isFault('unreachable'))
  await unreachable
  const wrong = openStripe({ secretKey: 'sk_test_wrong', webhookSecrets: [], apiUrl, checkoutOrigin })
  await assert.rejects(wrong.changeEmail('cus_1', 'ada@example.com'), isFault('not_signed_in'))
  await assert.rejects(payments.changeEmail('cus_none', 'ada@example.com'), isFault('refused', 'resource_missing'))
})

test('a refund is sent once, even if the provider has forgotten the request', async () => {
  const { reference, intent } = await paidTopUp()
  const refund = { refundId: newId('rfd', moment), intent, amountMicros: 2_500_000 }
  const sent = await payments.sendRefund(refund)
  const { refundId, amountMicros } = refund
  assert.deepEqual(sent, { reference: sent.reference, refundId, amountMicros, status: 'succeeded' })
  // Requests that the library repeats itself need no idempotency key.
  assert.deepEqual(await payments.sendRefund({ ...refund, amountMicros: 5_000_000 }), sent)
  const payment = await payments.readPayment({ reference, intent })
  assert.deepEqual([payment?.status, payment?.refunds], ['paid', [sent]])
})

test('a refund above the remaining amount is rejected; one made elsewhere has none of our ids', async () => {
  const { intent } = await paidTopUp()
  const tooMuch = { refundId: newId('rfd', moment), intent, amountMicros: 2 * tenDollars }
  await assert.rejects(payments.sendRefund(tooMuch), isFault('refused'))
  double.refund(intent, { metadata: { refund_id: 'rfd_made_up' } })
  const rest = { ...tooMuch, refundId: newId('rfd', moment), amountMicros: tenDollars }
  await assert.rejects(payments.sendRefund(rest), isFault('refused', 'charge_already_refunded'))
  const payment = await payments.readPayment({ reference: null, intent })
  assert.deepEqual(
    payment?.refunds.map(({ refundId, amountMicros }) => [refundId, amountMicros]),
    [[null, tenDollars]],
  )
})

test('a refund can fail after it was accepted', async () => {
  const { intent } = await paidTopUp()
  double.makeRefunds('failed')
  const sent = await payments.sendRefund({ refundId: newId('rfd', moment), intent, amountMicros: tenDollars })
  double.makeRefunds('succeeded')
  assert.equal(sent.status, 'pending')
  const payment = await payments.readPayment({ reference: null, intent })
  assert.equal(payment?.refunds[0]?.status, 'failed')
})

test('a dispute is open, then won or lost, and no refund is sent meanwhile', async () => {
  for (const outcome of ['won', 'lost'] as const) {
    const { intent } = await paidTopUp()
    const { id: reference } = double.dispute(intent)
    const read = async () => (await payments.readPayment({ reference: null, intent }))?.disputes
    assert.deepEqual(await read(), [{ reference, amountMicros: tenDollars, status: 'open' }])
    const refund = { refundId: newId('rfd', moment), intent, amountMicros: tenDollars }
    await assert.rejects(payments.sendRefund(refund), isFault('refused', 'charge_disputed'))
    double.closeDispute(reference, outcome)
    assert.equal((await read())?.[0]?.status, outcome)
  }
})
