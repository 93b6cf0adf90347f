import { sql } from 'kysely'
import { dueForRecharge } from '../ledger/auto-recharge.ts'
import { lockBalance } from '../ledger/balance.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { newId } from '../platform/identifiers.ts'
import { type CardProvider, ProviderError, type ProviderPayment } from '../platform/payments/provider.ts'
import { bookPayment } from './book-payment.ts'
import type { PaymentJobDependencies } from './dependencies.ts'
import { closeUnpaidPayment } from './settle-payment.ts'

/** Charges the card if a recharge is due. Resumes the payment of an interrupted run. */
export async function rechargeBalance(
  work: PaymentJobDependencies,
  { account_id }: { account_id: string },
): Promise<void> {
  const { db, clock, payments } = work
  if (payments.driver === 'manual') return
  const begun = await begin(db, account_id, clock.now())
  if (!begun || begun.provider !== payments.driver) return
  const state = await carryOut(payments, begun, clock.now())
  await (state ? bookPayment(work, begun.id, state) : closeUnpaidPayment(work, begun.id))
}

type Begun = NonNullable<Awaited<ReturnType<typeof readBegun>>>

/** The open recharge, or a new one if it is due. Locks the balance, like everything that makes a recharge due. */
function begin(db: Database, accountId: string, at: Date): Promise<Begun | undefined> {
  return inTransaction(db, async (tx) => {
    await lockBalance(tx, accountId)
    await sql`
      insert into payments (id, account_id, cause, provider, amount_micros, created_at)
      select ${newId('pay', at)}, account.id, 'recharge', 'stripe', account.auto_recharge_amount_micros, ${at}
      from ${dueForRecharge(at)} and account.id = ${accountId}`.execute(tx)
    return readBegun(tx, accountId)
  })
}

const readBegun = (db: Database, accountId: string) =>
  db
    .selectFrom('payments')
    .innerJoin('accounts', 'accounts.id', 'payments.account_id')
    .leftJoin('payment_customers', 'payment_customers.account_id', 'payments.account_id')
    .select(['payments.id', 'payments.provider', 'payments.amount_micros', 'payments.intent', 'payments.created_at'])
    .select(['payments.account_id', 'accounts.standing', 'accounts.auto_recharge_enabled'])
    .select(['payment_customers.customer', 'payment_customers.card'])
    .where('payments.account_id', '=', accountId)
    .where('payments.cause', '=', 'recharge')
    .where('payments.status', '=', 'started')
    .executeTakeFirst()

/** The result; null if the card was not charged and must no longer be charged. */
async function carryOut(payments: CardProvider, begun: Begun, at: Date): Promise<ProviderPayment | null> {
  const { id: paymentId, account_id: accountId, amount_micros: amountMicros, intent, customer, card } = begun
  if (intent) {
    // The run that started the payment died. If the card was declined, the payment would stay open, so cancel it.
    await payments.cancelPayment({ reference: null, intent })
    return payments.readPayment({ reference: null, intent })
  }
  const isWanted = begun.auto_recharge_enabled && begun.standing === 'good'
  if (!isWanted || !customer || !card) return findCharged(payments, begun, at)
  try {
    return await payments.chargeCard({ paymentId, accountId, customer, card, amountMicros })
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === 'refused')) throw error
    const nothing = { intent: null, amountMicros, refunds: [], disputes: [] }
    return { ...nothing, paymentId, status: 'failed', failure: 'other' }
  }
}

/** Finds the charge if an earlier run already made it, because the card must no longer be charged. */
async function findCharged(
  payments: CardProvider,
  { id, created_at }: Begun,
  at: Date,
): Promise<ProviderPayment | null> {
  const from = new Date(created_at.getTime() - clockSlackMs)
  for await (const payment of payments.listPayments({ from, until: new Date(at.getTime() + clockSlackMs) }))
    if (payment.paymentId === id) return payment
  return null
}

/** The maximum clock difference between the provider and us. */
const clockSlackMs = 600_000
