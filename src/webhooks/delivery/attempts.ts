import { sql } from 'kysely'
import { testEvent } from '../../contract/events.ts'
import type { Database } from '../../platform/database/database.ts'
import { openCounter, openHistogram } from '../../platform/observability/instruments.ts'
import type { Channel } from '../../platform/outbound-http/open-outbound.ts'
import { OutboundError, type OutboundErrorKind } from '../../platform/outbound-http/outbound-error.ts'
import { attemptDelaysSeconds, jitterShare, longestRetryAfterSeconds, maxResponseBytes } from '../delivery-policy.ts'
import { sign } from '../secrets.ts'
import type { DeliveryEndpoint, DeliveryLane, Due } from './lanes.ts'

/** Why an attempt got no response. The codes are stored and shown, and contain nothing that a receiver sent. */
export const attemptErrorCodes = [
  'bad_url',
  'address_refused',
  'name_not_resolved',
  'connection_failed',
  'tls_failed',
  'connection_broken',
  'timeout',
  'malformed_response',
] as const satisfies readonly Exclude<OutboundErrorKind, 'withdrawn'>[]

export type AttemptErrorCode = (typeof attemptErrorCodes)[number]
export type AttemptRecord = {
  at: string
  status_code: number | null
  duration_ms: number
  error: AttemptErrorCode | null
}

/** The result of one attempt. */
export type Reaction = { status: number; retryAfterSeconds: number | null } | { fault: AttemptErrorCode }

export const isSuccess = (reaction: Reaction) => 'status' in reaction && reaction.status >= 200 && reaction.status < 300
export const isGone = (reaction: Reaction) => 'status' in reaction && reaction.status === 410
export const isTimeout = (reaction: Reaction) => 'fault' in reaction && reaction.fault === 'timeout'

/** The seconds in a Retry-After header, which may be a date; null if it is missing, invalid or too long. */
export function readRetryAfter(header: string | null, at: Date): number | null {
  if (header === null) return null
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - at.getTime()) / 1_000
  return seconds >= 0 && seconds <= longestRetryAfterSeconds ? Math.ceil(seconds) : null
}

type Failed = { tries: number; reaction: Reaction; at: Date; random: () => number }

/** When to retry after this many attempts, including the failed one; null if no attempt is left. */
export function nextAttemptAt({ tries, reaction, at, random }: Failed): Date | null {
  const delay = attemptDelaysSeconds[tries]
  if (delay === undefined) return null
  const asked = 'status' in reaction ? (reaction.retryAfterSeconds ?? 0) : 0
  const jittered = delay * (1 + jitterShare * (2 * random() - 1))
  return new Date(at.getTime() + Math.round(Math.max(jittered, asked) * 1_000))
}

/** How long to pause the whole endpoint: a receiver that responds with 429 or 503 is busy for all of its deliveries. */
export function pauseAskedFor(reaction: Reaction): number {
  if (!('status' in reaction) || (reaction.status !== 429 && reaction.status !== 503)) return 0
  return (reaction.retryAfterSeconds ?? 0) * 1_000
}

type Attempt = {
  channel: Channel
  endpoint: DeliveryEndpoint
  keys: readonly Buffer[]
  due: Due
  at: Date
  timeoutMs: number
  signal: AbortSignal
}

/** Signs a delivery and sends it once; undefined if it was cancelled before anything was sent. */
export async function makeAttempt({
  channel,
  endpoint,
  keys,
  due,
  at,
  timeoutMs,
  signal,
}: Attempt): Promise<Reaction | undefined> {
  const body = bodyOf(endpoint, due)
  try {
    const { status, retryAfter } = await channel.post({
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Broadside-Webhooks/1',
        ...sign(keys, { eventId: due.event_id, at, body }),
      },
      timeoutMs,
      maxBytes: maxResponseBytes,
      signal,
    })
    return { status, retryAfterSeconds: readRetryAfter(retryAfter, at) }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return error.kind === 'withdrawn' ? undefined : { fault: error.kind }
  }
}

