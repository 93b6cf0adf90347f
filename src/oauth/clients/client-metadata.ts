import { z } from 'zod'
import { line } from '../../contract/fields.ts'
import { OAuthError } from '../oauth-error.ts'
import { isAcceptableRedirect } from './redirect-uris.ts'

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
export const grantTypes = ['authorization_code', 'refresh_token', deviceGrant] as const

export type OAuthClient = {
  id: string
  name: string
  /** The host that serves the client's metadata document; null for a client that registered itself. */
  verifiedHost: string | null
  redirectUris: readonly string[]
  grantTypes: readonly string[]
}

export type ClientMetadata = { name: string; redirectUris: string[]; grantTypes: string[] }

const metadata = z.object({
  client_name: line(1, 80).optional(),
  redirect_uris: z.array(z.string()).min(1).max(30).optional(),
  grant_types: z.array(z.string().max(100)).max(10).default(['authorization_code', 'refresh_token']),
  response_types: z.array(z.string().max(100)).max(10).default(['code']),
  token_endpoint_auth_method: z.string().default('none'),
  token_endpoint_auth_methods_supported: z.array(z.string().max(100)).max(20).default([]),
})

/**
 * Reads what a client says of itself, in a registration or in its document. Only public clients exist here, so a
 * secret in a document is an error.
 */
export function readClientMetadata(given: unknown, { isDocument }: { isDocument: boolean }): ClientMetadata {
  const read = metadata.safeParse(given)
  if (!read.success) throw invalid('client_name, redirect_uris or grant_types is missing or invalid.')
  const { client_name, redirect_uris = [], grant_types, response_types } = read.data
  const known = grant_types.filter((type) => (grantTypes as readonly string[]).includes(type))
  if (redirect_uris.length === 0 && !known.includes(deviceGrant)) throw invalid('redirect_uris is required.')
  if (!redirect_uris.every(isAcceptableRedirect))
    throw new OAuthError('invalid_redirect_uri', 'Use https, or http on 127.0.0.1, [::1] or localhost.')
  if (!response_types.includes('code')) throw invalid('response_types must include code.')
  if (isDocument) {
    if (client_name === undefined) throw invalid('client_name is required.')
    if (Object.keys(given as object).some((name) => name.startsWith('client_secret')))
      throw invalid('A metadata document must not contain a secret.')
    const { token_endpoint_auth_method: usual, token_endpoint_auth_methods_supported: others } = read.data
    // Some clients usually sign with a key and can also do without.
    if (usual !== 'none' && !others.includes('none')) throw invalid('token_endpoint_auth_method must be none.')
  }
  return { name: client_name ?? 'App without a name', redirectUris: redirect_uris, grantTypes: known }
}

const invalid = (description: string) => new OAuthError('invalid_client_metadata', description)
