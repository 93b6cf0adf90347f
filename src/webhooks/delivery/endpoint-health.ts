import { sql } from 'kysely'
import { enqueue } from '../../jobs/enqueue.ts'
import { type Database, inTransaction } from '../../platform/database.ts'
import { disabledAfterMs } from '../rules.ts'
import { isGone, isSuccess, isTimeout, type Reaction } from './attempt-outcome.ts'
import type { Endpoint } from './lane.ts'
import { resumeLanes } from './release-lanes.ts'

type Seen = { endpoint: Endpoint; reaction: Reaction; at: Date }

/**
 * Keeps what is known of the endpoint, here and in its row, which is written only where something changes. One reaction
 * after the other: an older failure must not be written over a newer success.
 */
export function noteReaction(db: Database, seen: Seen): Promise<void> {
  const noted = seen.endpoint.noted.then(() => note(db, seen))
  seen.endpoint.noted = noted.catch(() => {})
  return noted
}

async function note(db: Database, { endpoint, reaction, at }: Seen): Promise<void> {
  if (isSuccess(reaction)) return noteSuccess(db, endpoint)
  const timeouts = isTimeout(reaction) ? endpoint.timeouts + 1 : 0
  const isNew = endpoint.failingSince === null || timeouts !== endpoint.timeouts
  endpoint.failingSince ??= at
  endpoint.timeouts = timeouts
  // Counted by the database: other processes count too.
  if (isNew)
    await sql`
      update webhooks set failing_since = coalesce(failing_since, ${endpoint.failingSince}),
        timeouts = case when ${isTimeout(reaction)} then timeouts + 1 else 0 end
      where id = ${endpoint.id}`.execute(db)
  const hasFailedLong = at.getTime() - endpoint.failingSince.getTime() >= disabledAfterMs
  const because = isGone(reaction) ? 'gone' : hasFailedLong ? 'failing' : null
  if (because && !endpoint.isDisabled) await disable(db, { endpoint, because, at })
}

/** One success, be it of a test, makes an endpoint whole again. */
async function noteSuccess(db: Database, endpoint: Endpoint): Promise<void> {
  if (endpoint.failingSince === null && endpoint.timeouts === 0 && !endpoint.isDisabled) return
  endpoint.failingSince = null
  endpoint.timeouts = 0
  endpoint.isDisabled = false
  await sql`
    update webhooks set failing_since = null, timeouts = 0, disabled_at = null, disabled_because = null
    where id = ${endpoint.id}`.execute(db)
  await resumeLanes(db, endpoint.id)
}

type Disabled = { endpoint: Endpoint; because: 'gone' | 'failing'; at: Date }

/** Nothing more is sent by itself. What waits is held: an endpoint gathers a day of it at most, since the rest has failed. */
async function disable(db: Database, { endpoint, because, at }: Disabled): Promise<void> {
  await inTransaction(db, async (tx) => {
    const changed = await tx
      .updateTable('webhooks')
      .set({ disabled_at: at, disabled_because: because })
      .where('id', '=', endpoint.id)
      .where('disabled_at', 'is', null)
      .executeTakeFirst()
    if (changed.numUpdatedRows !== 1n) return
    await tx
      .updateTable('deliveries')
      .set({ status: 'held', due_at: null })
      .where('webhook_id', '=', endpoint.id)
      .where('status', '=', 'pending')
      .execute()
    // Whoever turns an endpoint off by 410 knows; of one that only failed its owner may not.
    if (because === 'failing') await enqueue(tx, 'tell-of-disabled-webhook', { webhook_id: endpoint.id })
  })
  endpoint.isDisabled = true
}
