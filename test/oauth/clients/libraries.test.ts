import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { deviceGrant } from '../../../src/oauth/clients/client-metadata.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { callMcpTool } from '../../support/oauth/mcp-call.ts'
import { ask, decide, redirectUri, register, signedIn } from '../../support/oauth/sign-in.ts'

let service: Service
let session: string
before(async () => {
  service = await startService()
  const account = await service.createCustomer()
  session = (await openOwner(service, account.id)).token
})
after(() => service?.[Symbol.asyncDispose]())

const resource = () => `${service.accountPageUrl}/mcp`
const read = (token: string) => callMcpTool(resource(), { bearer: token, name: 'get_account', given: {} })

/** The owner allows what the address asks for, and the browser arrives at the app. */
async function allow(url: URL): Promise<URL> {
  const browser = signedIn(service, session)
  const parameters = await decide(browser, await ask(browser, url.searchParams))
  return new URL(`${redirectUri}?${parameters}`)
}

const discoverOpenid = (clientId: string) =>
  openid.discovery(new URL(service.accountPageUrl), clientId, undefined, openid.None(), {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  })

test('openid-client: code with PKCE, renewal, replay and revocation', async () => {
  const { body } = await register(service)
  const config = await discoverOpenid(body.client_id)
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'read publish',
    resource: resource(),
    state: expectedState,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const arrived = await allow(url)
  const tokens = await openid.authorizationCodeGrant(config, arrived, { pkceCodeVerifier, expectedState })
  assert.equal((await read(tokens.access_token)).status, 200)
  const renewed = await openid.refreshTokenGrant(config, String(tokens.refresh_token))
  assert.equal((await read(renewed.access_token)).status, 200)
  await assert.rejects(openid.refreshTokenGrant(config, String(tokens.refresh_token)), { error: 'invalid_grant' })
  assert.equal((await read(renewed.access_token)).status, 401, 'the second use ended the session')
  const again = await openid
    .authorizationCodeGrant(config, arrived, { pkceCodeVerifier, expectedState })
    .catch((error) => error)
  assert.equal(again.error, 'invalid_grant')
  const next = await openid.authorizationCodeGrant(config, await allow(url), { pkceCodeVerifier, expectedState })
  await openid.tokenRevocation(config, String(next.refresh_token))
  assert.equal((await read(next.access_token)).status, 401)
})

test('openid-client: a device without a browser', async () => {
  const { body } = await register(service, { grant_types: [deviceGrant, 'refresh_token'], redirect_uris: undefined })
  const config = await discoverOpenid(body.client_id)
  const device = await openid.initiateDeviceAuthorization(config, { scope: 'read', resource: resource() })
  assert.match(device.user_code, /^[B-Z]{4}-[B-Z]{4}$/)
  const browser = signedIn(service, session)
  assert.match(
    (await browser.get(String(device.verification_uri_complete).slice(service.accountPageUrl.length))).page,
    /Connect a device/,
  )
  const entered = await browser.submit('/device', { code: ` ${device.user_code.toLowerCase().replace('-', ' ')}` })
  assert.equal(entered.status, 303, entered.page)
  await browser.get(String(entered.location))
  const decided = await browser.submit(String(entered.location), { decision: 'allow', posting: 'read', cap: '' })
  assert.equal(decided.location, '/connect/device-connected')
  // The interval belongs to the server; a real device waits.
  const tokens = await openid.pollDeviceAuthorizationGrant(config, { ...device, interval: 0 })
  assert.equal((await read(tokens.access_token)).status, 200)
})

test('oauth4webapi: discovery from the resource, code with PKCE, and a response of the right issuer', async () => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const resourceUrl = new URL(resource())
  const described = await oauth.processResourceDiscoveryResponse(
    resourceUrl,
    await oauth.resourceDiscoveryRequest(resourceUrl, insecure),
  )
  const issuer = new URL(String(described.authorization_servers?.[0]))
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  )
  const registered = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      { client_name: 'Library', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
      insecure,
    ),
  )
  const client: oauth.Client = { client_id: registered.client_id }
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(String(server.authorization_endpoint))
  url.search = String(
    new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'read',
      state,
      resource: String(resourceUrl),
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  )
  const parameters = oauth.validateAuthResponse(server, client, await allow(url), state)
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectUri,
    verifier,
    insecure,
  )
  const { access_token } = await oauth.processAuthorizationCodeResponse(server, client, answer)
  const response = await oauth.protectedResourceRequest(
    access_token,
    'POST',
    resourceUrl,
    new Headers({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    }),
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account' } }),
    insecure,
  )
  assert.equal(response.status, 200)
})
