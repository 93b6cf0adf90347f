import { sql } from 'kysely'
import { maxNewClients, oauthSeconds } from '../../contract/app-limits.ts'
import { expiryCutoff } from '../../contract/retention/periods.ts'
import { scopeNames } from '../../contract/scopes.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { deleteInBatches, type Purge } from '../../platform/repeat.ts'
import { OAuthError } from '../oauth-error.ts'
import { secondsLater } from '../seconds-later.ts'
import { newClientId } from '../secrets.ts'
import { type OAuthClient, readClientMetadata } from './client-metadata.ts'

/**
 * Registers a public client (RFC 7591). It expires after a day if nobody connects it. A requested `scope` is ignored:
 * some clients register with the scope of their first request and later need another.
 */
export async function registerClient(db: Database, given: unknown, at: Date) {
  const metadata = readClientMetadata(given, { isDocument: false })
  const id = newClientId()
  const { rows } = await sql`
    insert into oauth_clients (id, name, redirect_uris, grant_types, created_at, expires_at)
    select ${id}, ${metadata.name}, ${metadata.redirectUris}::text[], ${metadata.grantTypes}::text[], ${at},
      ${secondsLater(at, oauthSeconds.newClient)}
    where (
      select count(*) from (
        select from oauth_clients
        where expires_at between ${at} and ${secondsLater(at, oauthSeconds.newClient)} and starts_with(id, 'client_')
        limit ${maxNewClients}
      ) fresh
    ) < ${maxNewClients}
    returning id`.execute(db)
  if (rows.length === 0)
    throw new OAuthError('temporarily_unavailable', 'Too many clients have registered today. Try again tomorrow.')
  return {
    client_id: id,
    client_id_issued_at: Math.floor(at.getTime() / 1_000),
    client_name: metadata.name,
    redirect_uris: metadata.redirectUris,
    grant_types: metadata.grantTypes,
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: scopeNames.join(' '),
    ...applicationType(given),
  }
}

function applicationType(given: unknown): { application_type?: string } {
  const type = (given as Record<string, unknown>)['application_type']
  return type === 'web' || type === 'native' ? { application_type: type } : {}
}

export async function findRegisteredClient(db: Database, id: string, at: Date): Promise<OAuthClient | null> {
  const row = await db
    .selectFrom('oauth_clients')
    .select(['name', 'redirect_uris', 'grant_types'])
    .where('id', '=', id)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  if (!row) return null
  return { id, name: row.name, verifiedHost: null, redirectUris: row.redirect_uris, grantTypes: row.grant_types }
}

/** Keeps a registered client that is in use. */
export async function keepClient(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx
    .updateTable('oauth_clients')
    .set({ expires_at: secondsLater(at, oauthSeconds.usedClient) })
    .where('id', '=', id)
    .where(sql<boolean>`starts_with(id, 'client_')`)
    .where('expires_at', '<', secondsLater(at, oauthSeconds.usedClient / 2))
    .execute()
}

export const deleteExpiredClients: Purge = (db, at) =>
  deleteInBatches(db, 'oauth_clients', sql`expires_at < ${expiryCutoff('oauth-clients', at)}`)
