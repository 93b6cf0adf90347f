import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { isProblem } from '../client/src/index.ts'
import { debit } from '../src/ledger/credit.ts'
import { findDifferences, lastDays } from '../src/payments/reconcile.ts'
import { refundableMicros } from '../src/payments/refund-balance.ts'
import { sendRefund } from '../src/payments/send-refund.ts'
import { settlePayment } from '../src/payments/settle-payment.ts'
import { begin, dollar, type PaymentStage, startPaying, topUp } from './support/payment-stage.ts'
import { verifyBooks } from './support/verify-books.ts'

let stage: PaymentStage
const resources = new AsyncDisposableStack()
before(async () => {
  stage = await startPaying(resources)
})
after(async () => {
  const { sum_micros, difference_count } = await verifyBooks(stage.service.database)
  await resources.disposeAsync()
  assert.deepEqual({ sum_micros, difference_count }, { sum_micros: '0', difference_count: 0 })
})

afterEach(() => stage.double.webhooks.release())

const message = { text: 'The ferry leaves at nine.' }
const refundsOf = (intent: string) => stage.double.list('refund').filter((one) => one.payment_intent === intent)
const refundRows = (paymentId: string) =>
  stage.query<{ id: string; status: string; micros: number }>(
    'select id, status, amount_micros::float as micros from payment_refunds where payment_id = $1 order by id',
    paymentId,
  )

test('unused balance goes back to the newest payments first, in whole cents, and cannot be spent meanwhile', async () => {
  const payer = await stage.createPayer()
  const old = await topUp(stage, payer, 5)
  const recent = await topUp(stage, payer, 10)
  await payer.client.submitPost(message)
  assert.equal(await refundableMicros(stage.service.workerDb, payer.id), 14_980_000)
  assert.equal((await payer.owner.post('/account/refund')).status, 303)
  assert.deepEqual(await stage.balanceOf(payer.id), { prepaid: 0, owed: 0 })
  await stage.settle()
  assert.deepEqual(
    [refundsOf(recent.intent), refundsOf(old.intent)].map((refunds) => refunds.map(({ amount }) => amount)),
    [[1_000], [498]],
  )
  for (const { paymentId } of [old, recent])
    assert.deepEqual(
      (await refundRows(paymentId)).map(({ status }) => status),
      ['succeeded'],
    )
})

test('an operator’s credit does not go back, and what is owed stays', async () => {
  const payer = await stage.createPayer()
  await stage.service.credit(payer.id, 3 * dollar)
  assert.equal(await refundableMicros(stage.service.workerDb, payer.id), 0)
  await topUp(stage, payer, 5)
  assert.equal(await refundableMicros(stage.service.workerDb, payer.id), 5 * dollar)
})

test('a refund is sent once, though answers are lost and many workers send it', async () => {
  const payer = await stage.createPayer()
  const { intent, paymentId } = await topUp(stage, payer)
  stage.double.loseAnswers(1)
  await payer.owner.post('/account/refund')
  const [row] = await refundRows(paymentId)
  assert(row)
  await Promise.all(Array.from({ length: 4 }, () => sendRefund(stage.work, { refund_id: row.id })))
  await stage.settle()
  assert.equal(refundsOf(intent).length, 1)
  assert.deepEqual(await stage.bookedFor(row.id), { payout: 5 * dollar })
})

test('a refund that the bank does not take is in the balance again, whether it had succeeded or not', async () => {
  const payer = await stage.createPayer()
  const { intent, paymentId } = await topUp(stage, payer)
  stage.double.makeRefunds('pending')
  await payer.owner.post('/account/refund')
  await stage.settle()
  stage.double.makeRefunds('succeeded')
  const [sent] = refundsOf(intent)
  assert.deepEqual(
    (await refundRows(paymentId)).map(({ status }) => status),
    ['sent'],
  )
  stage.double.settleRefund(String(sent?.id), 'succeeded')
  await stage.settle()
  assert.deepEqual(await stage.balanceOf(payer.id), { prepaid: 0, owed: 0 })
  stage.double.settleRefund(String(sent?.id), 'failed')
  await stage.settle()
  const [row] = await refundRows(paymentId)
  assert.equal(row?.status, 'failed')
  assert.deepEqual(await stage.bookedFor(String(row?.id)), { payout: 5 * dollar, payout_return: 5 * dollar })
  assert.deepEqual(await stage.balanceOf(payer.id), { prepaid: 5 * dollar, owed: 0 })
  assert.deepEqual(await stage.toldOf(payer.id), ['refund_failed'])
})

test('a refund that the provider refuses is in the balance again', async () => {
  const payer = await stage.createPayer()
  const { intent, paymentId } = await topUp(stage, payer)
  stage.double.webhooks.hold()
  stage.double.refund(intent, {})
  await payer.owner.post('/account/refund')
  await stage.service.settle()
  const statuses = (await refundRows(paymentId)).map(({ status }) => status).sort()
  assert.deepEqual(statuses, ['failed', 'succeeded'], 'ours was refused, and the other one was seen')
  assert.deepEqual(await stage.balanceOf(payer.id), { prepaid: 0, owed: 0 })
  await stage.double.webhooks.release()
  await stage.settle()
  assert.deepEqual(await stage.balanceOf(payer.id), { prepaid: 0, owed: 0 })
})

