import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ownerSession } from '../../contract/limits.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/repeat.ts'
import { hashToken, newToken } from './tokens.ts'

/** How stale `last_seen_at` may be before it is updated. */
const seenResolutionMs = 60_000

export type OwnerSession = { id: string; token: string; accountId: string; isBanned: boolean }

type NewSession = { accountId: string; browser: string; at: Date }

/** Starts a session with a new token. */
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

/** The owner of a valid session: within the idle timeout and the maximum lifetime. */
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

/** The valid sessions, newest first. */
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

/** Ends one session of the account, or all of them, and returns how many. */
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

/** How long ended sessions are kept. */
const keptSessionsMs = 30 * dayMs

/**
 * Deletes expired rows. Sent emails are kept as long as they count: wrong codes for the day, links for the hour. A link
 * that could not be sent within an hour must be requested again.
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
