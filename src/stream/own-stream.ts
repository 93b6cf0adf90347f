import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import type { StreamReader } from './reader.ts'
import { encodeEvent } from './render-entry.ts'

export type OwnSource = {
  accountId: string
  keyId: string
  /** The event at the reader's position; null if the account had none. */
  lastId: string | null
}

type Found = {
  account_id: string
  after: number
  id: string
  position: number
  type: string
  at: Date
  data: unknown
}

const eventsAtATime = 50

/** Follows the event logs of the accounts that have private readers. Events are the log; it needs no other. */
export function openOwnStream({ db, onSent }: { db: Database; onSent: (events: number) => void }) {
  const sources = new Map<StreamReader, OwnSource>()

  /** One statement for all readers. Returns true if more is waiting. */
  async function look(): Promise<boolean> {
    const waiting = [...sources].filter(([reader]) => reader.blockedSince === null)
    if (waiting.length === 0) return false
    const pairs = new Map(
      waiting.map(([reader, source]) => [keyOf(source.accountId, reader.position), [source, reader]]),
    )
    const accounts = [...pairs.values()].map((pair) => (pair[0] as OwnSource).accountId)
    const positions = [...pairs.values()].map((pair) => (pair[1] as StreamReader).position)
    // With the event that each reader has last got: after a failover, another one may have its position.
    const { rows } = await sql<Found>`
      select log.account_id, log.after, found.id, found.position, found.type, found.at, found.data
      from unnest(${accounts}::text[], ${positions}::bigint[]) as log (account_id, after)
      cross join lateral (
        select id, position, type, at, data from events
        where events.account_id = log.account_id and events.position >= log.after
        order by events.position limit ${sql.lit(eventsAtATime + 1)}
      ) found`.execute(db)
    const found = Map.groupBy(rows, ({ account_id, after }) => keyOf(account_id, after))
    let isMore = false
    for (const [reader, source] of waiting) {
      const events = found.get(keyOf(source.accountId, reader.position)) ?? []
      isMore = hand(reader, source, events) || isMore
    }
    return isMore
  }

  function hand(reader: StreamReader, source: OwnSource, events: readonly Found[]): boolean {
    const isKnown = reader.position === 0 || events[0]?.id === source.lastId
    if (!isKnown) reader.end('rewound')
    const added = events.filter(({ position }) => position > reader.position)
    const last = added.at(-1)
    if (reader.isClosed || !last) return false
    reader.write(Buffer.concat(added.map(encodeOwnEvent)))
    reader.position = last.position
    source.lastId = last.id
    onSent(added.length)
    return added.length >= eventsAtATime
  }

  return {
    look,
    add: (reader: StreamReader, source: OwnSource): void => void sources.set(reader, { ...source }),
    remove: (reader: StreamReader): void => void sources.delete(reader),
    size: () => sources.size,
    /** The streams of an account, oldest first. */
    readersOf: (accountId: string) =>
      [...sources].flatMap(([reader, one]) => (one.accountId === accountId ? [reader] : [])),
    /** Ends the streams whose key was revoked or whose account was closed. */
    checkKeys: async (): Promise<void> => {
      if (sources.size === 0) return
      const ids = new Set([...sources.values()].map(({ keyId }) => keyId))
      const valid = await db
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .select('api_keys.id')
        .where('api_keys.id', 'in', [...ids])
        .where('revoked_at', 'is', null)
        .where('accounts.standing', '<>', 'closed')
        .execute()
      const known = new Set<string>(valid.map(({ id }) => id))
      for (const [reader, { keyId }] of [...sources]) if (ids.has(keyId) && !known.has(keyId)) reader.end('key')
    },
  }
}

const keyOf = (accountId: string, position: number) => `${accountId} ${position}`

const encodeOwnEvent = ({ id, type, at, data }: Found) =>
  encodeEvent({ id, type, data: { id, type, timestamp: at.toISOString(), data } })
