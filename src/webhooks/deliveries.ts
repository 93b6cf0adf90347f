import { sql } from 'kysely'
import type { Caller } from '../contract/call.ts'
import { expiryCutoff, type PurgedName } from '../contract/retention/periods.ts'
import type { Database } from '../platform/database/database.ts'
import { inBatches, type Purge } from '../platform/repeat.ts'
import type { AttemptRecord } from './delivery/attempts.ts'
import { assertOwnWebhook } from './webhook-record.ts'

type Query = {
  cursor?: string | undefined
  limit: number
  status?: 'pending' | 'delivered' | 'failed' | 'held' | undefined
}

/** The caller: an agent with its key, or the owner. */
type Asking = { db: Database; caller: Pick<Caller, 'accountId'> }

/**
 * Past and future deliveries to an endpoint, newest event first. Identifiers sort by time, so the last one is the
 * cursor.
 */
export async function listDeliveries({ db, caller }: Asking, id: string, { cursor, limit, status }: Query) {
  await assertOwnWebhook(db, caller.accountId, id)
  const rows = await db
    .selectFrom('deliveries')
    .select(['event_id', 'type', 'status', 'created_at', 'due_at', 'attempts'])
    .where('webhook_id', '=', id)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'pending'))
    .$if(cursor !== undefined, (query) => query.where('event_id', '<', cursor ?? ''))
    .orderBy('event_id', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  return {
    data: shown.map(({ event_id, type, status: state, created_at, due_at, attempts }) => ({
      event_id,
      type: type as 'webhook.test',
      status: state,
      created_at: created_at.toISOString(),
      next_attempt_at: due_at?.toISOString() ?? null,
      attempts: attempts as AttemptRecord[],
    })),
    next_cursor: rows.length > limit ? (shown.at(-1)?.event_id ?? null) : null,
  }
}

/** What expires of webhooks. A deleted endpoint goes with its data, so deliveries come before endpoints. */
export const webhookPurges = {
  'webhook-secrets': async (db, at) => {
    const { numDeletedRows } = await db
      .deleteFrom('webhook_secrets')
      .where('retires_at', '<=', expiryCutoff('webhook-secrets', at))
      .executeTakeFirst()
    return Number(numDeletedRows)
  },
  deliveries: async (db, at) => (await deleteOldDeliveries(db, at)) + (await deleteDeliveriesOfDeleted(db)),
  'deleted-webhooks': async (db, at) => {
    const { numAffectedRows } = await sql`
      delete from webhooks where deleted_at < ${expiryCutoff('deleted-webhooks', at)}
        and not exists (select from deliveries where webhook_id = webhooks.id)`.execute(db)
    return Number(numAffectedRows ?? 0n)
  },
} satisfies Partial<Record<PurgedName, Purge>>

const deleteOldDeliveries: Purge = (db, at) =>
  inBatches(
    db,
    (batch) => sql`
      delete from deliveries where (webhook_id, event_id) in (
        select webhook_id, event_id from deliveries
        where created_at < ${expiryCutoff('deliveries', at)}
          and (status <> 'pending' or not exists (select from webhooks where id = webhook_id)) limit ${batch} for update skip locked
      )`,
  )

const deleteDeliveriesOfDeleted = (db: Database) =>
  inBatches(
    db,
    (batch) => sql`
      delete from deliveries where (webhook_id, event_id) in (
        select deliveries.webhook_id, event_id from webhooks join deliveries on deliveries.webhook_id = webhooks.id
        where deleted_at is not null limit ${batch} for update of deliveries skip locked
      )`,
  )
