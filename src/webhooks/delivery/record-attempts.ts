import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import type { AttemptRecord } from './attempt-outcome.ts'

/** More attempts than two rounds make are not kept of one delivery. */
const keptAttempts = 16

export type Recorded = {
  webhook_id: string
  event_id: string
  /** Before this attempt. */
  tries: number
  status: 'pending' | 'delivered' | 'failed' | 'held'
  due_at: string | null
  attempt: AttemptRecord
}

/**
 * Writes down what came of attempts. One that was made twice, by a worker that was taken for dead, is written down once;
 * what was held meanwhile, because its endpoint was disabled, stays so. Rows are locked in their order, as by all who lock
 * several.
 */
export async function recordAttempts(db: Database, attempts: readonly Recorded[]): Promise<void> {
  await sql`
    with given as (
      select distinct on (webhook_id, event_id) * from jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb) as outcome(
        webhook_id text, event_id text, tries smallint, status text, due_at timestamptz, attempt jsonb
      )
      order by webhook_id, event_id, status = 'delivered' desc
    ), chosen as (
      select deliveries.webhook_id, deliveries.event_id from deliveries join given using (webhook_id, event_id)
      where deliveries.tries = given.tries and deliveries.status <> 'delivered'
      order by deliveries.webhook_id, deliveries.event_id for no key update of deliveries
    ), recorded as (
      update deliveries set queue = 'again', tries = given.tries + 1,
        status = case when deliveries.status = 'held' and given.status = 'pending' then 'held' else given.status end::delivery_status,
        due_at = case when deliveries.status <> 'held' then given.due_at end,
        attempts = case when jsonb_array_length(attempts) < ${sql.lit(keptAttempts)} then attempts else attempts - 0 end
          || given.attempt
      from chosen join given using (webhook_id, event_id)
      where deliveries.webhook_id = chosen.webhook_id and deliveries.event_id = chosen.event_id
      returning deliveries.webhook_id, deliveries.due_at
    ), later as (
      select webhook_id, min(due_at) as soonest from recorded where due_at is not null group by webhook_id
    ), locked as (
      select webhook_id from delivery_lanes
      where queue = 'again' and webhook_id in (select webhook_id from later)
      order by webhook_id for no key update
    )
    update delivery_lanes lane set due_at = least(lane.due_at, later.soonest)
    from locked join later using (webhook_id)
    where lane.webhook_id = locked.webhook_id and lane.queue = 'again'`.execute(db)
}
