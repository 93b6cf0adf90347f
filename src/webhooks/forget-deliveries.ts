import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import { inBatches } from '../platform/in-batches.ts'
import { keptMs } from './rules.ts'

/** Deletes what is too old to be looked at, secrets that no longer sign, and deleted endpoints with all that was theirs. */
export async function forgetDeliveries(db: Database, at: Date): Promise<void> {
  const before = new Date(at.getTime() - keptMs)
  await db.deleteFrom('webhook_secrets').where('retires_at', '<=', at).execute()
  await inBatches(
    db,
    (batch) => sql`
      delete from deliveries where (webhook_id, event_id) in (
        select webhook_id, event_id from deliveries
        where created_at < ${before}
          and (status <> 'pending' or not exists (select from webhooks where id = webhook_id)) limit ${batch} for update skip locked
      )`,
  )
  await inBatches(
    db,
    (batch) => sql`
      delete from deliveries where (webhook_id, event_id) in (
        select deliveries.webhook_id, event_id from webhooks join deliveries on deliveries.webhook_id = webhooks.id
        where deleted_at is not null limit ${batch} for update of deliveries skip locked
      )`,
  )
  // An event that is being recorded may still add one: the row waits until a minute has passed without any.
  await sql`
    delete from webhooks where deleted_at < ${new Date(at.getTime() - 60_000)}
      and not exists (select from deliveries where webhook_id = webhooks.id)`.execute(db)
}
