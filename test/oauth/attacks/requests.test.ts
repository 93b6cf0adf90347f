import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { exchange, exchangeForm, seedVictim, startFlow, type Victim } from '../../support/oauth/attack.ts'
import { authorizeQuery, decide, newPkce, redirectUri, register } from '../../support/oauth/sign-in.ts'

let service: Service
let victim: Victim
let clientId: string
before(async () => {
  service = await startService()
  victim = await seedVictim(service)
  clientId = (await register(service)).body.client_id
})
after(() => service?.[Symbol.asyncDispose]())

/** The parameters of an error that the app receives. */
async function errorFor(query: URLSearchParams | string): Promise<URLSearchParams> {
  const { status, location, page } = await victim.browser.get(`/oauth/authorize?${query}`)
  assert.equal(status, 303, page)
  assert.ok(String(location).startsWith(`${redirectUri}?error=`), String(location))
  return new URL(String(location)).searchParams
}

const usual = (changes: Record<string, unknown> = {}) =>
  authorizeQuery(service, { clientId, pkce: newPkce(), ...changes })

suite('mix-up (RFC 9700, section 4.4; RFC 9207)', () => {
  test('a success, a refusal and an error all name the issuer, and the metadata promises it', async () => {
    const allowed = await startFlow(service, victim.browser)
    const denied = await startFlow(service, victim.browser)
    const answers = [
      await decide(victim.browser, allowed.path),
      await decide(victim.browser, denied.path, { decision: 'deny' }),
      await errorFor(usual({ response_type: 'token' })),
      await errorFor(usual({ resource: 'https://other.example/mcp' })),
    ]
    for (const parameters of answers) assert.deepEqual(parameters.getAll('iss'), [service.accountPageUrl])
    const metadata = await (await fetch(`${service.accountPageUrl}/.well-known/oauth-authorization-server`)).json()
    const { issuer, authorization_response_iss_parameter_supported: promised } = metadata as Record<string, unknown>
    assert.deepEqual([issuer, promised], [service.accountPageUrl, true])
  })

  test('a code that was asked for another resource is refused', async () => {
    assert.equal((await errorFor(usual({ resource: `${service.baseUrl}/mcp` }))).get('error'), 'invalid_target')
    const flow = await startFlow(service, victim.browser)
    const code = String((await decide(victim.browser, flow.path)).get('code'))
    const form = exchangeForm(flow, code)
    for (const resource of [`${service.baseUrl}/mcp`, `${service.accountPageUrl}/mcp/`, service.accountPageUrl])
      assert.equal((await exchange(service, { ...form, resource })).body.error, 'invalid_target', resource)
    assert.equal((await exchange(service, { ...form, resource: `${service.accountPageUrl}/mcp` })).status, 200)
  })
})

suite('CSRF on the app (RFC 9700, section 4.7): the state is returned exactly', () => {
  const states = {
    'reserved characters': 'a&b=c#d?e%20f+g/h;i,j',
    quotes: `"'<>\\\``,
    'line breaks and control characters': 'a\r\nb\tc\u0001\u007f',
    'other scripts and emoji': 'привет 世界 🚢 e\u0301 \u202e',
    spaces: '  two  ',
    'a parameter': 'x&code=evil&iss=https://evil.example',
    'the longest': 'x'.repeat(2_048),
  }
  for (const [what, state] of Object.entries(states))
    test(`with ${what}`, async () => {
      const { path } = await startFlow(service, victim.browser, { clientId, changes: { state } })
      const parameters = await decide(victim.browser, path, { decision: 'deny' })
      assert.deepEqual(parameters.getAll('state'), [state])
      assert.deepEqual(parameters.getAll('iss'), [service.accountPageUrl])
      assert.deepEqual((await errorFor(usual({ state, response_type: 'x' }))).getAll('state'), [state])
    })

  test('none is invented if the app sent none', async () => {
    const { path } = await startFlow(service, victim.browser, { clientId, changes: { state: undefined } })
    assert.equal((await decide(victim.browser, path)).has('state'), false)
  })

  test('a zero byte, which cannot be stored, is an error of the app and not of the server', async () => {
    const errors = service.logLines.length
    assert.equal((await errorFor(usual({ state: 'a\0b' }))).get('error'), 'invalid_request')
    assert.equal(service.logLines.slice(errors).filter((line) => line.includes('failed')).length, 0)
  })
})

suite('duplicate parameters (RFC 6749, section 3.1)', () => {
  for (const name of [
    'response_type',
    'code_challenge',
    'code_challenge_method',
    'scope',
    'state',
    'prompt',
    'response_mode',
  ])
    test(`${name} twice is refused`, async () => {
      const query = usual({ prompt: 'consent', response_mode: 'query' })
      const parameters = await errorFor(`${query}&${name}=${encodeURIComponent(query.get(name) ?? '')}`)
      assert.equal(parameters.get('error'), 'invalid_request')
      if (name === 'state') assert.equal(parameters.has('state'), false, 'neither state is returned')
    })

  test('two resources are refused', async () => {
    const query = usual()
    assert.equal((await errorFor(`${query}&resource=https://other.example`)).get('error'), 'invalid_target')
  })

  test('at the token endpoint, every parameter may be sent once', async () => {
    const flow = await startFlow(service, victim.browser)
    const code = String((await decide(victim.browser, flow.path)).get('code'))
    const form = exchangeForm(flow, code)
    for (const [name, value] of Object.entries(form)) {
      const twice = `${new URLSearchParams(form)}&${name}=${encodeURIComponent(value)}`
      const response = await fetch(`${service.accountPageUrl}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: twice,
      })
      const body = (await response.json()) as { error: string }
      assert.deepEqual([response.status, body.error], [400, 'invalid_request'], name)
    }
    assert.equal((await exchange(service, form)).status, 200)
  })
})

suite('grants that leak tokens (RFC 9700, sections 2.1.2 and 2.4)', () => {
  test('no token is returned in a redirect', async () => {
    for (const response_type of ['token', 'id_token', 'code token', 'code id_token', 'none', 'CODE', ' code']) {
      const parameters = await errorFor(usual({ response_type }))
      assert.equal(parameters.get('error'), 'unsupported_response_type', response_type)
      assert.equal(parameters.has('access_token'), false)
    }
    for (const response_mode of ['fragment', 'form_post', 'web_message'])
      assert.equal((await errorFor(usual({ response_mode }))).get('error'), 'invalid_request')
    for (const changes of [{ request: 'x.y.z' }, { request_uri: 'https://evil.example/request' }])
      assert.equal((await errorFor(usual(changes))).get('error'), 'request_not_supported')
  })

  test('passwords, client credentials and assertions are not accepted', async () => {
    const grants = [
      'password',
      'client_credentials',
      'implicit',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      'urn:ietf:params:oauth:grant-type:token-exchange',
      '__proto__',
      'constructor',
      'toString',
    ]
    for (const grant_type of grants) {
      const form = { grant_type, client_id: clientId, username: 'owner@example.com', password: 'x', assertion: 'x.y.z' }
      const { status, body } = await exchange(service, form)
      assert.deepEqual([status, body.error], [400, 'unsupported_grant_type'], grant_type)
    }
  })

  test('consent cannot be skipped', async () => {
    assert.equal((await errorFor(usual({ prompt: 'none' }))).get('error'), 'consent_required')
    for (const prompt of ['login', 'consent', 'select_account'])
      await startFlow(service, victim.browser, { clientId, changes: { prompt } })
  })
})
