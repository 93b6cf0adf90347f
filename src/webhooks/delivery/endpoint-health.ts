import { sql } from 'kysely'
import { enqueue } from '../../jobs/enqueue.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { disabledAfterMs } from '../delivery-policy.ts'
import { isGone, isSuccess, isTimeout, type Reaction } from './attempts.ts'
import { type DeliveryEndpoint, resumeLanes } from './lanes.ts'

type Seen = { endpoint: DeliveryEndpoint; reaction: Reaction; isTest: boolean; at: Date }

/**
 * Tracks the endpoint's health in memory and in its row, which is written only on changes. Reactions are handled in
 * order, so that an older failure does not overwrite a newer success.
 */
export function noteReaction(db: Database, seen: Seen): Promise<void> {
  const noted = seen.endpoint.noted.then(() => note(db, seen))
  seen.endpoint.noted = noted.catch(() => {})
  return noted
}

async function note(db: Database, { endpoint, reaction, isTest, at }: Seen): Promise<void> {
  if (isSuccess(reaction)) {
    if (isTest && !endpoint.isProven) await noteProof(db, endpoint, at)
    return noteSuccess(db, endpoint, at)
  }
  const timeouts = isTimeout(reaction) ? endpoint.timeouts + 1 : 0
  // The database increments the count, because the other queue and other processes count too.
  if (endpoint.failingSince === null || timeouts !== endpoint.timeouts)
    await sql`
      update webhooks set failing_since = coalesce(failing_since, ${at}),
        timeouts = case when ${isTimeout(reaction)} then timeouts + 1 else 0 end
      where id = ${endpoint.id}`.execute(db)
  endpoint.failingSince ??= at
  endpoint.timeouts = timeouts
  const hasFailedLong = at.getTime() - endpoint.failingSince.getTime() >= disabledAfterMs
  const because = isGone(reaction) ? 'gone' : hasFailedLong ? 'failing' : null
  if (because && !endpoint.isDisabled) await disable(db, { endpoint, because, at })
}

/** From now on, the daily limit for unproven endpoints does not apply. What was held stays held until it is replayed. */
async function noteProof(db: Database, endpoint: DeliveryEndpoint, at: Date): Promise<void> {
  await sql`update webhooks set proven_at = ${at} where id = ${endpoint.id} and proven_at is null`.execute(db)
  endpoint.isProven = true
}

/**
 * One success, even of a test event, resets an endpoint, unless the attempt started before the endpoint was disabled.
 */
async function noteSuccess(db: Database, endpoint: DeliveryEndpoint, at: Date): Promise<void> {
  if (endpoint.failingSince === null && endpoint.timeouts === 0 && !endpoint.isDisabled) return
  const { numAffectedRows } = await sql`
    update webhooks set failing_since = null, timeouts = 0, disabled_at = null, disabled_because = null
    where id = ${endpoint.id} and (disabled_at is null or disabled_at <= ${at})`.execute(db)
  if (numAffectedRows !== 1n) return
  await resumeLanes(db, endpoint.id)
  endpoint.failingSince = null
  endpoint.timeouts = 0
  endpoint.isDisabled = false
}

type Disabled = { endpoint: DeliveryEndpoint; because: 'gone' | 'failing'; at: Date }

/** Disables the endpoint and holds its pending deliveries, so that nothing more is sent automatically. */
async function disable(db: Database, { endpoint, because, at }: Disabled): Promise<void> {
  const failedLong =
    because === 'failing' ? sql`and failing_since <= ${new Date(at.getTime() - disabledAfterMs)}` : sql``
  endpoint.isDisabled = await inTransaction(db, async (tx) => {
    // The row decides, because another process may have recorded a success.
    const { numAffectedRows } = await sql`
      update webhooks set disabled_at = ${at}, disabled_because = ${because}
      where id = ${endpoint.id} and disabled_at is null ${failedLong}`.execute(tx)
    if (numAffectedRows !== 1n) return false
    await sql`
      with waiting as (
        select event_id from deliveries where webhook_id = ${endpoint.id} and status = 'pending'
        order by event_id for no key update
      )
      update deliveries set status = 'held', due_at = null from waiting
      where deliveries.webhook_id = ${endpoint.id} and deliveries.event_id = waiting.event_id`.execute(tx)
    // A receiver responds with 410 on purpose, but the owner may not know that an endpoint is failing.
    if (because === 'failing') await enqueue(tx, 'tell-of-disabled-webhook', { webhook_id: endpoint.id })
    return true
  })
}

/**
 * After this many consecutive timeouts, sending pauses, because each timeout occupies a connection for its whole
 * duration.
 */
export const timeoutsToOpen = 3

const firstPauseMs = 30_000
const laterPauseMs = 120_000

/** Whether the endpoint has timed out so often in a row that it gets only one attempt at a time. */
export const isHalfOpen = (timeouts: number) => timeouts >= timeoutsToOpen

/**
 * How long the circuit stays open after a run in which the consecutive timeouts went from `before` to `now`. The pause
 * is shorter when the circuit first opens than after a failed trial.
 */
export function circuitPauseMs({ before, now }: { before: number; now: number }): number {
  if (now < timeoutsToOpen || now === before) return 0
  return isHalfOpen(before) ? laterPauseMs : firstPauseMs
}
