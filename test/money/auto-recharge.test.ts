import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { askForRecharges } from '../../src/ledger/auto-recharge.ts'
import { charge } from '../../src/ledger/charges.ts'
import { debit } from '../../src/ledger/deposits.ts'
import { penalty } from '../../src/ledger/split-transfers.ts'
import { readCard } from '../../src/payments/card.ts'
import { rechargeBalance } from '../../src/payments/recharge-balance.ts'
import { ProviderError } from '../../src/platform/payments/provider.ts'
import { providerKey } from '../../tooling/services/payment-provider/start-for-tests.ts'
import { dollar, endPaying, type PaymentFixture, startPaying } from '../support/money/payment-fixture.ts'

let fixture: PaymentFixture
const resources = new AsyncDisposableStack()
before(async () => {
  fixture = await startPaying(resources, { searchesPerKey: 1 })
})
after(() => endPaying(resources, fixture))
/** Separate days, so that no test is near midnight unless it wants to be. */
let day = Math.floor(Date.now() / 86_400_000)
const setTime = (time: string) => {
  const date = new Date(day * 86_400_000).toISOString().slice(0, 10)
  fixture.service.clock.setOffset(Date.parse(`${date}T${time}Z`) - Date.now())
}
beforeEach(() => {
  day++
  setTime('12:00:00')
})
afterEach(() => fixture.double.webhooks.release())

/** An owner who saved a card and turned auto-recharge on: five dollars when less than two are left. */
async function createRecharger({ credit = 2 * dollar, cap = 50, card = '4242' } = {}) {
  const payer = await fixture.createPayer()
  await leaveCard(payer, card)
  if (credit > 0) await fixture.service.credit(payer.id, credit)
  await turnOn(payer, cap)
  return payer
}

async function leaveCard({ owner }: Pick<Recharger, 'owner'>, card: string) {
  const setup = await owner.post('/account/card')
  const [, session] = /\/c\/pay\/(\w+)$/.exec(setup.headers.get('location') ?? '') ?? []
  fixture.double.leaveCard(String(session), card)
  await fixture.settle()
}

async function turnOn({ owner }: Pick<Recharger, 'owner'>, cap = 50) {
  const wish = { enabled: 'on', threshold: String(2 * dollar), amount: String(5 * dollar), cap: String(cap * dollar) }
  const changed = await owner.post('/account/auto-recharge', wish)
  assert.equal(changed.status, 303, await changed.text())
}

type Recharger = Awaited<ReturnType<PaymentFixture['createPayer']>>

const recharges = (accountId: string) =>
  fixture.query<{ id: string; status: string; failure: string | null }>(
    "select id, status, failure from payments where account_id = $1 and cause = 'recharge' order by id",
    accountId,
  )
const statuses = async ({ id }: Recharger) => (await recharges(id)).map(({ status }) => status)
const isOn = async ({ client }: Recharger) => (await client.getAccount()).body.auto_recharge.enabled
const takenFrom = ({ id }: Recharger) =>
  fixture.double
    .list('payment_intent')
    .filter(({ metadata, status }) => metadata['account_id'] === id && status === 'succeeded')

/** It goes to review, so that no page is written. */
const newText = () => ({ text: `verdict-review ${Array.from({ length: 6 }, () => crypto.randomUUID()).join(' ')}` })

const sweep = async () => {
  await askForRecharges(fixture.service.workerDb, fixture.service.clock.now())
  await fixture.settle()
}

/** After the free ones, searches cost a tenth of a cent each, so the balance falls without a post. */
const spend = ({ client }: Recharger) => client.searchPosts({ q: 'ferry' })

test('when thirty concurrent posts take the balance below the threshold, the card is charged once', async () => {
  const payer = await createRecharger({ credit: 2 * dollar + 100_000 })
  const posts = await Promise.all(Array.from({ length: 30 }, () => payer.client.submitPost(newText())))
  assert.ok(posts.every(({ status }) => status === 202))
  await fixture.settle()
  assert.deepEqual(await statuses(payer), ['paid'])
  assert.equal(takenFrom(payer).length, 1)
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 6 * dollar + 500_000, owed: 0 })
  await sweep()
  assert.equal(takenFrom(payer).length, 1, 'and not again')
})

