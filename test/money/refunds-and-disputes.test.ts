import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { isProblem } from '../../clients/typescript/src/index.ts'
import { charge, refund } from '../../src/ledger/charges.ts'
import { debit } from '../../src/ledger/deposits.ts'
import { penalty, returnPenalty } from '../../src/ledger/split-transfers.ts'
import { findDifferences, lastDays, reconcileDaily } from '../../src/payments/reconcile.ts'
import { listUnpaidRefunds } from '../../src/payments/refunds/read-refunds.ts'
import { refundableMicros } from '../../src/payments/refunds/refund-balance.ts'
import { sendRefund } from '../../src/payments/refunds/send-refund.ts'
import { settlePayment } from '../../src/payments/settle-payment.ts'
import { begin, dollar, endPaying, type PaymentFixture, startPaying, topUp } from '../support/money/payment-fixture.ts'

let fixture: PaymentFixture
const resources = new AsyncDisposableStack()
before(async () => {
  fixture = await startPaying(resources)
})
after(() => endPaying(resources, fixture))

afterEach(() => fixture.double.webhooks.release())

const message = { text: 'The ferry leaves at nine.' }
const refundsOf = (intent: string) => fixture.double.list('refund').filter((one) => one.payment_intent === intent)
const refundRows = (paymentId: string) =>
  fixture.query<{ id: string; status: string; micros: number }>(
    'select id, status, amount_micros::float as micros from payment_refunds where payment_id = $1 order by id',
    paymentId,
  )

test('unused balance is refunded to the newest payments first, in whole cents, and cannot be spent meanwhile', async () => {
  const payer = await fixture.createPayer()
  const old = await topUp(fixture, payer, 5)
  const recent = await topUp(fixture, payer, 10)
  await payer.client.submitPost(message)
  assert.equal((await payer.askBack(15 * dollar)).status, 409, 'a charge followed')
  assert.equal((await payer.askBack(14_980_000)).status, 303)
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 0, owed: 0 })
  await fixture.settle()
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

/** Credits, payments and charges of whole dollars, in this order; and how much of the balance is then refundable. */
async function refundableAfter(...steps: Step[]): Promise<number> {
  const { service } = fixture
  const payer = await fixture.createPayer()
  const punished = `test:${payer.id}`
  let [intent, disputed] = ['', '']
  for (const { credit, pays, spends, isRefused, takesBack, penalty: fee, dispute, isForgiven } of steps) {
    const at = service.clock.now()
    const one = (dollars: number) => ({
      ...{ accountId: payer.id, amountMicros: dollars * dollar, subject: `test:${crypto.randomUUID()}`, at },
    })
    if (credit) await service.credit(payer.id, credit * dollar)
    if (pays) intent = (await topUp(fixture, payer, pays)).intent
    if (dispute === 'opened') disputed = fixture.double.dispute(intent).id
    if (dispute === 'won') fixture.double.closeDispute(disputed, 'won')
    if (dispute) await fixture.settle()
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

test('an operator’s credit is not refundable: charges use it first, before paid money', async () => {
  assert.equal(await refundableAfter({ credit: 3 }), 0)
  assert.equal(await refundableAfter({ credit: 3 }, { pays: 5 }), 5)
  assert.equal(await refundableAfter({ credit: 3 }, { pays: 5 }, { spends: 4 }), 4)
  assert.equal(await refundableAfter({ pays: 5 }, { spends: 5 }, { credit: 5 }), 0)
  assert.equal(await refundableAfter({ pays: 5 }, { spends: 3 }, { credit: 2 }, { spends: 1 }), 2)
  assert.equal(await refundableAfter({ pays: 5 }, { spends: 1 }, { credit: 2 }, { pays: 5 }, { spends: 4 }), 7)
  assert.equal(await refundableAfter({ credit: 3 }, { pays: 5 }, { takesBack: 3 }), 5)
})

test('a returned fee has the source it was paid with, and a credit settles debts first', async () => {
  assert.equal(await refundableAfter({ pays: 5 }, { spends: 2, isRefused: 2 }), 5)
  assert.equal(await refundableAfter({ pays: 5 }, { spends: 2, isRefused: 1 }, { credit: 4 }), 4)
  assert.equal(await refundableAfter({ credit: 2 }, { pays: 5 }, { spends: 2, isRefused: 2 }), 5)
  assert.equal(await refundableAfter({ pays: 5 }, { penalty: 9 }, { credit: 6 }, { pays: 5 }), 5)
  assert.equal(await refundableAfter({ credit: 3 }, { penalty: 9 }, { pays: 10 }), 4)
})

test('a debt returned after it was settled has the source it was settled with', async () => {
  const disputed: Step[] = [{ pays: 5 }, { spends: 5 }, { dispute: 'opened' }]
  assert.equal(await refundableAfter(...disputed, { credit: 5 }, { dispute: 'won' }), 0)
  assert.equal(await refundableAfter({ penalty: 5 }, { pays: 5 }, { isForgiven: true }), 5)
  assert.equal(await refundableAfter({ penalty: 5 }, { credit: 5 }, { isForgiven: true }), 0)
})

test('a refund is sent once, even if responses are lost and many workers send it', async () => {
  const payer = await fixture.createPayer()
  const { intent, paymentId } = await topUp(fixture, payer)
  fixture.double.loseAnswers(1)
  await payer.askBack(5 * dollar)
  const [row] = await refundRows(paymentId)
  assert(row)
  await Promise.all(Array.from({ length: 4 }, () => sendRefund(fixture.work, { refund_id: row.id })))
  await fixture.settle()
  assert.equal(refundsOf(intent).length, 1)
  assert.deepEqual(await fixture.bookedFor(row.id), { payout: 5 * dollar })
})

test('a refund that the bank rejects returns to the balance, whether or not it had succeeded', async () => {
  const payer = await fixture.createPayer()
  const { intent, paymentId } = await topUp(fixture, payer)
  fixture.double.makeRefunds('pending')
  await payer.askBack(5 * dollar)
  await fixture.settle()
  fixture.double.makeRefunds('succeeded')
  const [sent] = refundsOf(intent)
  assert.deepEqual(
    (await refundRows(paymentId)).map(({ status }) => status),
    ['sent'],
  )
  fixture.double.settleRefund(String(sent?.id), 'succeeded')
  await fixture.settle()
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 0, owed: 0 })
  fixture.double.settleRefund(String(sent?.id), 'failed')
  await fixture.settle()
  const [row] = await refundRows(paymentId)
  assert.equal(row?.status, 'failed')
  assert.deepEqual(await fixture.bookedFor(String(row?.id)), { payout: 5 * dollar, payout_return: 5 * dollar })
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 5 * dollar, owed: 0 })
  assert.deepEqual(await fixture.toldOf(payer.id), ['refund_failed'])
})

