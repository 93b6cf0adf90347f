import assert from 'node:assert/strict'
import { after, afterEach, before, type TestContext, test } from 'node:test'
import { isProblem } from '../../clients/typescript/src/index.ts'
import { CommandError, commandWords } from '../../src/bin/command.ts'
import { commands } from '../../src/bin/commands/operator/payments.ts'
import { penalty } from '../../src/ledger/split-transfers.ts'
import { findDifferences, lastDays, reconcileDaily } from '../../src/payments/reconcile.ts'
import { askForRefund } from '../../src/payments/refunds/refund-balance.ts'
import { settlePayment } from '../../src/payments/settle-payment.ts'
import { startTopUp } from '../../src/payments/start-top-up.ts'
import { connect } from '../../src/platform/database/database.ts'
import { begin, dollar, endPaying, type PaymentFixture, startPaying, topUp } from '../support/money/payment-fixture.ts'
import { openManualPayments } from '../support/owner-page/outside-transaction.ts'

let fixture: PaymentFixture
const resources = new AsyncDisposableStack()
before(async () => {
  fixture = await startPaying(resources)
})
after(() => endPaying(resources, fixture))

afterEach(() => fixture.double.webhooks.release())

const message = { text: 'The ferry leaves at nine.' }

test('an agent without balance gets 402, its owner pays, and the same call succeeds', async () => {
  const payer = await fixture.createPayer()
  const call = () => payer.client.submitPost(message, {}, { idempotencyKey: 'the-morning-ferry' })
  await assert.rejects(call(), (error) => isProblem(error, 'insufficient_balance'))
  const { session, paymentId, returnsTo } = await begin(fixture, payer)
  fixture.double.pay(session)
  await fixture.settle()
  const page = await payer.owner.get(new URL(returnsTo).pathname)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /has arrived/)
  assert.deepEqual(await fixture.bookedFor(paymentId), { top_up: 5 * dollar })
  assert.equal((await call()).status, 202)
})

test('a payment is booked once, even if the provider reports it late, in the wrong order and again', async () => {
  const payer = await fixture.createPayer()
  fixture.double.webhooks.hold()
  const { session, paymentId, returnsTo } = await begin(fixture, payer, 10)
  fixture.double.pay(session)
  const page = await payer.owner.get(new URL(returnsTo).pathname)
  assert.match(await page.text(), /being confirmed/, 'the browser’s return moves nothing')
  assert.deepEqual(await fixture.bookedFor(paymentId), {})
  const held = fixture.double.webhooks.list().filter(({ state }) => state === 'held')
  assert.ok(held.length >= 2)
  await fixture.double.webhooks.release({ reverse: true })
  await fixture.settle()
  assert.deepEqual(await fixture.bookedFor(paymentId), { top_up: 10 * dollar })
  for (const { id } of held) fixture.double.webhooks.deliverAgain(id)
  await fixture.settle()
  // The same under other names, with as many workers as possible.
  const { intent } = await fixture.paymentRow(paymentId)
  const names = [
    { payment_id: paymentId, intent: null },
    { payment_id: null, intent },
    { payment_id: paymentId, intent },
  ]
  await Promise.all([...names, ...names].map((name) => settlePayment(fixture.work, name)))
  assert.deepEqual(await fixture.bookedFor(paymentId), { top_up: 10 * dollar })
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 10 * dollar, owed: 0 })
})

test('concurrent workers that process a payment’s first event book it once', async () => {
  const payer = await fixture.createPayer()
  fixture.double.webhooks.hold()
  const { session, paymentId } = await begin(fixture, payer)
  // The owner page died before it could store the page's address.
  await fixture.query('update payments set reference = null where id = $1', paymentId)
  const { intent } = fixture.double.pay(session)
  const heard = [
    { payment_id: null, intent: intent.id },
    { payment_id: paymentId, intent: intent.id },
  ]
  await Promise.all([...heard, ...heard, ...heard].map((name) => settlePayment(fixture.work, name)))
  fixture.double.webhooks.drop()
  await fixture.double.webhooks.release()
  assert.deepEqual(await fixture.bookedFor(paymentId), { top_up: 5 * dollar })
})

test('a declined card leaves the page open, and the next card pays', async () => {
  const payer = await fixture.createPayer()
  const { session, paymentId } = await begin(fixture, payer)
  fixture.double.pay(session, { last4: '0002' })
  await fixture.settle()
  assert.equal((await fixture.paymentRow(paymentId)).status, 'started')
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 0, owed: 0 })
  fixture.double.pay(session)
  await fixture.settle()
  const { status, failure } = await fixture.paymentRow(paymentId)
  assert.deepEqual({ status, failure }, { status: 'paid', failure: null })
})

