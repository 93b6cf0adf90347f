import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ownerSession } from '../../contract/limits.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/repeat.ts'
import { hashToken, newToken } from './tokens.ts'

/** How old `last_seen_at` may get before it is written again. */
const seenResolutionMs = 60_000

export type OwnerSession = { id: string; token: string; accountId: string; isBanned: boolean }

type NewSession = { accountId: string; browser: string; at: Date }

/** Starts a session with a token that nobody has seen before. */
export async function startOwnerSession(tx: Transaction, { accountId, browser, at }: NewSession): Promise<string> {
  const token = newToken()
  await tx
    .insertInto('owner_sessions')
    .values({
      id: randomUUID(),
      token_hash: hashToken(token),
      account_id: accountId,
      browser,
      created_at: at,
      last_seen_at: at,
    })
    .execute()
  return token
}

/** Whose session this is, while it lasts: so long after the last call, and never longer than its whole life. */
export async function findOwnerSession(db: Database, token: string, at: Date): Promise<OwnerSession | undefined> {
  const found = await db
    .selectFrom('owner_sessions')
    .innerJoin('accounts', 'accounts.id', 'owner_sessions.account_id')
    .select(['owner_sessions.id', 'owner_sessions.account_id', 'last_seen_at', 'accounts.standing'])
    .where('token_hash', '=', hashToken(token))
    .where('ended_at', 'is', null)
    .where('last_seen_at', '>', before(at, ownerSession.idleSeconds))
    .where('owner_sessions.created_at', '>', before(at, ownerSession.wholeSeconds))
    .where('accounts.standing', '<>', 'closed')
    .executeTakeFirst()
  if (!found) return undefined
  if (at.getTime() - found.last_seen_at.getTime() > seenResolutionMs)
    await db.updateTable('owner_sessions').set({ last_seen_at: at }).where('id', '=', found.id).execute()
  return { id: found.id, token, accountId: found.account_id, isBanned: found.standing === 'banned' }
}

/** The sessions that last, newest first. */
export function listOwnerSessions(db: Database, accountId: string, at: Date) {
  return db
    .selectFrom('owner_sessions')
    .select(['id', 'browser', 'created_at', 'last_seen_at'])
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('last_seen_at', '>', before(at, ownerSession.idleSeconds))
    .where('created_at', '>', before(at, ownerSession.wholeSeconds))
    .orderBy('created_at', 'desc')
    .execute()
}

/** Ends one session of the account, or all of them, and says how many. */
export async function endOwnerSessions(
  tx: Transaction,
  { accountId, id, at }: { accountId: string; id?: string; at: Date },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('owner_sessions')
    .set({ ended_at: at })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .$if(id !== undefined, (query) => query.where('id', '=', String(id)))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

const before = (at: Date, seconds: number) => new Date(at.getTime() - seconds * 1_000)

const [hourMs, dayMs] = [3_600_000, 86_400_000]

/** How long an ended session can be asked about. */
const keptSessionsMs = 30 * dayMs

/**
 * Deletes what opens nothing any more. What was mailed is kept as long as it counts: wrong codes for the day, links for
 * the hour. A link that could not be mailed in an hour is asked for again.
 */
export async function deleteExpiredOwnerSessions(db: Database, at: Date): Promise<void> {
  const anHourAgo = new Date(at.getTime() - hourMs)
  const yesterday = new Date(at.getTime() - dayMs)
  const longAgo = new Date(at.getTime() - keptSessionsMs)
  const sweeps = {
    owner_visits: sql`expires_at <= ${at}`,
    owner_codes: sql`expires_at < ${yesterday}`,
    owner_link_mails: sql`asked_at < ${anHourAgo} and coalesce(mailed_at, asked_at) < ${anHourAgo}`,
    owner_sessions: sql`created_at < ${longAgo} and coalesce(ended_at, last_seen_at) < ${longAgo}`,
  }
  for (const [table, isOver] of Object.entries(sweeps))
    await inBatches(
      db,
      (batch) => sql`
        delete from ${sql.table(table)} where ctid = any (array(
          select ctid from ${sql.table(table)} where ${isOver} limit ${batch}
        ))`,
    )
}
