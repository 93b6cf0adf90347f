import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { isProblem } from '../client/src/index.ts'
import { charge } from '../src/ledger/charge.ts'
import { debit } from '../src/ledger/credit.ts'
import { penalty } from '../src/ledger/penalty.ts'
import { refund } from '../src/ledger/refund.ts'
import { returnPenalty } from '../src/ledger/return-penalty.ts'
import { listUnpaidRefunds } from '../src/payments/read-refunds.ts'
import { findDifferences, lastDays, reconcileDaily } from '../src/payments/reconcile.ts'
import { refundableMicros } from '../src/payments/refund-balance.ts'
import { sendRefund } from '../src/payments/send-refund.ts'
import { settlePayment } from '../src/payments/settle-payment.ts'
import { begin, dollar, endPaying, type PaymentStage, startPaying, topUp } from './support/payment-stage.ts'

let stage: PaymentStage
const resources = new AsyncDisposableStack()
before(async () => {
  stage = await startPaying(resources)
})
after(() => endPaying(resources, stage))

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

type Amount = 'credit' | 'pays' | 'spends' | 'isRefused' | 'takesBack' | 'penalty'
type Step = Partial<Record<Amount, number>> & { dispute?: 'opened' | 'won'; isForgiven?: true }

/** Credits, payments and charges of whole dollars, in this order; and how much of the balance then goes back. */
async function refundableAfter(...steps: Step[]): Promise<number> {
  const { service } = stage
  const payer = await stage.createPayer()
  const punished = `test:${payer.id}`
  let [intent, disputed] = ['', '']
  for (const { credit, pays, spends, isRefused, takesBack, penalty: fee, dispute, isForgiven } of steps) {
    const at = service.clock.now()
    const one = (dollars: number) => ({
      ...{ accountId: payer.id, amountMicros: dollars * dollar, subject: `test:${crypto.randomUUID()}`, at },
    })
    if (credit) await service.credit(payer.id, credit * dollar)
    if (pays) intent = (await topUp(stage, payer, pays)).intent
    if (dispute === 'opened') disputed = stage.double.dispute(intent).id
    if (dispute === 'won') stage.double.closeDispute(disputed, 'won')
    if (dispute) await stage.settle()
    if (takesBack) await service.asOperator((tx) => debit(tx, one(takesBack)))
    if (fee) await service.asWorker((tx) => penalty(tx, { ...one(fee), subject: punished }))
    if (isForgiven) await service.asOperator((tx) => returnPenalty(tx, { ...one(0), subject: punished }))
    if (!spends) continue
    const spending = one(spends)
    await charge(service.db, { ...spending, keyId: null, reason: 'post' })
    if (isRefused) await service.asWorker((tx) => refund(tx, { ...spending, amountMicros: isRefused * dollar }))
  }
  return (await refundableMicros(service.workerDb, payer.id)) / dollar
}

test('an operator’s credit does not go back: charges use it first, and what was paid before it is spent', async () => {
  assert.equal(await refundableAfter({ credit: 3 }), 0)
  assert.equal(await refundableAfter({ credit: 3 }, { pays: 5 }), 5)
  assert.equal(await refundableAfter({ credit: 3 }, { pays: 5 }, { spends: 4 }), 4)
  assert.equal(await refundableAfter({ pays: 5 }, { spends: 5 }, { credit: 5 }), 0)
  assert.equal(await refundableAfter({ pays: 5 }, { spends: 3 }, { credit: 2 }, { spends: 1 }), 2)
  assert.equal(await refundableAfter({ pays: 5 }, { spends: 1 }, { credit: 2 }, { pays: 5 }, { spends: 4 }), 7)
  assert.equal(await refundableAfter({ credit: 3 }, { pays: 5 }, { takesBack: 3 }), 5)
})