test('an expired page is abandoned, and money that still arrives for it is booked', async () => {
  const payer = await fixture.createPayer()
  const { session, paymentId } = await begin(fixture, payer)
  fixture.double.expire(session)
  await fixture.settle()
  assert.equal((await fixture.paymentRow(paymentId)).status, 'cancelled')
  const late = await begin(fixture, payer)
  await fixture.query("update payments set status = 'cancelled', settled_at = created_at where id = $1", late.paymentId)
  fixture.double.pay(late.session)
  await fixture.settle()
  assert.equal((await fixture.paymentRow(late.paymentId)).status, 'paid')
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 5 * dollar, owed: 0 })
})

test('the received amount is booked, even if it differs from the requested one', async () => {
  const payer = await fixture.createPayer()
  const { session, paymentId } = await begin(fixture, payer)
  fixture.double.webhooks.hold()
  const { intent } = fixture.double.pay(session)
  intent.amount_received = 300
  await fixture.double.webhooks.release()
  await fixture.settle()
  assert.deepEqual(await fixture.bookedFor(paymentId), { top_up: 3 * dollar })
  assert.ok(fixture.service.logLines.some((line) => line.includes(paymentId) && line.includes('different amount')))
})

test('incoming money settles a debt first', async () => {
  const payer = await fixture.createPayer()
  const owing = { accountId: payer.id, amountMicros: 4 * dollar, subject: `test:${payer.id}` }
  await fixture.service.asWorker((tx) => penalty(tx, { ...owing, at: fixture.service.clock.now() }))
  const { paymentId } = await topUp(fixture, payer, 10)
  assert.deepEqual(await fixture.bookedFor(paymentId), { top_up: 10 * dollar, settlement: 4 * dollar })
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 6 * dollar, owed: 0 })
})

test('an unknown payment, or one of an unknown account, ends with a line in the log', async () => {
  const card = fixture.double.newCard(null, '4242')
  const strangers = [{}, { payment_id: 'pay_01jcmzq8e5f7r9t2v4x6y8z0ab' }]
  for (const metadata of strangers) {
    const intent = fixture.double.newIntent({ amount: 500, customer: null, metadata })
    fixture.double.attempt(intent, card)
    await fixture.settle()
    assert.ok(fixture.service.logLines.some((line) => line.includes(intent.id) && line.includes('unknown payment')))
  }
})

test('money that arrives for a closed account is refunded in full', async () => {
  const payer = await fixture.createPayer()
  const { session, paymentId } = await begin(fixture, payer)
  await fixture.query("update accounts set standing = 'closed' where id = $1", payer.id)
  const { intent } = fixture.double.pay(session)
  await fixture.settle()
  const [refund] = fixture.double.list('refund').filter((one) => one.payment_intent === intent.id)
  assert.equal(refund?.amount, 500)
  assert.deepEqual(await fixture.bookedFor(paymentId), { top_up: 5 * dollar })
  assert.deepEqual(await fixture.bookedFor(String(refund?.metadata['refund_id'])), { payout: 5 * dollar })
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 0, owed: 0 })
})

test('the daily comparison repairs a lost webhook', async () => {
  const payer = await fixture.createPayer()
  fixture.double.webhooks.hold()
  const { session, paymentId } = await begin(fixture, payer)
  fixture.double.pay(session)
  fixture.double.webhooks.drop()
  await fixture.double.webhooks.release()
  const { db, payments } = fixture.work
  const compared = { db, payments, range: lastDays(3, new Date(fixture.service.clock.now().getTime() + 60_000)) }
  const own = async () =>
    (await Array.fromAsync(findDifferences(compared))).filter(({ payment_id }) => payment_id === paymentId)
  const amounts = { provider_micros: 5 * dollar, ledger_micros: 0 }
  assert.deepEqual(await own(), [
    { payment_id: paymentId, difference: 'missing_in_ledger', of: 'payment', subject: paymentId, ...amounts },
  ])
  await reconcileDaily(fixture.work)
  await fixture.settle()
  assert.equal((await own()).length, 1, 'the provider is given a few minutes to tell of it')
  await reconcileDaily(fixture.laterWork)
  await fixture.settle()
  assert.deepEqual(await own(), [])
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 5 * dollar, owed: 0 })
})