test('a refund that the provider refuses returns to the balance', async () => {
  const payer = await fixture.createPayer()
  const { intent, paymentId } = await topUp(fixture, payer)
  fixture.double.webhooks.hold()
  fixture.double.refund(intent, {})
  await payer.askBack(5 * dollar)
  await fixture.service.settle()
  const statuses = (await refundRows(paymentId)).map(({ status }) => status).sort()
  assert.deepEqual(statuses, ['failed', 'succeeded'], 'ours was refused, and the other one was seen')
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 0, owed: 0 })
  await fixture.double.webhooks.release()
  await fixture.settle()
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 0, owed: 0 })
})

test('a refund made in the provider’s dashboard takes the remaining balance, and the rest is owed', async () => {
  const payer = await fixture.createPayer()
  const { intent } = await topUp(fixture, payer)
  await payer.client.submitPost(message)
  const outside = fixture.double.refund(intent, {})
  await fixture.settle()
  assert.deepEqual(await fixture.bookedFor(outside.id), { payout: 5 * dollar })
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 0, owed: 20_000 })
  fixture.double.settleRefund(outside.id, 'failed')
  await fixture.settle()
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 4_980_000, owed: 0 })
})

test('a dispute larger than the balance is owed, blocks paid operations, and is returned when it is won', async () => {
  const payer = await fixture.createPayer()
  const { intent } = await topUp(fixture, payer)
  await payer.client.submitPost(message)
  const { id } = fixture.double.dispute(intent)
  await fixture.settle()
  assert.deepEqual(await fixture.bookedFor(id), { dispute: 5 * dollar })
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 0, owed: 20_000 })
  const another = { text: 'Fresh bread on the corner until noon, and coffee.' }
  await assert.rejects(payer.client.submitPost(another), (error) => isProblem(error, 'insufficient_balance'))
  assert.equal(await refundableMicros(fixture.service.workerDb, payer.id), 0)
  fixture.double.closeDispute(id, 'won')
  await fixture.settle()
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 4_980_000, owed: 0 })
  assert.deepEqual(await fixture.toldOf(payer.id), ['payment_disputed', 'dispute_closed'])
})

