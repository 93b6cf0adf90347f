import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import type { Queue } from './lane.ts'

export type Released = {
  webhook_id: string
  queue: Queue
  holder: string
  /** Not before this, whatever is due. */
  paused_until: Date | null
}

/**
 * Gives lanes back, each due when its next delivery is; nothing of a deleted endpoint ever is. A delivery that is written
 * meanwhile says so in the lane itself: the two are put together under the lane's lock, so that neither is lost.
 */
export async function releaseLanes(db: Database, lanes: readonly Released[]): Promise<void> {
  await sql`
    with released as (
      select webhook_id, queue, holder, paused_until, (
        select due_at from deliveries
        where webhook_id = given.webhook_id and queue = given.queue and status = 'pending'
          and exists (select from webhooks where id = given.webhook_id and deleted_at is null)
        order by queue, due_at limit 1
      ) as next
      from jsonb_to_recordset(${JSON.stringify(lanes)}::jsonb) as given(
        webhook_id text, queue delivery_queue, holder uuid, paused_until timestamptz
      )
    ), locked as (
      select lane.webhook_id, lane.queue from delivery_lanes lane
      join released on released.webhook_id = lane.webhook_id and released.queue = lane.queue
        and released.holder = lane.holder
      order by lane.webhook_id, lane.queue for no key update of lane
    )
    update delivery_lanes lane set holder = null, due_at = least(lane.due_at, released.next),
      paused_until = greatest(lane.paused_until, released.paused_until)
    from locked join released on released.webhook_id = locked.webhook_id and released.queue = locked.queue
    where lane.webhook_id = locked.webhook_id and lane.queue = locked.queue`.execute(db)
}

/** The circuit of an endpoint opens for both of its queues. */
export const pauseLanes = (db: Database, webhookId: string, until: Date) =>
  setPause(db, webhookId, sql`greatest(paused_until, ${until}::timestamptz)`)

export const resumeLanes = (db: Database, webhookId: string) => setPause(db, webhookId, sql`null`)

/** One lane after the other, so that no two locks are held. */
async function setPause(db: Database, webhookId: string, pausedUntil: RawBuilder<unknown>): Promise<void> {
  for (const queue of ['first', 'again'] as const)
    await sql`
      update delivery_lanes set paused_until = ${pausedUntil} where webhook_id = ${webhookId} and queue = ${queue}`.execute(
      db,
    )
}