test('a refund made in the provider’s own pages takes what is left, and the rest is owed', async () => {
  const payer = await stage.createPayer()
  const { intent } = await topUp(stage, payer)
  await payer.client.submitPost(message)
  const outside = stage.double.refund(intent, {})
  await stage.settle()
  assert.deepEqual(await stage.bookedFor(outside.id), { payout: 5 * dollar })
  assert.deepEqual(await stage.balanceOf(payer.id), { prepaid: 0, owed: 20_000 })
  stage.double.settleRefund(outside.id, 'failed')
  await stage.settle()
  assert.deepEqual(await stage.balanceOf(payer.id), { prepaid: 4_980_000, owed: 0 })
})

test('a dispute larger than the balance is owed, stops what costs, and is given back when it is won', async () => {
  const payer = await stage.createPayer()
  const { intent } = await topUp(stage, payer)
  await payer.client.submitPost(message)
  const { id } = stage.double.dispute(intent)
  await stage.settle()
  assert.deepEqual(await stage.bookedFor(id), { dispute: 5 * dollar })
  assert.deepEqual(await stage.balanceOf(payer.id), { prepaid: 0, owed: 20_000 })
  const another = { text: 'Fresh bread on the corner until noon, and coffee.' }
  await assert.rejects(payer.client.submitPost(another), (error) => isProblem(error, 'insufficient_balance'))
  assert.equal(await refundableMicros(stage.service.workerDb, payer.id), 0)
  stage.double.closeDispute(id, 'won')
  await stage.settle()
  assert.deepEqual(await stage.balanceOf(payer.id), { prepaid: 4_980_000, owed: 0 })
  assert.deepEqual(await stage.toldOf(payer.id), ['payment_disputed', 'dispute_closed'])
})

test('a lost dispute leaves through the provider, and one that is won on appeal comes back', async () => {
  const payer = await stage.createPayer()
  const { intent } = await topUp(stage, payer)
  const { id } = stage.double.dispute(intent, 300)
  stage.double.closeDispute(id, 'lost')
  await stage.settle()
  assert.deepEqual(await stage.bookedFor(id), { dispute: 3 * dollar, dispute_loss: 3 * dollar })
  assert.deepEqual(await stage.balanceOf(payer.id), { prepaid: 2 * dollar, owed: 0 })
  stage.double.closeDispute(id, 'won')
  await stage.settle()
  assert.deepEqual(await stage.bookedFor(id), {
    ...{ dispute: 3 * dollar, dispute_return: 3 * dollar },
    // Out, and in again.
    dispute_loss: 6 * dollar,
  })
  assert.deepEqual(await stage.balanceOf(payer.id), { prepaid: 5 * dollar, owed: 0 })
})

test('a dispute that is heard of before its payment books both', async () => {
  const payer = await stage.createPayer()
  stage.double.webhooks.hold()
  const { session, paymentId } = await begin(stage, payer)
  const { intent } = stage.double.pay(session)
  stage.double.webhooks.drop()
  const { id } = stage.double.dispute(intent.id, 200)
  await stage.double.webhooks.release()
  await stage.settle()
  assert.deepEqual(await stage.bookedFor(paymentId), { top_up: 5 * dollar })
  assert.deepEqual(await stage.bookedFor(id), { dispute: 2 * dollar })
  const before = await stage.balanceOf(payer.id)
  await Promise.all(Array.from({ length: 4 }, () => settlePayment(stage.work, { payment_id: null, intent: intent.id })))
  assert.deepEqual(await stage.balanceOf(payer.id), before)
})

test('a refund that the provider has twice under our one name is a difference', async () => {
  const payer = await stage.createPayer()
  const { intent, paymentId } = await topUp(stage, payer, 10)
  const [accountId, at] = [payer.id, stage.service.clock.now()]
  await stage.service.asOperator((tx) =>
    debit(tx, { accountId, amountMicros: 5 * dollar, subject: `test:${accountId}`, at }),
  )
  await payer.owner.post('/account/refund')
  await stage.settle()
  const [first] = refundsOf(intent)
  assert(first)
  stage.double.webhooks.hold()
  stage.double.refund(intent, { amount: 500, metadata: first.metadata })
  const { payments, service } = stage
  const range = lastDays(3, service.clock.now())
  const found = await Array.fromAsync(findDifferences({ db: service.workerDb, payments, range }))
  assert.deepEqual(
    found.map(({ payment_id, of, difference }) => ({ payment_id, of, difference })),
    [{ payment_id: paymentId, of: 'refund', difference: 'other_amount' }],
  )
})
