import { sql } from 'kysely'
import { Problem } from '../contract/problems/problem.ts'
import { expiryCutoff } from '../contract/retention/periods.ts'
import type { Database } from '../platform/database/database.ts'
import { inBatches, type Purge } from '../platform/repeat.ts'
import type { PublishedPost } from '../posts/public/public-post.ts'
import type { LogPosition } from './cursor.ts'

export type StreamEventType = 'post.published' | 'post.edited' | 'post.removed'

/** An entry of the log with its post as it is now. */
export type LogRow = PublishedPost & {
  position: number
  token: number
  numbered_at: Date
  type: StreamEventType
  kind: string
  status: string
  facets: Record<string, unknown>
  /** When it was taken down; null while it is public. */
  withdrawn_at: Date | null
}

export const positionOfRow = ({ position, token, numbered_at: at }: LogRow): LogPosition => ({ position, token, at })

/** Gives entries that were committed since the last call their positions. Never call it in a transaction. */
export async function numberEntries(db: Database, at: Date): Promise<void> {
  await sql`select number_stream_entries(${at})`.execute(db)
}

/** The newest entry. The log of a new database is empty: position 0. */
export async function readHead(db: Database, at: Date): Promise<LogPosition> {
  const head = await db
    .selectFrom('stream_entries')
    .select(['position', 'token', 'numbered_at'])
    .where('position', 'is not', null)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return head ? toPosition(head) : { position: 0, token: 0, at }
}

/** The entry at this position; undefined if it has expired or was lost in a failover. */
export async function readPosition(db: Database, position: number): Promise<LogPosition | undefined> {
  const entry = await db
    .selectFrom('stream_entries')
    .select(['position', 'token', 'numbered_at'])
    .where('position', '=', position)
    .executeTakeFirst()
  return entry && toPosition(entry)
}

type Numbered = { position: number | null; token: number | null; numbered_at: Date | null }

const toPosition = ({ position, token, numbered_at }: Numbered): LogPosition => ({
  position: position as number,
  token: token as number,
  at: numbered_at as Date,
})

/** Clocks of processes may differ by as much. */
const toleranceMs = 60_000

/**
 * Where a reader with this cursor continues. As long as its entry exists, so do all that follow: the oldest are deleted
 * first. If it no longer exists, because the server that committed it failed before a standby had received it, the reader
 * continues a minute before its time: it gets some events again rather than none.
 */
export async function findPosition(db: Database, cursor: LogPosition, at: Date): Promise<number> {
  const entry = await readPosition(db, cursor.position)
  if (entry?.token === cursor.token) return cursor.position
  if (cursor.at.getTime() > at.getTime() + toleranceMs) throw invalidCursor()
  const oldest = await readOldest(db)
  // The log was empty, and nothing was deleted since.
  if (cursor.position === 0 && oldest <= 1) return 0
  if (cursor.position < oldest - 1 || cursor.at <= expiryCutoff('stream-entries', at))
    throw new Problem('cursor_expired', 'The events after this cursor are no longer in the log.')
  const earlier = await readNewestUntil(db, new Date(cursor.at.getTime() - toleranceMs))
  return earlier ?? Math.max(oldest - 1, 0)
}

/** The newest position with this time or an earlier one. Times grow with positions. */
async function readNewestUntil(db: Database, time: Date): Promise<number | undefined> {
  const { rows } = await newestUntil(time).execute(db)
  return rows[0]?.position
}

const newestUntil = (time: Date) => sql<{ position: number }>`
  select position from stream_entries where numbered_at <= ${time} order by numbered_at desc, position desc limit 1`

export const invalidCursor = () =>
  new Problem('invalid_query', 'The cursor is not the id of an event of this stream.', {
    members: { errors: [{ pointer: '#/after', detail: 'must be the id of an event of this stream' }] },
  })

type Range = { after: number; upTo?: number; kind?: string | undefined; limit: number }

const entriesIn = ({ after, upTo, kind, limit }: Range) => sql<LogRow>`
  select entry.position, entry.token, entry.numbered_at, entry.type, entry.kind, posts.id, posts.status,
    posts.account_id, posts.content, posts.facets, posts.revision, posts.published_at, posts.edited_at, posts.visible_until,
    accounts.name as author_name, accounts.standing as author_standing, accounts.verified_domain as author_domain, withdrawals.withdrawn_at,
    post_proofs.key_id as signature_key_id, post_proofs.signed_at, post_proofs.signature
  from stream_entries entry
  join posts on posts.id = entry.post_id
  join accounts on accounts.id = posts.account_id
  left join withdrawals on withdrawals.post_id = entry.post_id
  left join post_proofs on post_proofs.post_id = entry.post_id
  where entry.position > ${after}
    ${upTo === undefined ? sql`` : sql`and entry.position <= ${upTo}`}
    ${kind === undefined ? sql`` : sql`and entry.kind = ${kind}`}
  order by entry.position limit ${sql.lit(limit)}`

/** Entries after a position, oldest first, with their posts. */
export async function readEntries(db: Database, range: Range): Promise<LogRow[]> {
  const { rows } = await entriesIn(range).execute(db)
  return rows
}

/** The same with the oldest position of the log, as of the same moment: it shows whether something was deleted. */
export async function readLogPage(db: Database, range: Range): Promise<{ rows: LogRow[]; oldest: number }> {
  const { rows } = await sql<LogRow & { oldest: number | null }>`
    select log.oldest, page.* from (select min(position) as oldest from stream_entries) log
    left join (${entriesIn(range)}) page on true order by page.position`.execute(db)
  return { rows: rows.filter(({ position }) => position !== null), oldest: rows[0]?.oldest ?? 0 }
}

/** The oldest position that is still in the log. */
export async function readOldest(db: Database): Promise<number> {
  const { rows } = await sql<{ oldest: number | null }>`select min(position) as oldest from stream_entries`.execute(db)
  return rows[0]?.oldest ?? 0
}

/**
 * Deletes entries that have expired, the oldest first, so that no gap appears. The newest expired one stays: after a
 * quiet day, all readers resume from it, and its absence would mean that the log has lost its end. Also numbers entries,
 * which nobody else does while there is no reader.
 */
export const deleteExpiredStreamEntries: Purge = async (db, at) => {
  await numberEntries(db, at)
  const kept = newestUntil(expiryCutoff('stream-entries', at))
  return inBatches(
    db,
    (batch) => sql`
      delete from stream_entries where position in (
        select position from stream_entries where position < (${kept}) order by position limit ${batch}
      )`,
  )
}
