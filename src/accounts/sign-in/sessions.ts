import { sql } from 'kysely'
import { ownerSession } from '../../contract/limits.ts'
import { expiryCutoff, type PurgedName } from '../../contract/retention/periods.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { deleteInBatches, type Purge } from '../../platform/repeat.ts'
import { browserSessions } from './browser-sessions.ts'

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

/** The deletion of expired sessions, codes and links. */
export const ownerSignInPurges = {
  'owner-visits': (db, at) =>
    deleteInBatches(db, 'owner_visits', sql`expires_at <= ${expiryCutoff('owner-visits', at)}`),
  'owner-codes': (db, at) => deleteInBatches(db, 'owner_codes', sql`expires_at < ${expiryCutoff('owner-codes', at)}`),
  'owner-link-mails': (db, at) => {
    const cutoff = expiryCutoff('owner-link-mails', at)
    return deleteInBatches(
      db,
      'owner_link_mails',
      sql`asked_at < ${cutoff} and coalesce(mailed_at, asked_at) < ${cutoff}`,
    )
  },
  'owner-sessions': (db, at) =>
    deleteInBatches(db, 'owner_sessions', sessions.endedBefore(expiryCutoff('owner-sessions', at))),
} satisfies Partial<Record<PurgedName, Purge>>
