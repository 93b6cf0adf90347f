import { sql } from 'kysely'
import { z } from 'zod'
import type { KeyedCall } from '../contract/call.ts'
import { timestamp } from '../contract/fields.ts'
import { invalidField } from '../contract/problems/validation-errors.ts'
import { inTransaction, type Transaction } from '../platform/database/database.ts'
import { firstIdAt, timeOfId } from '../platform/identifiers.ts'
import { wakeLane } from './delivery/lanes.ts'
import { maxReplayed } from './delivery-policy.ts'
import { takeDeliveries } from './unproven-deliveries.ts'
import { assertOwnWebhook, webhookEventId } from './webhook-record.ts'

type Which = { event_id: string } | { since: string; until: string }
type Replayed = { queued: number; next_since: string | null }

/**
 * Queues deliveries again, whatever their result; pending ones do not change. They join the queue of retries, so that a
 * new event does not wait behind a thousand old ones. The call counts as one delivery of the daily allowance; a range
 * takes the others.
 */
export function replay(call: KeyedCall, id: string, which: Which): Promise<Replayed> {
  const at = call.clock.now()
  const { accountId } = call.caller
  return inTransaction(call.db, async (tx) => {
    await assertOwnWebhook(tx, accountId, id)
    // The deliveries are locked first, in both cases, which prevents deadlocks.
    const take = async (wanted: number) => {
      const allowed = await takeDeliveries(tx, { id, accountId, what: 'replay', wanted, at })
      return 1 + (await call.takeMoreUses(tx, allowed - 1))
    }
    const replayed =
      'event_id' in which
        ? await replayOne(tx, { id, accountId, eventId: which.event_id, at, take })
        : await replayRange(tx, { id, since: new Date(which.since), until: new Date(which.until), at, take })
    if (replayed.queued > 0) await wakeLane(tx, { webhookId: id, queue: 'again', at })
    return replayed
  })
}

/** Takes up to this many uses of the daily limits, and returns how many were left. */
type Take = (wanted: number) => Promise<number>

type One = { id: string; accountId: string; eventId: string; at: Date; take: Take }

/**
 * Replays any event in the account's log, even from before the endpoint existed, or any event that was sent to the
 * endpoint.
 */
async function replayOne(tx: Transaction, { id, accountId, eventId, at, take }: One): Promise<Replayed> {
  const { rows } = await sql<{ known: boolean; queued: number }>`
    with wanted as (
      select id as event_id, type, at from events where id = ${eventId} and account_id = ${accountId}
      union
      select event_id, type, created_at from deliveries where webhook_id = ${id} and event_id = ${eventId}
    ), queued as (
      insert into deliveries (webhook_id, event_id, type, status, queue, due_at, created_at)
      select ${id}, event_id, type, 'pending', 'again', ${at}, at from wanted
      on conflict (webhook_id, event_id)
        do update set status = 'pending', queue = 'again', tries = 0, due_at = excluded.due_at
        where deliveries.status <> 'pending'
      returning event_id
    )
    select exists (select from wanted) as known, (select count(*) from queued) as queued`.execute(tx)
  if (!rows[0]?.known) throw invalidField('event_id', 'must be the id of one of your events')
  if (rows[0].queued > 0) await take(rows[0].queued)
  return { queued: rows[0].queued, next_since: null }
}

type Range = { id: string; since: Date; until: Date; at: Date; take: Take }

async function replayRange(tx: Transaction, { id, since, until, at, take }: Range): Promise<Replayed> {
  const { rows } = await sql<{ event_id: string }>`
    select event_id from deliveries
    where webhook_id = ${id} and event_id >= ${firstIdAt('evt', since)} and event_id < ${firstIdAt('evt', until)}
      and status <> 'pending'
    order by event_id limit ${sql.lit(maxReplayed + 1)} for no key update`.execute(tx)
  if (rows.length === 0) return { queued: 0, next_since: null }
  const granted = await take(Math.min(rows.length, maxReplayed))
  const chosen = rows.slice(0, granted).map(({ event_id }) => event_id)
  await sql`
    update deliveries set status = 'pending', queue = 'again', tries = 0, due_at = ${at}
    where webhook_id = ${id} and event_id = any(${chosen}::text[])`.execute(tx)
  const next = rows[granted]
  return { queued: chosen.length, next_since: next ? timeOfId(next.event_id).toISOString() : null }
}

/** One event or a time range. */
export const replayBody = z
  .strictObject({
    event_id: webhookEventId.optional().meta({ description: 'Replay one event. Omit since and until.' }),
    since: timestamp.optional().meta({ description: 'Start of the time range, inclusive.' }),
    until: timestamp.optional().meta({ description: 'End of the time range, exclusive.' }),
  })
  .check((context) => {
    const { event_id, since, until } = context.value
    const refuse = (member: string, message: string) =>
      context.issues.push({ code: 'custom', path: [member], message, input: context.value })
    if (event_id !== undefined) {
      if (since !== undefined) refuse('since', 'must be omitted when event_id is given')
      if (until !== undefined) refuse('until', 'must be omitted when event_id is given')
      return
    }
    if (since === undefined) refuse('since', 'is required with until, unless event_id is given')
    if (until === undefined) refuse('until', 'is required with since, unless event_id is given')
    if (since !== undefined && until !== undefined && Date.parse(until) <= Date.parse(since))
      refuse('until', 'must be after since')
  })
  .transform(({ event_id, since, until }) =>
    event_id === undefined ? { since: String(since), until: String(until) } : { event_id },
  )
