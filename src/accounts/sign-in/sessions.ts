import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ownerSession } from '../../contract/limits.ts'
import { expiryCutoff, type PurgedName } from '../../contract/retention/periods.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { deleteInBatches, type Purge } from '../../platform/repeat.ts'
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

/** What expires of signing in. A session that ended counts from its end. */
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
  'owner-sessions': (db, at) => {
    const cutoff = expiryCutoff('owner-sessions', at)
    return deleteInBatches(
      db,
      'owner_sessions',
      sql`created_at < ${cutoff} and coalesce(ended_at, last_seen_at) < ${cutoff}`,
    )
  },
} satisfies Partial<Record<PurgedName, Purge>>
