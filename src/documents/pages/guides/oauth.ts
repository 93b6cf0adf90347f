import { clientDocuments, devicePollSeconds, oauthSeconds } from '../../../contract/app-limits.ts'
import { scopes } from '../../../contract/scopes.ts'
import { inWords } from '../../../contract/time/time-words.ts'
import { commonMcpUrl } from '../../../mcp/servers.ts'
import { deviceGrant } from '../../../oauth/clients/client-metadata.ts'
import { devicePath } from '../../../oauth/device.ts'
import { challenge, oauthPaths, serverMetadata } from '../../../oauth/metadata.ts'
import type { DocumentSite } from '../document-site.ts'
import { curl } from '../examples/curl.ts'
import type { TextFacts } from '../fill.ts'
import { codeFence, jsonFence, markdownTable } from '../markdown-parts.ts'

/** The sign-in of apps, from the tables of the authorization server. */
export function oauthFacts({ accountPageUrl }: DocumentSite): TextFacts {
  const issuer = new URL(accountPageUrl).origin
  return {
    metadata_url: `${issuer}${oauthPaths.metadata}`,
    resource_metadata_url: `${issuer}${oauthPaths.resource}`,
    ...lists(issuer),
    ...challenges(issuer),
    ...lifetimes,
    ...commands(issuer),
    document_bytes: `${clientDocuments.maxBytes / 1_024} KB`,
    document_time: inWords(clientDocuments.timeoutMs / 1_000),
    poll_time: inWords(devicePollSeconds),
    device_page: `${issuer}${devicePath}`,
  }
}

const lists = (issuer: string): TextFacts => ({
  scopes: markdownTable(
    ['Scope', 'What it allows'],
    Object.entries(scopes).map(([name, allows]) => [`\`${name}\``, allows]),
  ),
  endpoints: markdownTable(
    ['Endpoint', 'For'],
    endpoints.map(([path, use]) => [`\`${issuer}${path}\``, use]),
  ),
  grants: serverMetadata(issuer)
    .grant_types_supported.map((type) => `\`${type}\``)
    .join(', '),
})

const endpoints = [
  [oauthPaths.metadata, 'the metadata of the authorization server (RFC 8414)'],
  [oauthPaths.resource, 'the metadata of the MCP server (RFC 9728)'],
  [oauthPaths.authorize, 'the sign-in page, with PKCE (RFC 7636)'],
  [oauthPaths.token, 'access and refresh tokens'],
  [oauthPaths.register, 'dynamic registration of clients (RFC 7591)'],
  [oauthPaths.device, 'codes for devices without a browser (RFC 8628)'],
  [oauthPaths.revoke, 'revocation of tokens (RFC 7009)'],
] as const

const challenges = (issuer: string): TextFacts => ({
  sign_in_challenge: codeFence('text', `401\nWWW-Authenticate: ${challenge(issuer)}`),
  scope_challenge: codeFence(
    'text',
    `403\nWWW-Authenticate: ${challenge(issuer, { error: 'insufficient_scope', scopes: ['read', 'webhooks'] })}`,
  ),
})

const lifetimes: TextFacts = {
  access_token_valid: inWords(oauthSeconds.accessToken),
  refresh_token_valid: inWords(oauthSeconds.refreshToken),
  code_valid: inWords(oauthSeconds.code),
  device_code_valid: inWords(oauthSeconds.device),
  request_valid: inWords(oauthSeconds.request),
  new_client_kept: inWords(oauthSeconds.newClient),
  used_client_kept: inWords(oauthSeconds.usedClient),
}

/** Each can be pasted into a shell, after the values of the responses before it were exported. */
function commands(issuer: string): TextFacts {
  const form = (path: string, fields: Record<string, string>) =>
    [`curl -s ${issuer}${path}`, ...Object.entries(fields).map(([name, value]) => `-d "${name}=${value}"`)].join(
      ' \\\n  ',
    )
  const client = { client_id: '$CLIENT_ID' }
  const fenced = (command: string) => codeFence('sh', command)
  return {
    register_device: fenced(
      curl({
        method: 'POST',
        url: `${issuer}${oauthPaths.register}`,
        body: { client_name: 'My agent', grant_types: [deviceGrant, 'refresh_token'] },
      }),
    ),
    start_device: fenced(form(oauthPaths.device, { ...client, scope: 'read+publish' })),
    device_answer: jsonFence({
      device_code: 'bsd_…',
      user_code: 'BCDF-GHJK',
      verification_uri: `${issuer}${devicePath}`,
      verification_uri_complete: `${issuer}${devicePath}?code=BCDF-GHJK`,
      expires_in: oauthSeconds.device,
      interval: devicePollSeconds,
    }),
    poll_device: fenced(form(oauthPaths.token, { grant_type: deviceGrant, ...client, device_code: '$DEVICE_CODE' })),
    token_answer: jsonFence({
      access_token: 'bsa_…',
      token_type: 'Bearer',
      expires_in: oauthSeconds.accessToken,
      refresh_token: 'bsr_…',
      scope: 'read publish',
    }),
    use_token: fenced(
      curl({
        method: 'POST',
        url: commonMcpUrl(issuer),
        headers: { authorization: 'Bearer $ACCESS_TOKEN', accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account', arguments: {} } },
      }),
    ),
    refresh: fenced(
      form(oauthPaths.token, { grant_type: 'refresh_token', ...client, refresh_token: '$REFRESH_TOKEN' }),
    ),
    revoke: fenced(form(oauthPaths.revoke, { ...client, token: '$REFRESH_TOKEN' })),
  }
}
