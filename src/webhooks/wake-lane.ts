import { sql } from 'kysely'
import type { Transaction } from '../platform/database.ts'

/** Says that something in the lane is due. To be called after the delivery was written, in the same transaction. */
export async function wakeLane(
  tx: Transaction,
  { webhookId, queue, at }: { webhookId: string; queue: 'first' | 'again'; at: Date },
): Promise<void> {
  await tx
    .updateTable('delivery_lanes')
    .set({ due_at: sql<Date>`least(due_at, ${at})` })
    .where('webhook_id', '=', webhookId)
    .where('queue', '=', queue)
    .execute()
}
