import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { hashToken } from '../accounts/sign-in/tokens.ts'
import { devicePollSeconds, oauthSeconds } from '../contract/app-limits.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { deviceGrant } from './clients/client-metadata.ts'
import { findClient } from './clients/find-client.ts'
import { denied } from './decide.ts'
import { OAuthError } from './oauth-error.ts'
import { type AuthorizationServer, hostOf, one, readAudience, readScopes, resourceOf } from './requests.ts'
import { secondsLater } from './seconds-later.ts'
import { looksLikeDeviceCode, newDeviceCode, newRequestId, newUserCode, readUserCode } from './secrets.ts'
import { holdKey, replayed, startSession, type TokenAnswer } from './sessions.ts'

/** Where a person enters the code that a device shows. Short, because people type it. */
export const devicePath = '/device'

/** Starts the sign-in of a device without a browser (RFC 8628). */
export async function startDevice(server: AuthorizationServer, given: URLSearchParams) {
  const { db, issuer, at } = server
  const client = await findClient(server, one(given, 'client_id'), at)
  if (!client.grantTypes.includes(deviceGrant))
    throw new OAuthError('unauthorized_client', `The client has not registered the grant type ${deviceGrant}.`)
  const [deviceCode, userCode] = [newDeviceCode(), newUserCode(randomInt)]
  await db
    .insertInto('oauth_requests')
    .values({
      id: newRequestId(),
      client_id: client.id,
      client_name: client.name,
      client_host: hostOf(client, null),
      scopes: readScopes(given),
      resource: readAudience(given, resourceOf(issuer)),
      device_hash: hashToken(deviceCode),
      user_code_hash: hashToken(userCode),
      poll_seconds: devicePollSeconds,
      created_at: at,
      expires_at: secondsLater(at, oauthSeconds.device),
    })
    .execute()
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: `${issuer}${devicePath}`,
    verification_uri_complete: `${issuer}${devicePath}?code=${userCode}`,
    expires_in: oauthSeconds.device,
    interval: devicePollSeconds,
  }
}

/** The undecided request that shows this code on a device. */
export async function findDeviceRequest(db: Database, typed: string, at: Date): Promise<string | null> {
  const code = readUserCode(typed)
  if (!code) return null
  const found = await db
    .selectFrom('oauth_requests')
    .select('id')
    .where('user_code_hash', '=', hashToken(code))
    .where('decided_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  return found?.id ?? null
}

/** Answers a device that asks whether its owner has decided. A device that asks too often must ask less often. */
export function pollForDevice(
  { db, at }: AuthorizationServer,
  given: URLSearchParams,
): Promise<TokenAnswer | OAuthError> {
  const code = one(given, 'device_code')
  const clientId = one(given, 'client_id')
  if (!looksLikeDeviceCode(code)) throw new OAuthError('invalid_grant', 'The device code is not valid.')
  return inTransaction(db, async (tx) => {
    await holdKey(tx, sql`select key_id from oauth_requests where device_hash = ${hashToken(code)}`)
    const row = await tx
      .selectFrom('oauth_requests')
      .select(['id', 'client_id', 'expires_at', 'decided_at', 'key_id', 'granted_scopes', 'resource', 'session_id'])
      .select(['polled_at', 'poll_seconds'])
      .where('device_hash', '=', hashToken(code))
      .forUpdate()
      .executeTakeFirst()
    if (!row || row.client_id !== clientId) return new OAuthError('invalid_grant', 'The device code is not valid.')
    if (row.session_id) return replayed(tx, row.session_id, at)
    if (row.expires_at <= at) return new OAuthError('expired_token', 'The code has expired. Start again.')
    if (row.decided_at && row.key_id && row.granted_scopes) {
      const { key_id: keyId, granted_scopes: scopes, resource } = row
      const { id, answer } = await startSession(tx, { keyId, clientId, scopes, resource, at })
      await tx.updateTable('oauth_requests').set({ session_id: id }).where('id', '=', row.id).execute()
      return answer
    }
    if (row.decided_at) return denied()
    const isEarly = row.polled_at !== null && at.getTime() - row.polled_at.getTime() < row.poll_seconds * 1_000
    const poll_seconds = row.poll_seconds + (isEarly ? devicePollSeconds : 0)
    await tx.updateTable('oauth_requests').set({ polled_at: at, poll_seconds }).where('id', '=', row.id).execute()
    return isEarly
      ? new OAuthError('slow_down', `Ask at most every ${poll_seconds} seconds.`)
      : new OAuthError('authorization_pending', 'The owner has not decided yet.')
  })
}
