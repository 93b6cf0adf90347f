import { type FoundCaller, hashApiKey, noteUse } from '../accounts/keys/api-key.ts'
import type { Call } from '../contract/call.ts'
import { postsNeedApproval, type Scope, scopesUnder } from '../contract/scopes.ts'
import { looksLikeAccessToken } from './secrets.ts'

/**
 * The app that this access token belongs to; undefined if the token is unknown, expired or for another resource, or if
 * the owner has disconnected the app. Its scopes are those that both the token and the app have.
 */
export async function findApp(
  { db, clock }: Pick<Call, 'db' | 'clock'>,
  token: string,
  resource: string,
): Promise<FoundCaller | undefined> {
  if (!looksLikeAccessToken(token)) return undefined
  const at = clock.now()
  const found = await db
    .selectFrom('oauth_access_tokens')
    .innerJoin('oauth_sessions', 'oauth_sessions.id', 'session_id')
    .innerJoin('api_keys', 'api_keys.id', 'oauth_sessions.key_id')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.id', 'api_keys.account_id', 'api_keys.scope', 'api_keys.scopes', 'api_keys.last_used_at'])
    .select(['oauth_access_tokens.scopes as token_scopes', 'accounts.standing', 'accounts.auto_recharge_enabled'])
    .where('oauth_access_tokens.hash', '=', hashApiKey(token))
    .where('oauth_access_tokens.expires_at', '>', at)
    .where('oauth_sessions.resource', '=', resource)
    .where('api_keys.revoked_at', 'is', null)
    .where('accounts.standing', '<>', 'closed')
    .executeTakeFirst()
  if (!found) return undefined
  await noteUse(db, found, at)
  // An owner can make an app read-only like a key, without a list of scopes.
  const allowed = found.scopes ?? (found.scope === 'read' ? ['read'] : null)
  const scopes = scopesUnder(allowed as Scope[] | null, found.token_scopes as Scope[])
  return {
    accountId: found.account_id,
    keyId: found.id,
    autoRecharges: found.auto_recharge_enabled,
    needsApproval: postsNeedApproval(scopes),
    isBanned: found.standing === 'banned',
    isReadOnly: false,
    isApp: true,
    scopes,
  }
}
