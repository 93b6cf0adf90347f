import { setTimeout as pause } from 'node:timers/promises'
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

async function isHeldAsItWas(db: Database, webhookId: string): Promise<boolean> {
  const held = await db
    .selectFrom('delivery_lanes')
    .innerJoin('webhooks', 'webhooks.id', 'delivery_lanes.webhook_id')
    .select('queue')
    .where('webhook_id', '=', webhookId)
    .where('holder', 'is not', null)
    .whereRef('changes_seen', '<', 'changes')
    .executeTakeFirst()
  return held !== undefined
}
