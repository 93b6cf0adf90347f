import { randomUUID } from 'node:crypto'
import { ownerSession } from '../../contract/limits.ts'
import type { Database, Transaction } from '../../platform/database.ts'
import { hashToken, newToken } from './token.ts'

/** How old `last_seen_at` may get before it is written again. */
const seenResolutionMs = 60_000

export type OwnerSession = { id: string; token: string; accountId: string; isBanned: boolean }

type NewSession = { accountId: string; browser: string; at: Date }

/** Starts a session with a token that nobody has seen before. */
export async function startSession(tx: Transaction, { accountId, browser, at }: NewSession): Promise<string> {
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
export async function findSession(db: Database, token: string, at: Date): Promise<OwnerSession | undefined> {
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
export function listSessions(db: Database, accountId: string, at: Date) {
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
export async function endSessions(
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
