import { sql } from 'kysely'
import { ownerSession } from '../../contract/limits.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { browserSessions, deleteExpiredRows } from './browser-sessions.ts'

const sessions = browserSessions({ table: 'owner_sessions', holder: 'account_id', ...ownerSession })

export type OwnerSession = { id: string; token: string; accountId: string; isBanned: boolean }

type NewSession = { accountId: string; browser: string; at: Date }

/** Starts a session with a new token. */
export async function startOwnerSession(tx: Transaction, { accountId, browser, at }: NewSession): Promise<string> {
  const { token, row } = sessions.create(browser, at)
  await tx
    .insertInto('owner_sessions')
    .values({ ...row, account_id: accountId })
    .execute()
  return token
}

/** The owner of a valid session: within the idle timeout and the maximum lifetime. */
export async function findOwnerSession(db: Database, token: string, at: Date): Promise<OwnerSession | undefined> {
  const found = await db
    .selectFrom('owner_sessions')
    .innerJoin('accounts', 'accounts.id', 'owner_sessions.account_id')
    .select(['owner_sessions.id', 'owner_sessions.account_id', 'last_seen_at', 'accounts.standing'])
    .where(sessions.hasToken(token))
    .where(sessions.isValid(at))
    .where('accounts.standing', '<>', 'closed')
    .executeTakeFirst()
  if (!found) return undefined
  await sessions.touch(db, found, at)
  return { id: found.id, token, accountId: found.account_id, isBanned: found.standing === 'banned' }
}

/** The valid sessions, newest first. */
export function listOwnerSessions(db: Database, accountId: string, at: Date) {
  return db
    .selectFrom('owner_sessions')
    .select(['id', 'browser', 'created_at', 'last_seen_at'])
    .where('account_id', '=', accountId)
    .where(sessions.isValid(at))
    .orderBy('created_at', 'desc')
    .execute()
}

/** Ends one session of the account, or all of them, and returns how many. */
export const endOwnerSessions = (
  tx: Transaction,
  { accountId, id, at }: { accountId: string; id?: string; at: Date },
): Promise<number> => sessions.end(tx, { of: accountId, id, at })

const [hourMs, dayMs] = [3_600_000, 86_400_000]

/**
 * Deletes expired rows. Sent emails are kept as long as they count: wrong codes for the day, links for the hour. A link
 * that could not be sent within an hour must be requested again.
 */
export async function deleteExpiredOwnerSessions(db: Database, at: Date): Promise<void> {
  const anHourAgo = new Date(at.getTime() - hourMs)
  const yesterday = new Date(at.getTime() - dayMs)
  await deleteExpiredRows(db, {
    owner_visits: sql`expires_at <= ${at}`,
    owner_codes: sql`expires_at < ${yesterday}`,
    owner_link_mails: sql`asked_at < ${anHourAgo} and coalesce(mailed_at, asked_at) < ${anHourAgo}`,
    owner_sessions: sessions.isOld(at),
  })
}