test('a refund that fails after the account is closed is logged as an error, and is listed for the operator', async () => {
  const payer = await fixture.createPayer()
  const { intent, paymentId } = await topUp(fixture, payer)
  const waiting = async () =>
    (await fixture.service.asOperator((tx) => listUnpaidRefunds(tx, 100))).map(({ id, account_id, amount_micros }) => ({
      ...{ id, account_id, amount_micros },
    }))
  fixture.double.makeRefunds('pending')
  assert.equal((await payer.owner.post('/account/deletion', { word: 'DELETE', refund: 'yes' })).status, 303)
  await fixture.settle()
  fixture.double.makeRefunds('succeeded')
  assert.deepEqual(await waiting(), [])
  fixture.double.settleRefund(String(refundsOf(intent)[0]?.id), 'failed')
  await fixture.settle()
  const [row] = await refundRows(paymentId)
  assert(row)
  const unpaid = { account_id: payer.id, amount_micros: 5 * dollar }
  assert.deepEqual(await waiting(), [{ id: row.id, ...unpaid }])
  const lines = fixture.service.logLines.filter((line) => line.includes(row.id) && line.includes('refund failed'))
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).level),
    [50],
  )
  const again = fixture.double.refund(intent, {})
  await fixture.settle()
  assert.deepEqual(await waiting(), [], 'sent again in the provider’s own pages')
  fixture.double.settleRefund(again.id, 'failed')
  await fixture.settle()
  const [, second] = await refundRows(paymentId)
  assert.deepEqual(await waiting(), [{ id: second?.id, ...unpaid }])
  const paidOtherwise = { accountId: payer.id, amountMicros: 5 * dollar, subject: `operator:${second?.id}` }
  await fixture.service.asOperator((tx) => debit(tx, { ...paidOtherwise, at: fixture.service.clock.now() }))
  assert.deepEqual(await waiting(), [])
})

test('a dispute and a refund long after their payments are found, even if the webhooks are lost', async () => {
  const [disputed, refunded] = [await fixture.createPayer(), await fixture.createPayer()]
  const [first, second] = [await topUp(fixture, disputed), await topUp(fixture, refunded)]
  const paid = [first, second].map(({ intent }) => intent)
  for (const intent of fixture.double.list('payment_intent'))
    if (paid.includes(intent.id)) intent.created -= 40 * 86_400
  await fixture.query(
    "update payments set created_at = created_at - interval '40 d', settled_at = settled_at - interval '40 d' where intent = any($1)",
    paid,
  )
  fixture.double.webhooks.hold()
  fixture.double.dispute(first.intent)
  fixture.double.refund(second.intent, { amount: 200 })
  fixture.double.webhooks.drop()
  await fixture.double.webhooks.release()
  await reconcileDaily(fixture.laterWork)
  await fixture.settle()
  assert.deepEqual(await fixture.balanceOf(disputed.id), { prepaid: 0, owed: 0 })
  assert.deepEqual(await fixture.balanceOf(refunded.id), { prepaid: 3 * dollar, owed: 0 })
})

test('a lost dispute is booked out through the provider, and is returned if won on appeal', async () => {
  const payer = await fixture.createPayer()
  const { intent } = await topUp(fixture, payer)
  const { id } = fixture.double.dispute(intent, 300)
  fixture.double.closeDispute(id, 'lost')
  await fixture.settle()
  assert.deepEqual(await fixture.bookedFor(id), { dispute: 3 * dollar, dispute_loss: 3 * dollar })
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 2 * dollar, owed: 0 })
  fixture.double.closeDispute(id, 'won')
  await fixture.settle()
  assert.deepEqual(await fixture.bookedFor(id), {
    ...{ dispute: 3 * dollar, dispute_return: 3 * dollar },
    // Out, and in again.
    dispute_loss: 6 * dollar,
  })
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 5 * dollar, owed: 0 })
})

test('a dispute reported before its payment books both', async () => {
  const payer = await fixture.createPayer()
  fixture.double.webhooks.hold()
  const { session, paymentId } = await begin(fixture, payer)
  const { intent } = fixture.double.pay(session)
  fixture.double.webhooks.drop()
  const { id } = fixture.double.dispute(intent.id, 200)
  await fixture.double.webhooks.release()
  await fixture.settle()
  assert.deepEqual(await fixture.bookedFor(paymentId), { top_up: 5 * dollar })
  assert.deepEqual(await fixture.bookedFor(id), { dispute: 2 * dollar })
  const before = await fixture.balanceOf(payer.id)
  await Promise.all(
    Array.from({ length: 4 }, () => settlePayment(fixture.work, { payment_id: null, intent: intent.id })),
  )
  assert.deepEqual(await fixture.balanceOf(payer.id), before)
})

test('two refunds at the provider under our one id are reported as a difference', async () => {
  const payer = await fixture.createPayer()
  const { intent, paymentId } = await topUp(fixture, payer, 10)
  const [accountId, at] = [payer.id, fixture.service.clock.now()]
  await fixture.service.asOperator((tx) =>
    debit(tx, { accountId, amountMicros: 5 * dollar, subject: `test:${accountId}`, at }),
  )
  await payer.askBack(5 * dollar)
  await fixture.settle()
  const [first] = refundsOf(intent)
  assert(first)
  fixture.double.webhooks.hold()
  fixture.double.refund(intent, { amount: 500, metadata: first.metadata })
  const { payments, service } = fixture
  const range = lastDays(3, service.clock.now())
  const found = await Array.fromAsync(findDifferences({ db: service.workerDb, payments, range }))
  assert.deepEqual(
    found.map(({ payment_id, of, difference }) => ({ payment_id, of, difference })),
    [{ payment_id: paymentId, of: 'refund', difference: 'other_amount' }],
  )
})
