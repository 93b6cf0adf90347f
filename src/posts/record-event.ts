import { sql } from 'kysely'
import type { EventType } from '../contract/events.ts'
import type { Transaction } from '../platform/database.ts'
import { newId } from '../platform/identifiers.ts'

export type NewEvent = { type: EventType; accountId: string; postId: string; data: object; at: Date }

/**
 * Adds to the account's log, at the next position. The counter stays locked until the commit, so nobody ever reads a
 * position and later finds an earlier one filled.
 */
export async function recordEvent(tx: Transaction, { type, accountId, postId, data, at }: NewEvent): Promise<void> {
  await sql`
    with next as (
      insert into event_positions (account_id, last) values (${accountId}, 1)
      on conflict (account_id) do update set last = event_positions.last + 1
      returning last
    )
    insert into events (id, account_id, position, type, post_id, data, at)
    select ${newId('evt', at)}, ${accountId}, last, ${type}, ${postId}, ${JSON.stringify(data)}::jsonb, ${at} from next`.execute(
    tx,
  )
}
