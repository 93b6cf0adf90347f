import { type AppAccess, connectApp } from '../accounts/keys/connected-apps.ts'
import { hashToken, newToken } from '../accounts/sign-in/tokens.ts'
import { oauthSeconds } from '../contract/app-limits.ts'
import type { Scope } from '../contract/scopes.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import { redirectWith } from './clients/redirect-uris.ts'
import { keepClient } from './clients/registered-clients.ts'
import { OAuthError } from './oauth-error.ts'
import { errorRedirect } from './requests.ts'
import { secondsLater } from './seconds-later.ts'

/** Where the browser goes next. A device has no address, so its owner returns to it. */
export type DecidedRequest = { redirect: string } | { device: true } | 'gone'

type Allowed = Pick<AppAccess, 'accountId' | 'scopes' | 'dailyCapMicros'>
type Deciding = { requestId: string; issuer: string; at: Date }

/**
 * Connects the app as the owner chose, and issues a code, in one transaction: there is no code without consent. A
 * request is decided once.
 */
export function allowRequest(
  db: Database,
  { requestId, issuer, at, ...allowed }: Deciding & Allowed,
): Promise<DecidedRequest> {
  return inTransaction(db, async (tx) => {
    const request = await lockRequest(tx, requestId, at)
    if (!request) return 'gone'
    const { client_id: clientId, client_host: clientHost, client_name: name } = request
    const keyId = await connectApp(tx, { ...allowed, clientId, clientHost, name, at })
    await keepClient(tx, clientId, at)
    const code = newToken()
    const decided = { decided_at: at, key_id: keyId, granted_scopes: allowed.scopes as Scope[] }
    const expires = secondsLater(at, oauthSeconds.code)
    await tx
      .updateTable('oauth_requests')
      .set(
        request.redirect_uri === null
          ? { ...decided, user_code_hash: null }
          : { ...decided, code_hash: hashToken(code), code_expires_at: expires },
      )
      .where('id', '=', requestId)
      .execute()
    if (request.redirect_uri === null) return { device: true }
    return { redirect: redirectWith(request.redirect_uri, { code, state: request.state, iss: issuer }) }
  })
}

export function denyRequest(db: Database, { requestId, issuer, at }: Deciding): Promise<DecidedRequest> {
  return inTransaction(db, async (tx) => {
    const request = await lockRequest(tx, requestId, at)
    if (!request) return 'gone'
    await tx.updateTable('oauth_requests').set({ decided_at: at }).where('id', '=', requestId).execute()
    if (request.redirect_uri === null) return { device: true }
    const { state } = request
    return { redirect: errorRedirect(request.redirect_uri, denied(), { state, issuer }) }
  })
}

export const denied = () => new OAuthError('access_denied', 'The owner did not allow this.')

const lockRequest = (tx: Transaction, id: string, at: Date) =>
  tx
    .selectFrom('oauth_requests')
    .select(['client_id', 'client_host', 'client_name', 'redirect_uri', 'state'])
    .where('id', '=', id)
    .where('decided_at', 'is', null)
    .where('expires_at', '>', at)
    .forUpdate()
    .executeTakeFirst()
