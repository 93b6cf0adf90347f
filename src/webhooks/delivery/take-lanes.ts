import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import type { Due, Endpoint, Lane, Queue } from './lane.ts'

/** Deliveries that are read for one run of a lane. What is left makes the lane due again. */
const duePerLane = 64

type Wanted = { queue: Queue; holder: string; count: number; at: Date }

/** Takes lanes that are ready, the longest waiting first, with what is due in them. Nobody else gets them until they are released. */
export async function takeLanes(db: Database, wanted: Wanted): Promise<Lane[]> {
  const ids = await claim(db, wanted)
  if (ids.length === 0) return []
  const { queue, holder } = wanted
  // Only now: what the claim saw may be older than the moment from which others know of it.
  const reading = Promise.all([readEndpoints(db, ids, wanted.at), readDue(db, ids, wanted)])
  const [endpoints, due] = await reading.catch((error) => {
    throw new TakenUnread(ids, error)
  })
  return endpoints.map((endpoint) => ({ queue, holder, endpoint, due: due.get(endpoint.id) ?? [] }))
}

/** Lanes were taken and could not be read: they are to be given back. */
export class TakenUnread extends Error {
  readonly ids: readonly string[]

  constructor(ids: readonly string[], cause: unknown) {
    super('lanes were taken and could not be read', { cause })
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
  failing_since: Date | null
  timeouts: number
  secrets: { number: number; key_id: string; sealed: string }[] | null
}

async function readEndpoints(db: Database, ids: readonly string[], at: Date): Promise<Endpoint[]> {
  const { rows } = await sql<EndpointRow>`
    select id, url, disabled_at is not null as is_disabled, failing_since, timeouts, (
      select jsonb_agg(
        jsonb_build_object('number', number, 'key_id', key_id, 'sealed', encode(sealed, 'base64')) order by number desc
      ) from webhook_secrets where webhook_id = webhooks.id and (retires_at is null or retires_at > ${at})
    ) as secrets
    from webhooks where id = any(${ids}::text[])`.execute(db)
  return rows.map(toEndpoint)
}

const toEndpoint = ({ id, url, secrets, is_disabled, failing_since, timeouts }: EndpointRow): Endpoint => ({
  id,
  url,
  host: new URL(url).host,
  secrets: (secrets ?? []).map(({ number, key_id, sealed }) => ({
    number,
    keyId: key_id,
    sealed: Buffer.from(sealed, 'base64'),
  })),
  isDisabled: is_disabled,
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