test('a search beyond the free quota also triggers a recharge, and free calls do not', async () => {
  const payer = await createRecharger()
  await payer.client.getAccount()
  await fixture.service.settle()
  const before = takenFrom(payer).length
  await spend(payer)
  await spend(payer)
  await fixture.settle()
  assert.deepEqual([before, takenFrom(payer).length], [0, 1])
})

test('a debt that uses up a recharge does not trigger the next one', async () => {
  const payer = await createRecharger({ credit: 0 })
  const owing = { accountId: payer.id, amountMicros: 20 * dollar, subject: `test:${payer.id}` }
  await fixture.service.asWorker((tx) => penalty(tx, { ...owing, at: fixture.service.clock.now() }))
  await sweep()
  await sweep()
  assert.deepEqual(await statuses(payer), ['paid'])
  assert.deepEqual(await fixture.balanceOf(payer.id), { prepaid: 0, owed: 15 * dollar })
})

test('auto-recharge works again after it is turned on, even if nothing can be spent before', async () => {
  const [refunded, disputed] = [await createRecharger({ credit: 0 }), await createRecharger({ credit: 0 })]
  await sweep()
  assert.deepEqual([await statuses(refunded), await statuses(disputed)], [['paid'], ['paid']])
  await refunded.askBack(5 * dollar)
  fixture.double.dispute(String(takenFrom(disputed)[0]?.id))
  await fixture.settle()
  await sweep()
  for (const payer of [refunded, disputed]) {
    assert.deepEqual([await fixture.balanceOf(payer.id), await isOn(payer)], [{ prepaid: 0, owed: 0 }, false])
    await turnOn(payer)
  }
  await sweep()
  await sweep()
  for (const payer of [refunded, disputed])
    assert.deepEqual([await statuses(payer), takenFrom(payer).length], [['paid', 'paid'], 2])
})

test('a credit that the operator takes back lowers the balance like any charge', async () => {
  const payer = await createRecharger({ credit: 0 })
  await sweep()
  const taken = { accountId: payer.id, amountMicros: 5 * dollar, subject: `test:${payer.id}` }
  await fixture.service.asOperator((tx) => debit(tx, { ...taken, at: fixture.service.clock.now() }))
  await sweep()
  await sweep()
  assert.deepEqual(await statuses(payer), ['paid', 'paid'])
})

test('at most the daily cap is charged per UTC day, and the next day starts at midnight', async () => {
  const payer = await createRecharger({ cap: 10 })
  const fall = async () => {
    const { prepaid = 0 } = (await fixture.balanceOf(payer.id)) ?? {}
    const [accountId, subject, at] = [payer.id, `test:${crypto.randomUUID()}`, fixture.service.clock.now()]
    const amountMicros = prepaid - dollar
    await charge(fixture.service.db, { accountId, keyId: null, amountMicros, reason: 'post', subject, at })
    await sweep()
  }
  setTime('23:00:00')
  await fall()
  await fall()
  setTime('23:59:59')
  await fall()
  assert.deepEqual(await statuses(payer), ['paid', 'paid'], 'ten dollars are the cap')
  day++
  setTime('00:00:00')
  await sweep()
  assert.deepEqual(await statuses(payer), ['paid', 'paid', 'paid'])
})

test('a declined card is not tried for an hour, and three declines in a row turn auto-recharge off', async () => {
  const payer = await createRecharger({ credit: dollar, card: '0341' })
  await sweep()
  await sweep()
  assert.deepEqual(await statuses(payer), ['failed'], 'not again within the hour')
  setTime('12:59:50')
  await sweep()
  assert.equal((await statuses(payer)).length, 1)
  setTime('13:00:30')
  await sweep()
  assert.deepEqual([await statuses(payer), await isOn(payer)], [['failed', 'failed'], true])
  setTime('14:01:30')
  await sweep()
  assert.deepEqual([await statuses(payer), await isOn(payer)], [['failed', 'failed', 'failed'], false])
  assert.deepEqual(await fixture.toldOf(payer.id), ['recharge_failed', 'recharge_failed', 'recharge_off'])
  setTime('16:00:00')
  await sweep()
  assert.equal((await statuses(payer)).length, 3)
  assert.equal(takenFrom(payer).length, 0)
})

