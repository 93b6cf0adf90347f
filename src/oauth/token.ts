import { createHash, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { hashApiKey } from '../accounts/keys/api-key.ts'
import { hashToken, isToken } from '../accounts/sign-in/tokens.ts'
import { inTransaction } from '../platform/database/database.ts'
import { deviceGrant } from './clients/client-metadata.ts'
import { findRegisteredClient, keepClient } from './clients/registered-clients.ts'
import { pollForDevice } from './device.ts'
import { OAuthError } from './oauth-error.ts'
import { type AuthorizationServer, one, optional, readAudience, resourceOf } from './requests.ts'
import { sessionOfRefreshToken } from './secrets.ts'
import { holdKey, renewSession, replayed, startSession, type TokenAnswer } from './sessions.ts'

/** The token endpoint. Each exchange is one transaction, so a code or token that works can work only once. */
export async function issueToken(server: AuthorizationServer, given: URLSearchParams): Promise<TokenAnswer> {
  const clientId = one(given, 'client_id')
  if (given.has('client_secret') || given.has('client_assertion'))
    throw new OAuthError('invalid_client', 'Clients have no secret here.')
  if (clientId.startsWith('client_') && !(await findRegisteredClient(server.db, clientId, server.at)))
    throw new OAuthError('invalid_client', 'This client is not registered. Register it again.')
  const grants: Record<string, (server: AuthorizationServer, given: URLSearchParams) => Promise<Outcome>> = {
    authorization_code: exchangeCode,
    refresh_token: refresh,
    [deviceGrant]: pollForDevice,
  }
  const type = one(given, 'grant_type')
  const grant = Object.hasOwn(grants, type) ? grants[type] : undefined
  if (!grant) throw new OAuthError('unsupported_grant_type', 'Use authorization_code, refresh_token or a device code.')
  const outcome = await grant(server, given)
  if (outcome instanceof OAuthError) throw outcome
  return outcome
}

/** An error that ends the transaction without rolling it back: a replay ends the session that it attacks. */
type Outcome = TokenAnswer | OAuthError

const invalidGrant = (description: string) => new OAuthError('invalid_grant', description)

function exchangeCode(server: AuthorizationServer, given: URLSearchParams): Promise<Outcome> {
  const { db, at } = server
  const code = one(given, 'code')
  const clientId = one(given, 'client_id')
  const redirectUri = one(given, 'redirect_uri')
  const verifier = one(given, 'code_verifier')
  readAudience(given, resourceOf(server.issuer))
  if (!isToken(code)) throw invalidGrant('The code is not valid.')
  return inTransaction(db, async (tx) => {
    await holdKey(tx, sql`select key_id from oauth_requests where code_hash = ${hashToken(code)}`)
    const row = await tx
      .selectFrom('oauth_requests')
      .select(['id', 'client_id', 'redirect_uri', 'code_challenge', 'code_expires_at', 'key_id'])
      .select(['granted_scopes', 'resource', 'session_id'])
      .where('code_hash', '=', hashToken(code))
      .forUpdate()
      .executeTakeFirst()
    if (!row?.key_id || !row.granted_scopes) return invalidGrant('The code is not valid.')
    if (row.session_id) return replayed(tx, row.session_id, at)
    if (row.client_id !== clientId || row.redirect_uri !== redirectUri)
      return invalidGrant('The code was issued to another client or address.')
    if (!row.code_expires_at || row.code_expires_at <= at) return invalidGrant('The code has expired.')
    if (!isVerifierOf(verifier, row.code_challenge)) return invalidGrant('code_verifier does not match.')
    const { key_id: keyId, granted_scopes: scopes, resource } = row
    const { id, answer } = await startSession(tx, { keyId, clientId, scopes, resource, at })
    await tx.updateTable('oauth_requests').set({ session_id: id }).where('id', '=', row.id).execute()
    return answer
  })
}

function isVerifierOf(verifier: string, challenge: string | null): boolean {
  if (challenge === null || !/^[\w.~-]{43,128}$/.test(verifier)) return false
  const [expected, sent] = [Buffer.from(challenge), Buffer.from(sha256(verifier))]
  return expected.length === sent.length && timingSafeEqual(expected, sent)
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

function refresh(server: AuthorizationServer, given: URLSearchParams): Promise<Outcome> {
  const { db, at } = server
  const token = one(given, 'refresh_token')
  const clientId = one(given, 'client_id')
  const named = optional(given, 'scope')?.split(' ') ?? []
  const sessionId = sessionOfRefreshToken(token)
  if (!sessionId) throw invalidGrant('The refresh token is not valid.')
  return inTransaction(db, async (tx) => {
    await holdKey(tx, sql`select key_id from oauth_sessions where id = ${sessionId}`)
    const row = await tx
      .selectFrom('oauth_sessions')
      .select(['client_id', 'key_id', 'scopes', 'resource', 'refresh_hash', 'expires_at'])
      .where('id', '=', sessionId)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return invalidGrant('The refresh token is not valid, or its session has ended.')
    if (row.client_id !== clientId) return invalidGrant('The refresh token was issued to another client.')
    if (!row.refresh_hash.equals(hashApiKey(token))) return replayed(tx, sessionId, at)
    if (row.expires_at <= at) return invalidGrant('The refresh token has expired.')
    readAudience(given, row.resource)
    const wanted = named.filter((scope) => scope !== 'offline_access')
    if (!wanted.every((scope) => row.scopes.includes(scope)))
      return new OAuthError('invalid_scope', 'The owner has not allowed one of these scopes.')
    const scopes = wanted.length > 0 ? row.scopes.filter((scope) => wanted.includes(scope)) : row.scopes
    await keepClient(tx, clientId, at)
    return renewSession(tx, { id: sessionId, keyId: row.key_id, scopes, at })
  })
}
