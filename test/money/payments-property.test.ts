import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { readBalance } from '../../src/ledger/balance.ts'
import { charge } from '../../src/ledger/charges.ts'
import { prices } from '../../src/ledger/prices.ts'
import { BalanceTooLow } from '../../src/ledger/transfers.ts'
import { findDifferences, lastDays } from '../../src/payments/reconcile.ts'
import { askForRefund, refundableMicros } from '../../src/payments/refunds/refund-balance.ts'
import { sendRefund } from '../../src/payments/refunds/send-refund.ts'
import { settlePayment } from '../../src/payments/settle-payment.ts'
import { startTopUp } from '../../src/payments/start-top-up.ts'
import { type Connection, connect } from '../../src/platform/database/database.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import { type CardProvider, ProviderError } from '../../src/platform/payments/provider.ts'
import { migratedDatabase, type OwnDatabase } from '../../tooling/services/databases.ts'
import { runInParts, times } from '../../tooling/test-length.ts'
import { openAccounts } from '../support/money/ledger-model.ts'
import { type MemoryProvider, openMemoryProvider } from '../support/money/memory-provider.ts'
import { verifyTestLedger } from '../support/money/verify-ledger.ts'

const histories = times({ whole: 800, short: 100 })

const at = new Date('2026-11-15T12:00:00Z')
const clock = { now: () => at }
const logger = createLogger('fatal', 'test', { write: () => {} })

const happenings = ['pay', 'expire', 'refund', 'end_refund', 'dispute', 'end_dispute', 'ask', 'spend', 'send'] as const
type Step = {
  what: (typeof happenings)[number]
  account: number
  /** Which of the possible objects it affects, and the amount. */
  which: number
  share: number
  /** How often, concurrently, the provider reports it; 0 if its webhook is lost. */
  told: number
  /** The number of further events after which the fetched state is recorded. The last states are recorded at the end. */
  lag: number
}
type Story = { topUps: { account: number; amount: number; paid: boolean }[]; steps: Step[]; faults: boolean[] }

const topUp = fc.record({
  account: fc.nat({ max: 1 }),
  amount: fc.nat({ max: prices.topUpMicros.length - 1 }),
  paid: fc.boolean(),
})
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...happenings),
  account: fc.nat({ max: 1 }),
  which: fc.nat({ max: 11 }),
  share: fc.integer({ min: 1, max: 100 }),
  told: fc.nat({ max: 3 }),
  lag: fc.nat({ max: 4 }),
})
const story: fc.Arbitrary<Story> = fc.record({
  topUps: fc.array(topUp, { minLength: 1, maxLength: 3 }),
  steps: fc.array(step, { minLength: 5, maxLength: 30, size: 'max' }),
  faults: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
})

let database: OwnDatabase
let parts: Record<'owner' | 'worker' | 'page' | 'api', Connection>
const stack = new AsyncDisposableStack()
before(async () => {
  database = stack.use(await migratedDatabase('payments'))
  const open = (url: string, poolMax: number) => stack.use(connect(url, { poolMax, applicationName: 'payments test' }))
  const { urls } = database
  parts = {
    owner: open(urls.migrator, 2),
    worker: open(urls.worker, 4),
    page: open(urls.owner_page, 2),
    api: open(urls.api, 2),
  }
})
after(() => stack.disposeAsync())

test(`through up to ${histories} payment histories, reported twice, late, out of order or never, our ledger matches the provider`, async (context) => {
  const property = fc.asyncProperty(story, tell)
  const runs = await runInParts(histories, 20, (numRuns) => fc.assert(property, { numRuns, endOnFailure: true }))
  context.diagnostic(`${runs} histories`)
  const { sum_micros, difference_count } = await verifyTestLedger(database)
  assert.deepEqual({ sum_micros, difference_count }, { sum_micros: '0', difference_count: 0 })
})

async function tell({ topUps, steps, faults }: Story): Promise<void> {
  let asked = 0
  let isOver = false
  const memory = openMemoryProvider({
    fails: () => !isOver && ++asked % 3 === 0 && faults[asked % faults.length] === true,
  })
  const accounts = await openAccounts(parts.owner.db, { prepaidMicros: 0 })
  const { provider: payments } = memory
  const paying = { db: parts.page.db, clock, payments, accountPageUrl: 'http://localhost' }
  for (const { account, amount, paid } of topUps) {
    const amountMicros = Number(prices.topUpMicros[amount])
    const { paymentId } = await startTopUp(paying, { accountId: String(accounts[account]), amountMicros })
    if (paid) memory.pay(memory.known.find((one) => one.paymentId === paymentId))
  }
  const work = { db: parts.worker.db, clock, payments, logger }
  const spent = new Map<string, number>()
  const waiting = new Map<number, (() => Promise<void>)[]>()
  for (const [index, one] of steps.entries()) {
    const paymentId = await happen({ memory, accounts, spent, work }, one)
    for (const book of waiting.get(index) ?? []) await book()
    if (!paymentId || one.told === 0) continue
    const book = await hear({ memory, work }, one, paymentId)
    waiting.set(index + one.lag, [...(waiting.get(index + one.lag) ?? []), book])
    if (one.lag === 0) await book()
  }
  for (const [index, books] of waiting) if (index >= steps.length) for (const book of books) await book()
  isOver = true
  for (const refundId of await askedRefunds()) await sendRefund(work, { refund_id: refundId })
  for (const { paymentId } of memory.known) await settlePayment(work, { payment_id: paymentId, intent: null })
  await assertSameLedger(memory, accounts, spent)
}