test('declines of one card do not count against the next', async () => {
  const payer = await createRecharger({ credit: dollar, card: '0341' })
  await sweep()
  await readCard(fixture.work, { account_id: payer.id })
  await sweep()
  assert.deepEqual(await statuses(payer), ['failed'], 'the same card, read again, is left alone')
  await leaveCard(payer, '4242')
  await sweep()
  assert.deepEqual(await statuses(payer), ['failed', 'paid'])
})

test('an interrupted run and concurrent workers charge the card once', async () => {
  const payer = await createRecharger({ credit: dollar })
  fixture.double.webhooks.hold()
  fixture.double.loseAnswers(1)
  const runs = Array.from({ length: 5 }, () => rechargeBalance(fixture.work, { account_id: payer.id }))
  await Promise.allSettled(runs)
  await rechargeBalance(fixture.work, { account_id: payer.id })
  await fixture.double.webhooks.release({ reverse: true })
  await sweep()
  assert.deepEqual([takenFrom(payer).length, await statuses(payer)], [1, ['paid']])
})

test('a decline counts even if its run died before recording it, and the attempt can never be paid', async () => {
  const payer = await createRecharger({ credit: dollar, card: '0341' })
  const dying = { ...fixture.payments, chargeCard: attemptAndDie }
  await assert.rejects(rechargeBalance({ ...fixture.work, payments: dying }, { account_id: payer.id }), /killed/)
  await fixture.settle()
  const [open] = await recharges(payer.id)
  assert.equal(open?.status, 'started', 'the provider’s own word leaves it open')
  await sweep()
  await rechargeBalance(fixture.work, { account_id: payer.id })
  assert.deepEqual(
    (await recharges(payer.id)).map(({ status, failure }) => [status, failure]),
    [['failed', 'card_declined']],
  )
  assert.deepEqual(await fixture.toldOf(payer.id), ['recharge_failed'])
})

/** The driver's steps up to the moment when it would end a declined attempt. */
async function attemptAndDie(charge: Parameters<typeof fixture.payments.chargeCard>[0]): Promise<never> {
  const response = await fetch(`${fixture.double.apiUrl}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${providerKey}` },
    body: new URLSearchParams({
      ...{ amount: String(charge.amountMicros / 10_000), currency: 'usd', 'allowed_payment_method_types[0]': 'card' },
      ...{ customer: charge.customer, payment_method: charge.card, off_session: 'true', confirm: 'true' },
      ...{ 'metadata[payment_id]': charge.paymentId, 'metadata[account_id]': charge.accountId },
    }),
  })
  assert.equal(response.status, 402, await response.text())
  throw new Error('killed')
}

test('a recharge that the owner stops while the provider is down is not made later', async () => {
  const payer = await createRecharger({ credit: dollar })
  const chargeCard = () => Promise.reject(new ProviderError('unreachable'))
  const away = { ...fixture.work, payments: { ...fixture.payments, chargeCard } }
  await assert.rejects(rechargeBalance(away, { account_id: payer.id }), ProviderError)
  assert.deepEqual(await statuses(payer), ['started'])
  await payer.client.updateAccount({ auto_recharge: { enabled: false } })
  await sweep()
  assert.deepEqual([await statuses(payer), takenFrom(payer).length], [['cancelled'], 0])
})

test('removing the card or disputing a payment ends auto-recharge', async () => {
  const [removing, disputing] = [await createRecharger({ credit: dollar }), await createRecharger({ credit: dollar })]
  await removing.owner.post('/account/card/remove')
  await sweep()
  assert.deepEqual([await isOn(removing), takenFrom(removing).length], [false, 0])
  assert.equal((await removing.client.getAccount()).body.card_on_file, false)
  const [intent] = takenFrom(disputing)
  assert(intent)
  fixture.double.dispute(intent.id)
  await fixture.settle()
  assert.equal(await isOn(disputing), false)
})
