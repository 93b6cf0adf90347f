import { sql } from 'kysely'
import { hasJob } from '../jobs/backlog.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import type { CardProvider } from '../platform/payments/provider.ts'
import { compare, type PaymentDifference, readLedgerState } from './compare-with-provider.ts'
import type { PaymentJobDependencies } from './dependencies.ts'

export const usualDays = 3
const dayMs = 86_400_000
const hourMs = 3_600_000
/** Changes this recent are not compared, because the provider may not have reported them yet. */
const tellingMs = 600_000

type Range = { from: Date; until: Date }
type Compared = { db: Database; payments: CardProvider; range: Range }

export const lastDays = (days: number, until: Date): Range => ({
  from: new Date(until.getTime() - days * dayMs),
  until,
})

/**
 * Compares the provider's records for a period with the ledger. Payments that the provider did not list, and payments
 * of any age with an open refund or dispute, are checked one by one.
 */
export async function* findDifferences({ db, payments, range }: Compared): AsyncGenerator<PaymentDifference> {
  const seen = new Set<string>()
  for await (const listed of payments.listPayments(range)) {
    if (listed.paymentId === null) continue
    seen.add(listed.paymentId)
    const row = await readRow(db, listed.paymentId)
    if (!row) yield unknownPayment(listed.paymentId, listed.status === 'paid' ? listed.amountMicros : 0)
    else yield* await compareOne({ db, payments }, row, listed)
  }
  for (const row of await readOwn(db, range)) if (!seen.has(row.id)) yield* await compareOne({ db, payments }, row)
}

type Row = { id: string; reference: string | null; intent: string | null }

async function compareOne(
  { db, payments }: Omit<Compared, 'range'>,
  row: Row,
  listed?: Parameters<typeof readLedgerState>[2],
): Promise<PaymentDifference[]> {
  const books = await readLedgerState(db, row.id, listed ?? null)
  // The provider's list omits failed refunds.
  const isWhole = listed && books.refunds.length === 0 && books.disputes.length === 0
  const state = isWhole ? listed : await payments.readPayment(row)
  if (state?.paymentId === row.id)
    return compare(row.id, state, isWhole ? books : await readLedgerState(db, row.id, state))
  const booked = books.booked('payment', row.id)
  if (booked === 0) return []
  const amounts = { provider_micros: 0, ledger_micros: booked }
  return [{ payment_id: row.id, difference: 'missing_at_provider', of: 'payment', subject: row.id, ...amounts }]
}

const unknownPayment = (id: string, micros: number): PaymentDifference => ({
  ...{ payment_id: id, difference: 'unknown_payment', of: 'payment', subject: id },
  ...{ provider_micros: micros, ledger_micros: 0 },
})

const columns = ['id', 'reference', 'intent'] as const

const readRow = (db: Database, id: string): Promise<Row | undefined> =>
  db.selectFrom('payments').select(columns).where('id', '=', id).where('provider', '<>', 'manual').executeTakeFirst()

const readOwn = (db: Database, { from, until }: Range): Promise<Row[]> =>
  db
    .selectFrom('payments')
    .select(columns)
    .where('provider', '<>', 'manual')
    .where(({ or, and, eb, exists, selectFrom }) =>
      or([
        and([eb('status', 'in', ['paid', 'started']), eb('created_at', '>=', from), eb('created_at', '<', until)]),
        exists(
          selectFrom('payment_refunds')
            .select('id')
            .whereRef('payment_id', '=', 'payments.id')
            .where('payment_refunds.status', '=', 'sent'),
        ),
        exists(
          selectFrom('payment_disputes')
            .select('reference')
            .whereRef('payment_id', '=', 'payments.id')
            .where('payment_disputes.status', '=', 'open'),
        ),
      ]),
    )
    .execute()

/** Enqueues a job that books missing transfers, for example after a lost webhook. False if a job cannot help. */
export async function askToSettle(db: Database, { payment_id, difference }: PaymentDifference): Promise<boolean> {
  if (difference === 'unknown_payment' || difference === 'missing_at_provider') return false
  await settleSoon(db, payment_id)
  return true
}

const settleSoon = (db: Database, payment_id: string): Promise<void> =>
  inTransaction(db, (tx) =>
    enqueue(tx, 'settle-payment', { payment_id, intent: null }, { once: `settle:${payment_id}` }),
  )

/** Logs every difference in the last days and resumes unfinished work. */
export async function reconcileDaily({ db, clock, payments, logger }: PaymentJobDependencies): Promise<void> {
  const at = clock.now()
  if (payments.driver === 'manual') return
  let count = 0
  const range = lastDays(usualDays, new Date(at.getTime() - tellingMs))
  for await (const difference of findDifferences({ db, payments, range })) {
    count++
    const settles = await askToSettle(db, difference)
    logger.error({ ...difference, settles }, 'provider and ledger differ')
  }
  await carryOn(db, new Date(at.getTime() - hourMs))
  logger.info({ days: usualDays, differences: count }, 'payments reconciled with the ledger')
}

/** Enqueues jobs for payments without a final status and for refunds that no job is sending. */
async function carryOn(db: Database, before: Date): Promise<void> {
  const { rows: open } = await sql<{ payment_id: string }>`
    select id as payment_id from payments
    where status = 'started' and cause = 'top_up' and provider <> 'manual' and created_at < ${before}`.execute(db)
  const { rows: asked } = await sql<{ refund_id: string }>`
    select refund_id from (
      select payment_refunds.id as refund_id from payment_refunds join payments on payments.id = payment_id
      where payment_refunds.status = 'asked' and provider <> 'manual' and payment_refunds.created_at < ${before}
    ) asked where not ${hasJob('send-refund', ['refund_id'], 'asked')}`.execute(db)
  for (const { payment_id } of open) await settleSoon(db, payment_id)
  for (const refund of asked) await inTransaction(db, (tx) => enqueue(tx, 'send-refund', refund))
}