/** The provider reports: its state is fetched now, and booked as often as reported when the function is called. */
async function hear({ memory, work }: Pick<Fixture, 'memory' | 'work'>, { told, share }: Step, paymentId: string) {
  const known = memory.known.find((one) => one.paymentId === paymentId)
  const intent = known?.intent ?? null
  const heard = share % 2 === 0 && intent ? { payment_id: null, intent } : { payment_id: paymentId, intent }
  const { promise: booking, resolve: book } = Promise.withResolvers<void>()
  const { promise: reading, resolve: wasRead } = Promise.withResolvers<void>()
  const readPayment: CardProvider['readPayment'] = async (names) => {
    const said = await memory.provider.readPayment(names)
    wasRead()
    await booking
    return said
  }
  const slow = { ...work, payments: { ...memory.provider, readPayment } }
  const runs = Array.from({ length: told }, () => retried(() => settlePayment(slow, heard)))
  await Promise.race([reading, ...runs])
  return async () => {
    book()
    await Promise.all(runs)
  }
}

type Fixture = {
  memory: MemoryProvider
  accounts: readonly string[]
  spent: Map<string, number>
  work: Parameters<typeof sendRefund>[0]
}

/** An event, here or at the provider; returns the payment that the provider would report, if any. */
async function happen({ memory, accounts, spent, work }: Fixture, step: Step): Promise<string | undefined> {
  const { what, which, share } = step
  const accountId = String(accounts[step.account])
  const one = memory.known[which % memory.known.length]
  assert(one)
  const cents = (micros: number) => Math.floor((micros * share) / 100 / 10_000) * 10_000
  const refund = pick(
    one.refunds.filter(({ status }) => status !== 'failed'),
    share,
  )
  const dispute = pick(
    one.disputes.filter(({ status }) => status !== 'won'),
    share,
  )
  const part = cents(memory.leftOf(one))
  const acts: Record<Step['what'], () => Promise<void> | void> = {
    pay: () => memory.pay(one),
    expire: () => void (one.status === 'open' && Object.assign(one, { status: 'cancelled' })),
    refund: () => {
      if (part > 0 && !one.disputes.some(({ status }) => status === 'open'))
        memory.addRefund(one, { amountMicros: part, refundId: null })
    },
    end_refund: () => void (refund && Object.assign(refund, { status: share % 2 === 0 ? 'succeeded' : 'failed' })),
    dispute: () => void (part > 0 && memory.dispute(one, part)),
    end_dispute: () =>
      void (
        dispute && Object.assign(dispute, { status: dispute.status === 'lost' || share % 2 === 0 ? 'won' : 'lost' })
      ),
    ask: async () => {
      const amountMicros = await refundableMicros(parts.page.db, accountId)
      await askForRefund(parts.page.db, { accountId, amountMicros, at })
    },
    spend: async () => {
      const amountMicros = share * 20_000
      const subject = `test:${crypto.randomUUID()}`
      const charged = await charge(parts.api.db, {
        accountId,
        keyId: null,
        amountMicros,
        reason: 'post',
        subject,
        at,
      }).catch((error) => {
        if (!(error instanceof BalanceTooLow)) throw error
      })
      if (charged) spent.set(accountId, (spent.get(accountId) ?? 0) + amountMicros)
    },
    send: async () => {
      const waiting = await askedRefunds()
      for (const refund_id of waiting.slice(0, 2))
        await Promise.all(Array.from({ length: step.told }, () => retried(() => sendRefund(work, { refund_id }))))
    },
  }
  await acts[what]()
  return what === 'ask' || what === 'spend' || what === 'send' ? undefined : one.paymentId
}

const pick = <One>(all: readonly One[], index: number): One | undefined => all[index % Math.max(1, all.length)]

/** Retries like a job, until it is done. */
async function retried(act: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < 50; tries++)
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
    }
  assert.fail('the provider did not answer in 50 tries')
}

async function askedRefunds(): Promise<string[]> {
  const rows = await parts.worker.db.selectFrom('payment_refunds').select('id').where('status', '=', 'asked').execute()
  return rows.map(({ id }) => id)
}

async function assertSameLedger(memory: MemoryProvider, accounts: readonly string[], spent: Map<string, number>) {
  const ids = memory.known.map(({ paymentId }) => paymentId)
  const rows = await parts.worker.db
    .selectFrom('payments')
    .select(['id', 'account_id', 'status'])
    .where('id', 'in', ids)
    .execute()
  for (const accountId of accounts) {
    const own = memory.known.filter(
      ({ paymentId }) => rows.find(({ id }) => id === paymentId)?.account_id === accountId,
    )
    const left = own.reduce((sum, one) => sum + memory.leftOf(one), 0)
    const { prepaidMicros, owedMicros } = await readBalance(parts.worker.db, accountId)
    assert.equal(
      prepaidMicros - owedMicros,
      left - (spent.get(accountId) ?? 0),
      'what is left is what the provider holds',
    )
    assert.ok(prepaidMicros === 0 || owedMicros === 0 || prepaidMicros >= 0)
  }
  for (const { id, status } of rows) {
    const said = memory.known.find(({ paymentId }) => paymentId === id)?.status
    assert.equal(status, said === 'open' ? 'started' : said)
  }
  const range = lastDays(3, at)
  const differences = await Array.fromAsync(findDifferences({ db: parts.worker.db, payments: memory.provider, range }))
  // Open items of other histories do not belong to this provider.
  assert.deepEqual(
    differences.filter(({ payment_id }) => ids.includes(payment_id)),
    [],
  )
}
