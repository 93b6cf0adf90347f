import { testEvent } from '../contract/events.ts'
import type { KeyedCall } from '../platform/call.ts'
import { inTransaction } from '../platform/database.ts'
import { newId } from '../platform/identifiers.ts'
import { wakeLane } from './wake-lane.ts'
import { assertOwnWebhook } from './webhook-record.ts'

/** Queues a signed test event for one endpoint, also for one that is disabled: success enables it again. */
export async function testWebhook({ db, clock, caller }: KeyedCall, id: string): Promise<string> {
  const at = clock.now()
  const eventId = newId('evt', at)
  await inTransaction(db, async (tx) => {
    await assertOwnWebhook(tx, caller.accountId, id)
    await tx
      .insertInto('deliveries')
      .values({
        webhook_id: id,
        event_id: eventId,
        type: testEvent.type,
        status: 'pending',
        queue: 'first',
        due_at: at,
        created_at: at,
      })
      .execute()
    await wakeLane(tx, { webhookId: id, queue: 'first', at })
  })
  return eventId
}
