import { scopeNames } from '../contract/scopes.ts'
import { grantTypes } from './clients/client-metadata.ts'
import { resourceOf, usualScopes } from './requests.ts'

export const oauthPaths = {
  metadata: '/.well-known/oauth-authorization-server',
  resource: '/.well-known/oauth-protected-resource/mcp',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  device: '/oauth/device',
} as const

/** RFC 8414. The issuer must be the same text as in the resource's metadata. */
export const serverMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}${oauthPaths.authorize}`,
  token_endpoint: `${issuer}${oauthPaths.token}`,
  registration_endpoint: `${issuer}${oauthPaths.register}`,
  revocation_endpoint: `${issuer}${oauthPaths.revoke}`,
  device_authorization_endpoint: `${issuer}${oauthPaths.device}`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: grantTypes,
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  scopes_supported: [...scopeNames, 'offline_access'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${issuer}/`,
})

/** RFC 9728, for the one endpoint that accepts tokens. */
export const resourceMetadata = (issuer: string) => ({
  resource: resourceOf(issuer),
  authorization_servers: [issuer],
  scopes_supported: usualScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Broadside',
})

type Challenge = { error?: 'invalid_token' | 'insufficient_scope'; scopes?: readonly string[] }

/** The value of WWW-Authenticate at the endpoint that accepts tokens. Without credentials, there is no error. */
export function challenge(issuer: string, { error, scopes = usualScopes }: Challenge = {}): string {
  const parts = [
    ...(error ? [`error="${error}"`] : []),
    ...(error === 'invalid_token' ? [] : [`scope="${scopes.join(' ')}"`]),
    `resource_metadata="${issuer}${oauthPaths.resource}"`,
  ]
  return `Bearer ${parts.join(', ')}`
}
