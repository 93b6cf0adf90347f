import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { providerSecret, startProvider } from '../../../tooling/services/payment-provider/start-for-tests.ts'
import { sign, subscribedEvents } from '../../../tooling/services/payment-provider/webhooks.ts'
import { repoDir } from '../../../tooling/services/state.ts'
import { newId } from '../identifiers.ts'
import { eventFrom } from './stripe-event.ts'

const stack = new AsyncDisposableStack()
after(() => stack.disposeAsync())
let clock = new Date('2026-11-02T12:00:00Z')
const { payments, double } = await startProvider(stack, { otherSecrets: ['whsec_the_next_one'], now: () => clock })
const urls = { successUrl: 'http://owner.example/paid', cancelUrl: 'http://owner.example/back' }
const accountId = newId('acct', clock)
let customer = ''
before(async () => {
  customer = await payments.createCustomer({ accountId, email: 'ada@example.com' })
  double.webhooks.hold()
})

const startTopUp = async () => {
  const paymentId = newId('pay', clock)
  const { reference } = await payments.startTopUp({ paymentId, accountId, customer, amountMicros: 5_000_000, ...urls })
  return { paymentId, reference }
}
/** The subjects that the driver has read from the events since the last call. */
let seen = 0
const newEvents = async () => {
  const events = double.webhooks.list().slice(seen)
  seen += events.length
  const read = events.map(({ body }) => payments.readEvent(Buffer.from(body), sign(body, providerSecret)))
  return (await Promise.all(read)).map((event) => [event?.type, event?.about])
}

test('each event names only the objects to read again', async () => {
  const { paymentId, reference } = await startTopUp()
  const { id: intent } = double.pay(reference).intent
  const payment = { payment: { paymentId, intent } }
  assert.deepEqual(await newEvents(), [
    ['payment_intent.succeeded', payment],
    ['checkout.session.completed', payment],
  ])
  const nameless = { payment: { paymentId: null, intent } }
  double.closeDispute(double.dispute(intent).id, 'won')
  assert.deepEqual(await newEvents(), [
    ['charge.dispute.created', nameless],
    ['charge.dispute.closed', nameless],
  ])
  double.refund(intent, {})
  assert.deepEqual(await newEvents(), [
    ['refund.created', nameless],
    ['charge.refunded', payment],
  ])
})

test('expired pages, declined cards and cancelled payments are reported', async () => {
  const { paymentId, reference } = await startTopUp()
  double.pay(reference, { last4: '0002' })
  const [, about] = (await newEvents()).at(-1) ?? []
  const { intent } = (about as { payment: { intent: string } }).payment
  double.expire(reference)
  const payment = { payment: { paymentId, intent } }
  assert.deepEqual(await newEvents(), [
    ['payment_intent.canceled', payment],
    ['checkout.session.expired', payment],
  ])
})

test('added and removed cards are reported by their customer', async () => {
  const { reference } = await payments.startCardSetup({ setupId: crypto.randomUUID(), accountId, customer, ...urls })
  const { card } = double.leaveCard(reference)
  double.detach(card)
  const about = { cardOf: { customer } }
  assert.deepEqual(await newEvents(), [
    ['setup_intent.succeeded', about],
    ['checkout.session.completed', about],
    ['payment_method.detached', about],
  ])
})

test('events about other objects are ignored', () => {
  const event = (object: object) => eventFrom({ id: 'evt_1', type: 'some.thing', data: { object } })?.about
  assert.equal(event({ object: 'payout', id: 'po_1' }), null)
  assert.equal(event({ object: 'charge', id: 'ch_1', metadata: { payment_id: 'not ours' } }), null)
  assert.equal(event({ object: 'payment_method', id: 'pm_1', customer: null }), null)
  assert.equal(eventFrom({ object: 'v2.core.event' }), null)
})

test('an event is accepted only with a valid signature, for five minutes, by either of two secrets', async () => {
  const body = double.webhooks.list()[0]?.body ?? ''
  const read = (text: string, signature: string) => payments.readEvent(Buffer.from(text), signature)
  const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000
  assert.ok(await read(body, sign(body, providerSecret, minutesAgo(4))))
  assert.ok(await read(body, sign(body, 'whsec_the_next_one')))
  assert.equal(await read(body, sign(body, providerSecret, minutesAgo(6))), null)
  assert.equal(await read(body, sign(body, 'whsec_somebody_else')), null)
  assert.equal(await read(body.replace('usd', 'eur'), sign(body, providerSecret)), null)
  for (const signature of ['', 'nonsense', 't=1', 'v1=00', `t=${Math.floor(Date.now() / 1_000)},v1=00`])
    assert.equal(await read(body, signature), null, signature)
  assert.equal(await read('not json', sign('not json', providerSecret)), null)
})

test('all payments in a period are listed, over several pages, with their refunds and disputes', async () => {
  clock = new Date('2026-11-03T00:00:00Z')
  const { intent } = double.pay((await startTopUp()).reference)
  double.refund(intent.id, { amount: 100 })
  const dispute = double.dispute(intent.id)
  for (let index = 0; index < 120; index += 1) double.newIntent({ amount: 500, customer, metadata: {} })
  clock = new Date('2026-11-04T00:00:00Z')
  double.newIntent({ amount: 700, customer, metadata: {} })
  const range = { from: new Date('2026-11-03T00:00:00Z'), until: new Date('2026-11-04T00:00:00Z') }
  const listed = await Array.fromAsync(payments.listPayments(range))
  assert.equal(listed.length, 121)
  assert.equal(new Set(listed.map((one) => one.intent)).size, 121)
  const paid = listed.filter(({ status }) => status === 'paid')
  assert.deepEqual(
    paid.map(({ refunds, disputes }) => [refunds[0]?.amountMicros, disputes[0]?.reference]),
    [[1_000_000, dispute.id]],
  )
  assert.ok(listed.every(({ paymentId, status }) => (paymentId === null) === (status === 'open')))
})

test('a payment with a refund or dispute in a period is listed once, with all refunds and disputes', async () => {
  clock = new Date('2026-11-20T00:00:00Z')
  const [both, disputed, neither] = await Promise.all([startTopUp(), startTopUp(), startTopUp()])
  const [first, second] = [both, disputed].map(({ reference }) => double.pay(reference).intent.id)
  double.pay(neither.reference)
  clock = new Date('2026-12-24T00:00:00Z')
  double.refund(String(first), { amount: 100 })
  double.dispute(String(first), 200)
  double.dispute(String(second))
  const range = { from: new Date('2026-12-23T00:00:00Z'), until: new Date('2026-12-25T00:00:00Z') }
  const listed = await Array.fromAsync(payments.listPayments(range))
  assert.deepEqual(
    listed.map(({ intent, refunds, disputes }) => [intent, refunds.length, disputes.length]).sort(),
    [
      [first, 1, 1],
      [second, 0, 1],
    ].sort(),
  )
})

test('the runbook lists every event that an endpoint must subscribe to', () => {
  const runbook = readFileSync(join(repoDir, 'docs/runbooks/payments.md'), 'utf8')
  const listed = [...runbook.matchAll(/^- `([a-z_]+\.[a-z_.]+)`$/gm)].map(([, name]) => name)
  assert.deepEqual(listed.sort(), [...subscribedEvents].sort())
})
