import { sql } from 'kysely'
import { enqueue } from '../jobs/enqueue.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import type { ProviderEvent } from '../platform/payments/provider.ts'
import { inBatches } from '../platform/repeat.ts'

/** The provider retries an event for three days and lists it for 30. */
const keptMs = 30 * 86_400_000

/** Stores the provider's event and enqueues its processing. A repeated event is ignored. */
export function receiveEvent(db: Database, { id, type, about }: ProviderEvent, at: Date): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('provider_events')
      .values({ id, type, received_at: at })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n || about === null) return
    if ('cardOf' in about) return askForCard(tx, about.cardOf.customer)
    const { paymentId, intent } = about.payment
    const once = `settle:${paymentId}:${intent}`
    await enqueue(tx, 'settle-payment', { payment_id: paymentId, intent }, { once })
  })
}

async function askForCard(tx: Transaction, customer: string): Promise<void> {
  const row = await tx
    .selectFrom('payment_customers')
    .select('account_id')
    .where('customer', '=', customer)
    .executeTakeFirst()
  if (row) await enqueue(tx, 'read-card', { account_id: row.account_id }, { once: `card:${row.account_id}` })
}

export function deleteExpiredProviderEvents(db: Database, at: Date): Promise<void> {
  return inBatches(
    db,
    (batch) => sql`
      delete from provider_events where id in (
        select id from provider_events where received_at < ${new Date(at.getTime() - keptMs)} limit ${batch}
        for update skip locked
      )`,
  )
}
