import { sql } from 'kysely'
import { hashApiKey } from '../accounts/keys/api-key.ts'
import { inTransaction } from '../platform/database/database.ts'
import { type AuthorizationServer, one } from './requests.ts'
import { looksLikeAccessToken, sessionOfRefreshToken } from './secrets.ts'
import { endSession, holdKey } from './sessions.ts'

/**
 * Revokes a token of the client that sends it (RFC 7009): an access token by itself, a refresh token with its session.
 * Unknown tokens and those of other clients are ignored.
 */
export async function revokeToken({ db, at }: AuthorizationServer, given: URLSearchParams): Promise<void> {
  const token = one(given, 'token')
  const clientId = one(given, 'client_id')
  const sessionId = sessionOfRefreshToken(token)
  if (sessionId)
    await inTransaction(db, async (tx) => {
      await holdKey(tx, sql`select key_id from oauth_sessions where id = ${sessionId}`)
      const row = await tx
        .selectFrom('oauth_sessions')
        .select(['client_id', 'refresh_hash'])
        .where('id', '=', sessionId)
        .forUpdate()
        .executeTakeFirst()
      if (row?.client_id === clientId && row.refresh_hash.equals(hashApiKey(token))) await endSession(tx, sessionId, at)
    })
  else if (looksLikeAccessToken(token))
    await db
      .deleteFrom('oauth_access_tokens')
      .where('hash', '=', hashApiKey(token))
      .where('session_id', 'in', (query) =>
        query.selectFrom('oauth_sessions').select('id').where('client_id', '=', clientId),
      )
      .execute()
}
