import { sql } from 'kysely'
import { clientDocuments } from '../../contract/app-limits.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import type { FetchedDocument, Outbound, OutboundError } from '../../platform/outbound-http/open-outbound.ts'
import { OAuthError } from '../oauth-error.ts'
import { secondsLater } from '../seconds-later.ts'
import { type ClientMetadata, type OAuthClient, readClientMetadata } from './client-metadata.ts'

/** Whether an identifier is the address of a metadata document: https, with a path, without tricks. */
export function isDocumentUrl(id: string): boolean {
  const path = /^https:\/\/[a-z0-9.-]+(\/[^?#]+)(?:\?[^#]*)?$/.exec(id)?.[1]
  if (!path || path === '/' || !/^[\x21-\x7e]+$/.test(id) || id.includes('\\')) return false
  if (path.split('/').some((segment) => ['.', '..'].includes(segment.replaceAll(/%2e/gi, '.')))) return false
  // Numbers that are no IPv4 address, such as 1.2.3.256.
  return URL.canParse(id)
}

export type ClientDocuments = { find: (db: Database, id: string, at: Date) => Promise<OAuthClient> }

/**
 * Clients whose identifier is the address of their metadata document. Documents are cached in the database for as long
 * as their headers say, within bounds. Failed requests and invalid documents are not cached.
 */
export function openClientDocuments(outbound: Pick<Outbound, 'read'>, logger: Logger): ClientDocuments {
  const pending = new Map<string, Promise<Fetched>>()
  return {
    find: async (db, id, at) => {
      const verifiedHost = new URL(id).hostname
      const cached = await db
        .selectFrom('oauth_clients')
        .select(['name', 'redirect_uris', 'grant_types'])
        .where('id', '=', id)
        .where('expires_at', '>', at)
        .executeTakeFirst()
      if (cached)
        return {
          id,
          verifiedHost,
          name: cached.name,
          redirectUris: cached.redirect_uris,
          grantTypes: cached.grant_types,
        }
      if (!pending.has(id) && pending.size >= clientDocuments.maxAtATime) throw busy()
      const fetching = pending.get(id) ?? fetchMetadata(outbound, logger, id).finally(() => pending.delete(id))
      pending.set(id, fetching)
      const { metadata, cacheSeconds } = await fetching
      await store(db, { id, metadata, at, expiresAt: secondsLater(at, cacheSeconds) })
      return { id, verifiedHost, ...metadata }
    },
  }
}

type Fetched = { metadata: ClientMetadata; cacheSeconds: number }

async function fetchMetadata(outbound: Pick<Outbound, 'read'>, logger: Logger, id: string): Promise<Fetched> {
  const document = await outbound.read(id, clientDocuments).catch((error: OutboundError) => {
    logger.warn({ reason: error.kind }, 'could not read the metadata document of an app')
    throw new OAuthError('invalid_client', 'The client’s metadata document could not be read.')
  })
  const type = document.headers['content-type'].split(';')[0]?.trim().toLowerCase() ?? ''
  if (document.status !== 200 || !/^application\/(?:[a-z0-9.+-]+\+)?json$/.test(type))
    throw new OAuthError('invalid_client', 'The client’s metadata document must be JSON, with the status 200.')
  const given = parse(document.body)
  if (given['client_id'] !== id)
    throw new OAuthError('invalid_client_metadata', 'The document’s client_id must be its own address.')
  return { metadata: readClientMetadata(given, { isDocument: true }), cacheSeconds: cacheSeconds(document) }
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const given: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>
  } catch {
    // The parser's message quotes the document, so it is not repeated.
  }
  throw new OAuthError('invalid_client_metadata', 'The client’s metadata document must be a JSON object.')
}

function cacheSeconds({ headers }: FetchedDocument): number {
  const { minCacheSeconds, maxCacheSeconds } = clientDocuments
  const control = headers['cache-control'].toLowerCase()
  const age = /(?:^|[,\s])max-age=([0-9]{1,9})/.exec(control)?.[1]
  if (age === undefined || /no-store|no-cache/.test(control)) return minCacheSeconds
  return Math.min(maxCacheSeconds, Math.max(minCacheSeconds, Number(age)))
}

type Stored = { id: string; metadata: ClientMetadata; at: Date; expiresAt: Date }

/** Does nothing if as many documents as may be are cached: the client works, and its document is read each time. */
async function store(db: Database, { id, metadata, at, expiresAt }: Stored): Promise<void> {
  const { name, redirectUris, grantTypes } = metadata
  const { maxCached } = clientDocuments
  await sql`
    insert into oauth_clients (id, name, redirect_uris, grant_types, created_at, expires_at)
    select ${id}, ${name}, ${redirectUris}::text[], ${grantTypes}::text[], ${at}, ${expiresAt}
    where (
      select count(*) from (
        select from oauth_clients where starts_with(id, 'https://') and expires_at > ${at} and id <> ${id}
        limit ${maxCached}
      ) cached
    ) < ${maxCached}
    on conflict (id) do update set name = excluded.name, redirect_uris = excluded.redirect_uris,
      grant_types = excluded.grant_types, expires_at = excluded.expires_at`.execute(db)
}

const busy = () => new OAuthError('temporarily_unavailable', 'Too many clients are being looked up. Try again.')