test('a fee that comes back is what it was paid with, and what is owed is settled by a credit first', async () => {
  assert.equal(await refundableAfter({ pays: 5 }, { spends: 2, isRefused: 2 }), 5)
  assert.equal(await refundableAfter({ pays: 5 }, { spends: 2, isRefused: 1 }, { credit: 4 }), 4)
  assert.equal(await refundableAfter({ credit: 2 }, { pays: 5 }, { spends: 2, isRefused: 2 }), 5)
  assert.equal(await refundableAfter({ pays: 5 }, { penalty: 9 }, { credit: 6 }, { pays: 5 }), 5)
  assert.equal(await refundableAfter({ credit: 3 }, { penalty: 9 }, { pays: 10 }), 4)
})

test('a debt that comes back after it was settled is what it was settled with', async () => {
  const disputed: Step[] = [{ pays: 5 }, { spends: 5 }, { dispute: 'opened' }]
  assert.equal(await refundableAfter(...disputed, { credit: 5 }, { dispute: 'won' }), 0)
  assert.equal(await refundableAfter({ penalty: 5 }, { pays: 5 }, { isForgiven: true }), 5)
  assert.equal(await refundableAfter({ penalty: 5 }, { credit: 5 }, { isForgiven: true }), 0)
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

test('a refund that fails when the account is closed is an error in the log, and waits for the operator in the list', async () => {
  const payer = await stage.createPayer()
  const { intent, paymentId } = await topUp(stage, payer)
  const waiting = async () =>
    (await stage.service.asOperator((tx) => listUnpaidRefunds(tx, 100))).map(({ id, account_id, amount_micros }) => ({
      ...{ id, account_id, amount_micros },
    }))
  stage.double.makeRefunds('pending')
  assert.equal((await payer.owner.post('/account/deletion', { word: 'DELETE', refund: 'yes' })).status, 303)
  await stage.settle()
  stage.double.makeRefunds('succeeded')
  assert.deepEqual(await waiting(), [])
  stage.double.settleRefund(String(refundsOf(intent)[0]?.id), 'failed')
  await stage.settle()
  const [row] = await refundRows(paymentId)
  assert(row)
  const unpaid = { account_id: payer.id, amount_micros: 5 * dollar }
  assert.deepEqual(await waiting(), [{ id: row.id, ...unpaid }])
  const lines = stage.service.logLines.filter((line) => line.includes(row.id) && line.includes('a refund failed'))
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).level),
    [50],
  )
  const again = stage.double.refund(intent, {})
  await stage.settle()
  assert.deepEqual(await waiting(), [], 'sent again in the provider’s own pages')
  stage.double.settleRefund(again.id, 'failed')
  await stage.settle()
  const [, second] = await refundRows(paymentId)
  assert.deepEqual(await waiting(), [{ id: second?.id, ...unpaid }])
  const paidOtherwise = { accountId: payer.id, amountMicros: 5 * dollar, subject: `operator:${second?.id}` }
  await stage.service.asOperator((tx) => debit(tx, { ...paidOtherwise, at: stage.service.clock.now() }))
  assert.deepEqual(await waiting(), [])
})

test('a dispute and a refund that come long after their payments are found, though the calls are lost', async () => {
  const [disputed, refunded] = [await stage.createPayer(), await stage.createPayer()]
  const [first, second] = [await topUp(stage, disputed), await topUp(stage, refunded)]
  const paid = [first, second].map(({ intent }) => intent)
  for (const intent of stage.double.list('payment_intent')) if (paid.includes(intent.id)) intent.created -= 40 * 86_400
  await stage.query(
    "update payments set created_at = created_at - interval '40 d', settled_at = settled_at - interval '40 d' where intent = any($1)",
    paid,
  )
  stage.double.webhooks.hold()
  stage.double.dispute(first.intent)
  stage.double.refund(second.intent, { amount: 200 })
  stage.double.webhooks.drop()
  await stage.double.webhooks.release()
  await reconcileDaily(stage.laterWork)
  await stage.settle()
  assert.deepEqual(await stage.balanceOf(disputed.id), { prepaid: 0, owed: 0 })
  assert.deepEqual(await stage.balanceOf(refunded.id), { prepaid: 3 * dollar, owed: 0 })
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
