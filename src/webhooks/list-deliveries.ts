import type { Caller } from '../platform/call.ts'
import type { Database } from '../platform/database.ts'
import type { AttemptRecord } from './delivery/attempt-outcome.ts'
import { assertOwnWebhook } from './webhook-record.ts'

type Query = {
  cursor?: string | undefined
  limit: number
  status?: 'pending' | 'delivered' | 'failed' | 'held' | undefined
}

/** Whoever asks: an agent by its key, or the owner. */
type Asking = { db: Database; caller: Pick<Caller, 'accountId'> }

/** What was and will be sent to an endpoint, the newest event first. Identifiers sort by time, so the last one is the cursor. */
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
