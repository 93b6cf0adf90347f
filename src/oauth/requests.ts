import { oauthSeconds } from '../contract/app-limits.ts'
import { type Scope, scopeNames } from '../contract/scopes.ts'
import type { Database } from '../platform/database/database.ts'
import type { OAuthClient } from './clients/client-metadata.ts'
import { findClient } from './clients/find-client.ts'
import type { ClientDocuments } from './clients/metadata-documents.ts'
import { isRegisteredRedirect, redirectHost, redirectWith } from './clients/redirect-uris.ts'
import { OAuthError } from './oauth-error.ts'
import { secondsLater } from './seconds-later.ts'
import { newRequestId } from './secrets.ts'

/** The parts of the authorization server that every endpoint needs. */
export type AuthorizationServer = {
  db: Database
  documents: ClientDocuments
  /** The owner page's origin. */
  issuer: string
  at: Date
}

/** What most clients ask for, and what a client without a wish gets. Some ask for everything that is listed. */
export const usualScopes = ['read', 'publish'] as const

/** The only resource that tokens are for. */
export const resourceOf = (issuer: string): string => `${issuer}/mcp`

export type ReceivedRequest = { request: string } | { redirect: string; error: OAuthError } | { refusal: OAuthError }

/**
 * Checks what a client asks for and stores it until the owner decides. Errors go to the client by a redirect, unless
 * the client or its address is wrong: then nobody is redirected.
 */
export async function receiveRequest(server: AuthorizationServer, given: URLSearchParams): Promise<ReceivedRequest> {
  let client: OAuthClient
  let redirectUri: string
  try {
    client = await findClient(server, one(given, 'client_id'), server.at)
    redirectUri = one(given, 'redirect_uri')
    if (!isRegisteredRedirect(client.redirectUris, redirectUri))
      throw new OAuthError('invalid_request', 'The app sent an address that it has not registered.')
  } catch (error) {
    if (error instanceof OAuthError) return { refusal: error }
    throw error
  }
  try {
    const asked = readAsked(given, resourceOf(server.issuer))
    return { request: await store(server, { client, redirectUri, ...asked }) }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return { error, redirect: errorRedirect(redirectUri, error, { state: readState(given), issuer: server.issuer }) }
  }
}

type Returned = { state: string | null; issuer: string }

export const errorRedirect = (uri: string, error: OAuthError, { state, issuer }: Returned): string =>
  redirectWith(uri, { error: error.code, error_description: error.message, state, iss: issuer })

/** A required parameter, which must be sent once. */
export function one(given: URLSearchParams, name: string): string {
  const values = given.getAll(name)
  if (values.length > 1) throw new OAuthError('invalid_request', `${name} is sent more than once.`)
  const [value] = values
  if (!value) throw new OAuthError('invalid_request', `${name} is required.`)
  // PostgreSQL stores no zero bytes.
  if (value.includes('\0')) throw new OAuthError('invalid_request', `${name} contains a zero byte.`)
  return value
}

export const optional = (given: URLSearchParams, name: string): string | null =>
  given.getAll(name).some((value) => value !== '') ? one(given, name) : null

/** A state that is too long or sent twice is not returned. */
function readState(given: URLSearchParams): string | null {
  const [state, ...others] = given.getAll('state')
  return state !== undefined && others.length === 0 && state.length <= 2_048 ? state : null
}

type Asked = { state: string | null; codeChallenge: string; scopes: Scope[]; resource: string }

function readAsked(given: URLSearchParams, resource: string): Asked {
  if (given.has('request') || given.has('request_uri'))
    throw new OAuthError('request_not_supported', 'Send the parameters in the query.')
  if (one(given, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type must be code.')
  if ((optional(given, 'response_mode') ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', 'response_mode must be query.')
  if (optional(given, 'code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256.')
  const codeChallenge = one(given, 'code_challenge')
  if (!/^[\w-]{43}$/.test(codeChallenge))
    throw new OAuthError('invalid_request', 'code_challenge must be a SHA-256 hash in base64url.')
  if (optional(given, 'prompt') === 'none')
    throw new OAuthError('consent_required', 'Only the owner can allow this, on a page.')
  const state = optional(given, 'state')
  if (state !== null && state.length > 2_048) throw new OAuthError('invalid_request', 'state is too long.')
  return { state, codeChallenge, scopes: readScopes(given), resource: readAudience(given, resource) }
}

/** The known scopes of those requested. Unknown ones, and `offline_access`, change nothing. */
export function readScopes(given: URLSearchParams): Scope[] {
  const asked = (optional(given, 'scope') ?? '').split(' ')
  const known = scopeNames.filter((name) => asked.includes(name))
  return known.length > 0 ? known : [...usualScopes]
}

/** A client that names no resource means the only one. */
export function readAudience(given: URLSearchParams, resource: string): string {
  const named = given.getAll('resource').filter((value) => value !== '')
  if (named.length > 1 || (named[0] !== undefined && named[0] !== resource))
    throw new OAuthError('invalid_target', `The only resource is ${resource}.`)
  return resource
}

type NewRequest = Asked & { client: OAuthClient; redirectUri: string }

async function store({ db, at }: AuthorizationServer, { client, redirectUri, ...asked }: NewRequest): Promise<string> {
  const id = newRequestId()
  await db
    .insertInto('oauth_requests')
    .values({
      id,
      client_id: client.id,
      client_name: client.name,
      client_host: hostOf(client, redirectUri),
      redirect_uri: redirectUri,
      state: asked.state,
      code_challenge: asked.codeChallenge,
      scopes: asked.scopes,
      resource: asked.resource,
      created_at: at,
      expires_at: secondsLater(at, oauthSeconds.request),
    })
    .execute()
  return id
}

/** The host that the owner sees: the one that was verified, or else where the code is sent. */
export const hostOf = ({ verifiedHost }: OAuthClient, redirectUri: string | null): string =>
  verifiedHost ?? (redirectUri === null ? 'another device' : redirectHost(redirectUri))

export type OpenRequest = NonNullable<Awaited<ReturnType<typeof findRequest>>>

/** A request that the owner has not decided yet. */
export async function findRequest(db: Database, id: string, at: Date) {
  const found = await db
    .selectFrom('oauth_requests')
    .select(['id', 'client_id', 'client_name', 'client_host', 'redirect_uri', 'state', 'scopes'])
    .where('id', '=', id)
    .where('decided_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  return found ? { ...found, scopes: found.scopes as Scope[] } : null
}
