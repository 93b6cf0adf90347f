import type { KeyedCall } from '../platform/call.ts'
import { inTransaction, type Transaction } from '../platform/database.ts'
import { untilWorkersKnow } from './await-workers.ts'
import { webhookNotFound } from './webhook-record.ts'

/** Deletes an endpoint, for good. Once this is done no attempt begins any more; one that was on its way may still arrive. */
export async function deleteWebhook({ db, clock, caller }: KeyedCall, id: string): Promise<void> {
  await inTransaction(db, (tx) => endWebhook(tx, { id, accountId: caller.accountId, at: clock.now() }))
  await untilWorkersKnow(db, id)
}

type Ending = { id: string; accountId: string; at: Date }

/** The part that is a transaction. Whoever calls it then waits until the workers know. */
export async function endWebhook(tx: Transaction, { id, accountId, at }: Ending): Promise<void> {
  const deleted = await tx
    .updateTable('webhooks')
    .set((row) => ({ deleted_at: at, changes: row('changes', '+', 1) }))
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (deleted.numUpdatedRows !== 1n) throw webhookNotFound()
  await tx.deleteFrom('webhook_secrets').where('webhook_id', '=', id).execute()
  // One after the other, in the order in which all lock them.
  for (const queue of ['first', 'again'] as const)
    await tx
      .updateTable('delivery_lanes')
      .set({ due_at: null })
      .where('webhook_id', '=', id)
      .where('queue', '=', queue)
      .execute()
}