test('the payment webhook accepts what the provider signed, once, and nothing else', async () => {
  const send = (body: string, headers: Record<string, string>) =>
    fetch(fixture.eventsUrl, { method: 'POST', body, headers })
  const json = { 'content-type': 'application/json' }
  const known = fixture.double.webhooks.list().at(-1)?.body ?? ''
  for (const headers of [json, { ...json, 'stripe-signature': 't=1,v1=00' }, { ...json, 'stripe-signature': '' }]) {
    const refused = await send(known, headers)
    assert.deepEqual([refused.status, await refused.text()], [400, ''])
  }
  assert.equal((await send('a=b', { 'content-type': 'text/plain' })).status, 415)
  const large = await send(`"${'x'.repeat(513 * 1024)}"`, json)
  assert.equal(large.status, 413, String(fixture.service.logLines.at(-1)))
})

test('without a payment provider, the webhook endpoint does not exist', async () => {
  const { service } = fixture
  await using page = await openManualPayments(service)
  const { host } = new URL(service.accountPageUrl)
  const headers = { host, 'content-type': 'application/json' }
  const answer = await page.app.inject({ method: 'POST', url: '/payments/events', headers, payload: '{}' })
  assert.equal(answer.statusCode, 404)
})

test('the operator confirms a manual payment once, and records the outcome of a refund', async (context) => {
  const { service } = fixture
  const payer = await fixture.createPayer()
  const { db } = resources.use(connect(service.database.urls.owner_page, { poolMax: 1, applicationName: 'test page' }))
  const payments = { driver: 'manual', instructions: '' } as const
  const { accountPageUrl, clock } = service
  const asked = { accountId: payer.id, amountMicros: 10 * dollar }
  const { paymentId, url } = await startTopUp({ db, clock, payments, accountPageUrl }, asked)
  assert.equal(url, null)
  const run = commandRunner(context, service.database.urls.operator)
  const confirm = () => run('payments confirm', { payment_id: paymentId }, { reason: 'a transfer of today' })
  const balance = { balance_micros: 10 * dollar, owed_micros: 0 }
  assert.deepEqual(await confirm(), { payment_id: paymentId, booked: 'done', ...balance })
  assert.deepEqual(await confirm(), { payment_id: paymentId, booked: 'already', ...balance })
  assert(await askForRefund(db, { ...asked, at: clock.now() }))
  type Listed = Record<'refunds_to_send' | 'refunds_to_pay_otherwise', { id: string; payment_id: string }[]>
  const listed = (await run('payments list')) as Listed
  assert.deepEqual(listed.refunds_to_pay_otherwise, [])
  const refund = listed.refunds_to_send.find(({ payment_id }) => payment_id === paymentId)
  const refunded = { refund_id: String(refund?.id) }
  assert.deepEqual(await run('payments refunded', refunded, { failed: true }), {
    ...{ ...refunded, outcome: 'failed', booked: 'done' },
  })
  await assert.rejects(run('payments refunded', refunded), CommandError)
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 10 * dollar, owed: 0 })
  const byCard = await topUp(fixture, payer)
  await assert.rejects(run('payments confirm', { payment_id: byCard.paymentId }, { reason: 'no' }), CommandError)
  const { reference, intent } = await fixture.paymentRow(byCard.paymentId)
  assert(reference && intent)
  const { payments: own } = (await run('payments list', {}, { account: payer.id })) as { payments: object[] }
  assert.partialDeepStrictEqual(own, [
    { id: byCard.paymentId, account_id: payer.id, reference, intent },
    { id: paymentId, account_id: payer.id, reference: null, intent: null },
  ])
  assert.equal(own.length, 2)
  const acts = await fixture.query<{ action: string }>(
    "select action from audit_log where account_id = $1 and actor like 'operator:%' order by id",
    payer.id,
  )
  assert.deepEqual(
    acts.map(({ action }) => action),
    ['payments.confirm', 'payments.refunded'],
  )
})

/** Runs a command in this process, and reads its output line. */
function commandRunner(context: TestContext, operatorUrl: string) {
  const environment = { OPERATOR_DATABASE_URL: operatorUrl, BROADSIDE_ENVIRONMENT: 'development' }
  return async (words: string, values: Record<string, string> = {}, flags: Record<string, string | boolean> = {}) => {
    const command = commands.find((one) => commandWords(one).join(' ') === words)
    const { mock } = context.mock.method(console, 'log', () => {})
    await command?.run({ values, flags, environment }).finally(() => mock.restore())
    return JSON.parse(String(mock.calls[0]?.arguments[0])) as unknown
  }
}