/** The same bytes on every attempt: the event as in the event log, without its id, which is sent as a header. */
function bodyOf(endpoint: DeliveryEndpoint, { type, created_at, data }: Due): Buffer {
  const said = type === testEvent.type ? { endpoint_id: endpoint.id } : data
  return Buffer.from(JSON.stringify({ type, timestamp: created_at.toISOString(), data: said }))
}

/** A delivery stores the attempts of at most two full retry schedules. */
const keptAttempts = 2 * attemptDelaysSeconds.length

export type Recorded = {
  webhook_id: string
  event_id: string
  /** The number of attempts before this one. */
  tries: number
  status: 'pending' | 'delivered' | 'failed' | 'held'
  due_at: string | null
  attempt: AttemptRecord
}

/**
 * Records the results of attempts. If a worker presumed dead repeats an attempt, only one is recorded. A delivery stays
 * held if its endpoint was disabled meanwhile. Rows are locked in the same order everywhere, which prevents deadlocks.
 */
export async function recordAttempts(db: Database, attempts: readonly Recorded[]): Promise<void> {
  await sql`
    with given as (
      select distinct on (webhook_id, event_id) * from jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb) as outcome(
        webhook_id text, event_id text, tries smallint, status text, due_at timestamptz, attempt jsonb
      )
      order by webhook_id, event_id, status = 'delivered' desc
    ), chosen as (
      select deliveries.webhook_id, deliveries.event_id from deliveries join given using (webhook_id, event_id)
      where deliveries.tries = given.tries and deliveries.status <> 'delivered'
      order by deliveries.webhook_id, deliveries.event_id for no key update of deliveries
    ), recorded as (
      update deliveries set queue = 'again', tries = given.tries + 1,
        status = case when deliveries.status = 'held' and given.status = 'pending' then 'held' else given.status end::delivery_status,
        due_at = case when deliveries.status <> 'held' then given.due_at end,
        attempts = case when jsonb_array_length(attempts) < ${sql.lit(keptAttempts)} then attempts else attempts - 0 end
          || given.attempt
      from chosen join given using (webhook_id, event_id)
      where deliveries.webhook_id = chosen.webhook_id and deliveries.event_id = chosen.event_id
      returning deliveries.webhook_id, deliveries.due_at
    ), later as (
      select webhook_id, min(due_at) as soonest from recorded where due_at is not null group by webhook_id
    ), locked as (
      select webhook_id from delivery_lanes
      where queue = 'again' and webhook_id in (select webhook_id from later)
      order by webhook_id for no key update
    )
    update delivery_lanes lane set due_at = least(lane.due_at, later.soonest)
    from locked join later using (webhook_id)
    where lane.webhook_id = locked.webhook_id and lane.queue = 'again'`.execute(db)
}

export type AttemptObserver = (attempted: Attempted) => void

/** Counts and times attempts. URLs are not used as labels: there may be a million, and they are user data. */
export function attemptObserver(): AttemptObserver {
  const attempts = openCounter('webhooks.attempts')
  const seconds = openHistogram('webhooks.attempt.seconds')
  const lag = openHistogram('webhooks.first_attempt.lag.seconds')
  return ({ lane, due, reaction, at, durationMs }) => {
    attempts.add(1, { queue: lane.queue, result: resultOf(reaction) })
    seconds.record(durationMs / 1_000, { queue: lane.queue })
    if (lane.queue === 'first') lag.record((at.getTime() - due.created_at.getTime()) / 1_000)
  }
}

function resultOf(reaction: Reaction): string {
  if ('fault' in reaction) return reaction.fault
  return isSuccess(reaction) ? 'delivered' : `${Math.floor(reaction.status / 100)}xx`
}

export type Attempted = { lane: DeliveryLane; due: Due; reaction: Reaction; at: Date; durationMs: number }
