import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { hashApiKey } from '../accounts/keys/api-key.ts'
import { isConnected } from '../accounts/keys/connected-apps.ts'
import { oauthSeconds } from '../contract/app-limits.ts'
import { expiryCutoff, type PurgedName } from '../contract/retention/periods.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import { deleteInBatches, type Purge } from '../platform/repeat.ts'
import { deleteExpiredClients } from './clients/registered-clients.ts'
import { OAuthError } from './oauth-error.ts'
import { secondsLater } from './seconds-later.ts'
import { newAccessToken, newRefreshToken } from './secrets.ts'

/** The response of the token endpoint. `scope` is always present: some clients treat a missing one as empty. */
export type TokenAnswer = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/**
 * Keeps the key of a session or request from being deleted until the transaction ends. Closing an account deletes its
 * keys first and then what depends on them. Whoever locks a session or request locks its key first too, so that neither
 * waits for the other.
 */
export async function holdKey(tx: Transaction, keyId: RawBuilder<unknown>): Promise<void> {
  await sql`select from api_keys where id = (${keyId}) for key share`.execute(tx)
}

type NewSession = { keyId: string; clientId: string; scopes: readonly string[]; resource: string; at: Date }

/** Starts a session with its first tokens. Only their hashes are stored. */
export async function startSession(tx: Transaction, { keyId, clientId, scopes, resource, at }: NewSession) {
  await assertConnected(tx, keyId)
  const id = randomUUID()
  const refreshToken = newRefreshToken(id)
  await tx
    .insertInto('oauth_sessions')
    .values({
      id,
      key_id: keyId,
      client_id: clientId,
      scopes: scopes as string[],
      resource,
      refresh_hash: hashApiKey(refreshToken),
      created_at: at,
      refreshed_at: at,
      expires_at: secondsLater(at, oauthSeconds.refreshToken),
    })
    .execute()
  return { id, answer: await answerWith(tx, { sessionId: id, refreshToken, scopes, at }) }
}

/** Replaces the refresh token, in the transaction that checked the previous one. */
export async function renewSession(
  tx: Transaction,
  { id, keyId, scopes, at }: { id: string; keyId: string; scopes: readonly string[]; at: Date },
): Promise<TokenAnswer> {
  await assertConnected(tx, keyId)
  const refreshToken = newRefreshToken(id)
  await tx
    .updateTable('oauth_sessions')
    .set({
      refresh_hash: hashApiKey(refreshToken),
      refreshed_at: at,
      expires_at: secondsLater(at, oauthSeconds.refreshToken),
    })
    .where('id', '=', id)
    .execute()
  return answerWith(tx, { sessionId: id, refreshToken, scopes, at })
}

async function assertConnected(tx: Transaction, keyId: string): Promise<void> {
  if (!(await isConnected(tx, keyId))) throw new OAuthError('invalid_grant', 'The owner has disconnected this app.')
}

type Issued = { sessionId: string; refreshToken: string; scopes: readonly string[]; at: Date }

async function answerWith(tx: Transaction, { sessionId, refreshToken, scopes, at }: Issued): Promise<TokenAnswer> {
  const accessToken = newAccessToken()
  const expires_at = secondsLater(at, oauthSeconds.accessToken)
  await tx
    .insertInto('oauth_access_tokens')
    .values({ hash: hashApiKey(accessToken), session_id: sessionId, scopes: scopes as string[], expires_at })
    .execute()
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: oauthSeconds.accessToken,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }
}

/**
 * Ends a session and all its tokens. An app without a session is disconnected, so that it uses up no place, unless the
 * owner has just connected it again.
 */
export async function endSession(tx: Transaction, id: string, at: Date): Promise<void> {
  // Locked by a statement of its own, so that the next ones see what others did to the app meanwhile.
  await sql`select from api_keys where id = (select key_id from oauth_sessions where id = ${id}) for no key update`.execute(
    tx,
  )
  const ended = await tx.deleteFrom('oauth_sessions').where('id', '=', id).returning('key_id').executeTakeFirst()
  if (!ended) return
  await sql`
    update api_keys set revoked_at = ${at}
    where id = ${ended.key_id} and revoked_at is null
      and not exists (select from oauth_sessions where key_id = api_keys.id)
      and not exists (${openConsent(at)})`.execute(tx)
}

/** A second use means that somebody else has the code or token too, so all tokens of the session end. */
export async function replayed(tx: Transaction, sessionId: string, at: Date): Promise<OAuthError> {
  await endSession(tx, sessionId, at)
  return new OAuthError('invalid_grant', 'This was used before. The session has ended: connect the app again.')
}

/** A consent that its app can still exchange for tokens. */
const openConsent = (at: Date) => sql`
  select from oauth_requests where key_id = api_keys.id and session_id is null
    and coalesce(code_expires_at, expires_at) > ${at}`

/** The deletion of what has expired. First, the apps that nothing else keeps connected are disconnected. */
export const oauthPurges = {
  'oauth-access-tokens': (db, at) =>
    deleteInBatches(db, 'oauth_access_tokens', sql`expires_at <= ${expiryCutoff('oauth-access-tokens', at)}`),
  'oauth-requests': async (db, at) => {
    const isOver = sql`expires_at <= ${expiryCutoff('oauth-requests', at)}`
    await disconnectUnused(
      db,
      sql`select key_id from oauth_requests where ${isOver} and session_id is null and key_id is not null`,
      at,
    )
    return deleteInBatches(db, 'oauth_requests', isOver)
  },
  'oauth-sessions': async (db, at) => {
    const isOver = sql`expires_at <= ${expiryCutoff('oauth-sessions', at)}`
    await disconnectUnused(db, sql`select key_id from oauth_sessions where ${isOver}`, at)
    return deleteInBatches(db, 'oauth_sessions', isOver)
  },
  'oauth-clients': deleteExpiredClients,
} satisfies Partial<Record<PurgedName, Purge>>

/** Disconnects those of these apps that have no session and no consent that can still be used. */
const disconnectUnused = (db: Database, keys: RawBuilder<unknown>, at: Date) =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select id from api_keys where id in (${keys}) and revoked_at is null order by id for no key update`.execute(tx)
    if (rows.length === 0) return
    await sql`
      update api_keys set revoked_at = ${at}
      where id = any (${rows.map(({ id }) => id)})
        and not exists (select from oauth_sessions where key_id = api_keys.id and expires_at > ${at})
        and not exists (${openConsent(at)})`.execute(tx)
  })
