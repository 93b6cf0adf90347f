import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import { permitMs } from './delivery/permit.ts'

const lookMs = 40

/**
 * Waits until no worker goes by what an endpoint was before its last change. A worker begins an attempt only within
 * `permitMs` after it asked for changes, so that even one that nobody hears of any more is waited for no longer.
 */
export async function untilWorkersKnow(db: Database, webhookId: string): Promise<void> {
  const start = performance.now()
  while (performance.now() - start < permitMs && (await isHeldAsItWas(db, webhookId))) await pause(lookMs)
}

/** By whoever holds a lane and has not heard of the change, or by whoever has just lost it and may not know that yet. */
async function isHeldAsItWas(db: Database, webhookId: string): Promise<boolean> {
  const { rows } = await sql`
    select from delivery_lanes lane join webhooks on webhooks.id = lane.webhook_id
    where lane.webhook_id = ${webhookId} and (
      holder is not null and changes_seen < changes
      or freed_at > pgboss.job_now() - interval '${sql.raw(String(permitMs))} ms'
    )`.execute(db)
  return rows.length > 0
}
