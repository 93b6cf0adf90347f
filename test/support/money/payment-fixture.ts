import assert from 'node:assert/strict'
import type { PaymentStatus } from '../../../generated/database-types.ts'
import { createLogger } from '../../../src/platform/observability/logger.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import { type ServiceOptions, startService } from '../../../tooling/environment/service.ts'
import { startProvider } from '../../../tooling/services/payment-provider/start-for-tests.ts'
import { verifyTestLedger } from './verify-ledger.ts'

export type PaymentFixture = Awaited<ReturnType<typeof startPaying>>

export const dollar = 1_000_000

/** The whole service with the double of the payment provider, whose webhooks arrive through the gateway. */
export async function startPaying(stack: AsyncDisposableStack, options: ServiceOptions = {}) {
  const { payments, double, settings } = await startProvider(stack)
  const service = stack.use(await startService({ judges: true, settings, ...options }))
  const eventsUrl = `${service.accountPageUrl}/payments/events`
  double.webhooks.sendTo(eventsUrl)
  const logger = createLogger('fatal', 'test', { write: () => {} })

  const work = { db: service.workerDb, clock: service.clock, payments, logger }
  const query = <Row>(sql: string, ...values: unknown[]) => service.asOwner<Row>(sql, values)
  return {
    service,
    double,
    payments,
    eventsUrl,
    query,
    /** The context of a job, for a run next to the worker's own. */
    work,
    /** The same a while later, when missing reports are noticed. */
    laterWork: { ...work, clock: { now: () => new Date(service.clock.now().getTime() + 660_000) } },
    /** Waits until the provider has reported everything, and all follow-up work is done. */
    settle: async () => {
      await double.webhooks.settled()
      await service.settle()
    },
    /** An account and its signed-in owner. */
    createPayer: async () => {
      const account = await service.createAccount()
      const owner = await openOwner(service, account.id)
      /** Asks for a refund of the amount that the form showed. */
      const askBack = (micros: number) => owner.post('/account/refund', { amount_micros: String(micros) })
      return { ...account, owner, askBack }
    },
    balanceOf: async (accountId: string) => {
      const [row] = await query<{ prepaid: number; owed: number }>(
        'select prepaid_micros::float as prepaid, owed_micros::float as owed from balances where account_id = $1',
        accountId,
      )
      return row
    },
    /** The ledger entries by reason, of an account or without one. */
    bookedFor: async (subject: string) => {
      const rows = await query<{ reason: string; micros: number }>(
        'select reason, sum(amount_micros)::float as micros from ledger_transfers where subject = $1 group by reason',
        subject,
      )
      return Object.fromEntries(rows.map(({ reason, micros }) => [reason, micros]))
    },
    paymentRow: async (id: string) => {
      type Row = { status: PaymentStatus; failure: string | null; intent: string | null; reference: string | null }
      const [row] = await query<Row>('select status, failure, intent, reference from payments where id = $1', id)
      assert(row)
      return row
    },
    /** The pending owner emails, as jobs that wait for a mail server. */
    toldOf: async (accountId: string) => {
      const rows = await query<{ about: string }>(
        "select data->>'about' as about from pgboss.job_common where name = 'tell-owner' and data->>'account_id' = $1 order by created_on",
        accountId,
      )
      return rows.map(({ about }) => about)
    },
  }
}

/** Ends the fixture. The ledger must be correct whatever happened. */
export async function endPaying(resources: AsyncDisposableStack, { service }: PaymentFixture): Promise<void> {
  const { sum_micros, difference_count } = await verifyTestLedger(service.database)
  await resources.disposeAsync()
  assert.deepEqual({ sum_micros, difference_count }, { sum_micros: '0', difference_count: 0 })
}

type Payer = Awaited<ReturnType<PaymentFixture['createPayer']>>

/** The owner requests a top-up, and is redirected to the provider's page. */
export async function begin({ double }: PaymentFixture, { owner }: Payer, dollars = 5) {
  const response = await owner.post('/account/top-up', { amount: String(dollars * dollar) })
  assert.equal(response.status, 303)
  const [, session] = /\/c\/pay\/(\w+)$/.exec(response.headers.get('location') ?? '') ?? []
  const made = double.list('checkout.session').find(({ id }) => id === session)
  assert(made)
  return { session: made.id, paymentId: String(made.metadata['payment_id']), returnsTo: made.success_url }
}

/** A completed top-up. */
export async function topUp(fixture: PaymentFixture, payer: Payer, dollars = 5) {
  const { session, paymentId } = await begin(fixture, payer, dollars)
  const { intent } = fixture.double.pay(session)
  await fixture.settle()
  return { paymentId, intent: intent.id }
}
