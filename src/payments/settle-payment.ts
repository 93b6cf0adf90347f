import type { JobPayload } from '../jobs/jobs.ts'
import type { Database } from '../platform/database/database.ts'
import type { CardProvider, ProviderPayment } from '../platform/payments/provider.ts'
import { bookPayment } from './book-payment.ts'
import type { PaymentDependencies, PaymentJobDependencies } from './dependencies.ts'

type Row = {
  id: string
  provider: string
  status: string
  cause: string
  reference: string | null
  intent: string | null
  created_at: Date
}

/** The provider's payment pages expire after a day. */
const pageLifeMs = 25 * 3_600_000

/** Reads a payment from the provider and books the missing transfers. It can run repeatedly, late or out of order. */
export async function settlePayment(work: PaymentJobDependencies, heard: JobPayload<'settle-payment'>): Promise<void> {
  const { payments, logger } = work
  if (payments.driver === 'manual') return
  const found = await find(work.db, payments, heard)
  if (!found) {
    logger.warn({ payment_id: heard.payment_id, intent: heard.intent }, 'unknown payment reported by provider')
    return
  }
  const { row, intent } = found
  if (row.provider !== payments.driver) return
  const names = { reference: row.reference, intent: row.intent ?? intent }
  if (names.reference === null && names.intent === null) return giveUpUnseen(work, row)
  const state = found.state ?? (await payments.readPayment(names))
  if (state?.paymentId !== row.id) {
    logger.error({ payment_id: row.id, ...names }, 'payment unknown to the provider')
    return
  }
  await bookPayment(work, row.id, state)
}

type Found = { row: Row; intent: string | null; state?: ProviderPayment }

async function find(
  db: Database,
  payments: CardProvider,
  { payment_id, intent }: JobPayload<'settle-payment'>,
): Promise<Found | undefined> {
  const named = payment_id ? await readRow(db, 'id', payment_id) : undefined
  const row = named ?? (intent ? await readRow(db, 'intent', intent) : undefined)
  if (row) return { row, intent }
  if (!intent) return undefined
  const state = await payments.readPayment({ reference: null, intent })
  const ours = state?.paymentId ? await readRow(db, 'id', state.paymentId) : undefined
  return state && ours ? { row: ours, intent, state } : undefined
}

const readRow = (db: Database, column: 'id' | 'intent', value: string): Promise<Row | undefined> =>
  db
    .selectFrom('payments')
    .select(['id', 'provider', 'status', 'cause', 'reference', 'intent', 'created_at'])
    .where(column, '=', value)
    .executeTakeFirst()

/** Cancels a top-up whose page was never shown, because its process died. A recharge is resumed by its job. */
async function giveUpUnseen(work: PaymentJobDependencies, { id, cause, created_at }: Row): Promise<void> {
  const ageMs = work.clock.now().getTime() - created_at.getTime()
  if (cause === 'top_up' && ageMs >= pageLifeMs) await closeUnpaidPayment(work, id)
}

/** Cancels a payment that is no longer expected. If money still arrives, it is booked as usual. */
export async function closeUnpaidPayment(
  { db, clock }: Pick<PaymentDependencies, 'db' | 'clock'>,
  paymentId: string,
): Promise<void> {
  await db
    .updateTable('payments')
    .set({ status: 'cancelled', settled_at: clock.now() })
    .where('id', '=', paymentId)
    .where('status', '=', 'started')
    .execute()
}
