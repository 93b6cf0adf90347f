import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database/database.ts'
import type { Sealed } from '../../platform/sealing.ts'

export type LaneQueue = 'first' | 'again'

/** One delivery that is due. `data` comes from the event; a test event has none. */
export type Due = { event_id: string; type: string; tries: number; created_at: Date; data: unknown }

/** An endpoint as it was when its lane was claimed, updated with the results of this process's attempts. */
export type DeliveryEndpoint = {
  id: string
  url: string
  host: string
  /** Newest first. */
  secrets: (Sealed & { number: number })[]
  isDisabled: boolean
  /** It has answered a test event with 2xx. */
  isProven: boolean
  failingSince: Date | null
  timeouts: number
  /** Resolves when the endpoint's last reaction is recorded. */
  noted: Promise<void>
}

/** The deliveries of one endpoint in one queue, claimed by this process under the worker id `holder`. */
export type DeliveryLane = { queue: LaneQueue; holder: string; endpoint: DeliveryEndpoint; due: Due[] }

/** The maximum number of deliveries in one run of a lane. If more are due, the lane is due again. */
const duePerLane = 64

type Wanted = { queue: LaneQueue; holder: string; count: number; at: Date }

/**
 * Claims ready lanes, longest waiting first, and reads their due deliveries. No other process can claim these lanes
 * until they are released.
 */
export async function takeLanes(db: Database, wanted: Wanted): Promise<DeliveryLane[]> {
  const ids = await claim(db, wanted)
  if (ids.length === 0) return []
  const { queue, holder } = wanted
  // Read after the claim, because the claim may have seen a state that has changed since.
  const reading = Promise.all([readEndpoints(db, ids, wanted.at), readDue(db, ids, wanted)])
  const [endpoints, due] = await reading.catch((error) => {
    throw new UnreadableLanes(ids, error)
  })
  return endpoints.map((endpoint) => ({ queue, holder, endpoint, due: due.get(endpoint.id) ?? [] }))
}

/** The lanes were claimed but could not be read, and must be released. */
export class UnreadableLanes extends Error {
  readonly ids: readonly string[]

  constructor(ids: readonly string[], cause: unknown) {
    super('claimed lanes could not be read', { cause })
    this.ids = ids
  }
}

async function claim(db: Database, { queue, holder, count, at }: Wanted): Promise<string[]> {
  const { rows } = await sql<{ webhook_id: string }>`
    with ready as (
      select webhook_id from delivery_lanes
      where queue = ${queue} and holder is null and ready_at <= ${at}
      order by ready_at limit ${count} for update skip locked
    )
    update delivery_lanes lane set holder = ${holder}, due_at = null, changes_seen = webhooks.changes
    from ready, webhooks
    where lane.webhook_id = ready.webhook_id and lane.queue = ${queue} and webhooks.id = ready.webhook_id
      and exists (select from delivery_workers where id = ${holder})
    returning lane.webhook_id`.execute(db)
  return rows.map(({ webhook_id }) => webhook_id)
}

type EndpointRow = {
  id: string
  url: string
  is_disabled: boolean
  is_proven: boolean
  failing_since: Date | null
  timeouts: number
  secrets: { number: number; key_id: string; sealed: string }[] | null
}

async function readEndpoints(db: Database, ids: readonly string[], at: Date): Promise<DeliveryEndpoint[]> {
  const { rows } = await sql<EndpointRow>`
    select id, url, disabled_at is not null as is_disabled, proven_at is not null as is_proven, failing_since, timeouts, (
      select jsonb_agg(
        jsonb_build_object('number', number, 'key_id', key_id, 'sealed', encode(sealed, 'base64')) order by number desc
      ) from webhook_secrets where webhook_id = webhooks.id and (retires_at is null or retires_at > ${at})
    ) as secrets
    from webhooks where id = any(${ids}::text[])`.execute(db)
  return rows.map(toEndpoint)
}

const toEndpoint = ({
  id,
  url,
  secrets,
  is_disabled,
  is_proven,
  failing_since,
  timeouts,
}: EndpointRow): DeliveryEndpoint => ({
  id,
  url,
  host: new URL(url).host,
  secrets: (secrets ?? []).map(({ number, key_id, sealed }) => ({
    number,
    keyId: key_id,
    sealed: Buffer.from(sealed, 'base64'),
  })),
  isDisabled: is_disabled,
  isProven: is_proven,
  failingSince: failing_since,
  timeouts,
  noted: Promise.resolve(),
})

async function readDue(db: Database, ids: readonly string[], { queue, at }: Wanted): Promise<Map<string, Due[]>> {
  const { rows } = await sql<Due & { webhook_id: string }>`
    select due.webhook_id, due.event_id, due.type, due.tries, due.created_at, events.data
    from unnest(${ids}::text[]) as wanted(id)
    cross join lateral (
      select webhook_id, event_id, type, tries, created_at, due_at from deliveries
      where webhook_id = wanted.id and queue = ${queue} and status = 'pending' and due_at <= ${at}
      order by queue, due_at limit ${sql.lit(duePerLane)}
    ) due
    left join events on events.id = due.event_id
    order by due.due_at`.execute(db)
  return Map.groupBy(rows, ({ webhook_id }) => webhook_id)
}

export type Released = {
  webhook_id: string
  queue: LaneQueue
  holder: string
  /** The lane is not claimed before this time, even if deliveries are due. */
  paused_until: Date | null
}

/**
 * Releases lanes. Each is due when its next delivery is; the lane of a deleted endpoint is never due. A delivery
 * written meanwhile updates the lane's due time too: under the lane's lock, the earlier of the two wins.
 */
export async function releaseLanes(db: Database, lanes: readonly Released[]): Promise<void> {
  await sql`
    with released as (
      select webhook_id, queue, holder, paused_until, (
        select due_at from deliveries
        where webhook_id = given.webhook_id and queue = given.queue and status = 'pending'
          and exists (select from webhooks where id = given.webhook_id and deleted_at is null)
        order by queue, due_at limit 1
      ) as next
      from jsonb_to_recordset(${JSON.stringify(lanes)}::jsonb) as given(
        webhook_id text, queue delivery_queue, holder uuid, paused_until timestamptz
      )
    ), locked as (
      select lane.webhook_id, lane.queue from delivery_lanes lane
      join released on released.webhook_id = lane.webhook_id and released.queue = lane.queue
        and released.holder = lane.holder
      order by lane.webhook_id, lane.queue for no key update of lane
    )
    update delivery_lanes lane set holder = null, due_at = least(lane.due_at, released.next),
      paused_until = greatest(lane.paused_until, released.paused_until)
    from locked join released on released.webhook_id = locked.webhook_id and released.queue = locked.queue
    where lane.webhook_id = locked.webhook_id and lane.queue = locked.queue`.execute(db)
}

/** Pauses both lanes of an endpoint. */
export const pauseLanes = (db: Database, webhookId: string, until: Date) =>
  setPause(db, webhookId, sql`greatest(paused_until, ${until}::timestamptz)`)

export const resumeLanes = (db: Database, webhookId: string) => setPause(db, webhookId, sql`null`)

/** Updates one lane at a time, so that it never holds two locks. */
async function setPause(db: Database, webhookId: string, pausedUntil: RawBuilder<unknown>): Promise<void> {
  for (const queue of ['first', 'again'] as const)
    await sql`
      update delivery_lanes set paused_until = ${pausedUntil} where webhook_id = ${webhookId} and queue = ${queue}`.execute(
      db,
    )
}

/** Marks the lane as due. Call it after writing the delivery, in the same transaction. */
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
