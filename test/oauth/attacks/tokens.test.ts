import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { after, before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { newAccessToken } from '../../../src/oauth/secrets.ts'
import { newSecretsKey, type Service, startService } from '../../../tooling/environment/service.ts'
import {
  connect,
  exchange,
  grantCode,
  renew,
  seedVictim,
  startFlow,
  statusWith,
  type Victim,
} from '../../support/oauth/attack.ts'
import { callMcpTool } from '../../support/oauth/mcp-call.ts'
import { postForm, readNewestCode, register } from '../../support/oauth/sign-in.ts'

const secretsKeys = newSecretsKey('test')
let service: Service
let victim: Victim
before(async () => {
  service = await startService({ settings: { SECRETS_KEYS: secretsKeys } })
  victim = await seedVictim(service)
})
after(() => service?.[Symbol.asyncDispose]())

suite('token passthrough and audience (MCP security best practices; RFC 8707; RFC 9700, section 4.10.2)', () => {
  test('a token is refused at every site’s MCP endpoint and API, and by the owner’s API', async () => {
    const { access } = await connect(service, victim.browser)
    const headers = { authorization: `Bearer ${access}` }
    for (const base of Object.values(service.baseUrls)) {
      assert.equal(await statusWith(service, access, `${base}/mcp`), 401)
      for (const path of ['/v1/account', '/v1/posts', '/v1/events', '/v1/webhooks', '/v1/manage/keys'])
        assert.equal((await fetch(`${base}${path}`, { headers })).status, 401, `${base}${path}`)
    }
    for (const path of ['/v1/manage/keys', '/v1/manage/session'])
      assert.equal((await fetch(`${service.accountPageUrl}${path}`, { headers })).status, 401, path)
    assert.equal(await statusWith(service, access), 200)
  })

  test('a token of another audience is refused', async () => {
    const { access, clientId } = await connect(service, victim.browser)
    for (const resource of [`${service.baseUrl}/mcp`, 'https://other.example/mcp', `${service.accountPageUrl}/mcp/`]) {
      await service.asOwner('update oauth_sessions set resource = $1 where client_id = $2', [resource, clientId])
      assert.equal(await statusWith(service, access), 401, resource)
    }
  })

  test('a token acts for its own account only, and a key of another account for that one', async () => {
    const other = await seedVictim(service)
    const { access } = await connect(service, victim.browser)
    const read = async (bearer: string) => {
      const { result } = await callMcpTool(`${service.accountPageUrl}/mcp`, { bearer, name: 'get_account', given: {} })
      return result?.structuredContent?.['id']
    }
    assert.deepEqual(
      [await read(access), await read(other.apiKey), await read(victim.apiKey)],
      [victim.accountId, other.accountId, victim.accountId],
    )
  })

  test('refresh tokens, codes, device codes, session tokens and invented tokens are no access tokens', async () => {
    const { refresh, code, request: id } = await connect(service, victim.browser)
    const { body } = await register(service, { grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] })
    const device = (await postForm(service, '/oauth/device', { client_id: body.client_id })).body.device_code
    for (const token of [refresh, code, id, device, victim.owner.token, newAccessToken(), 'bsa_', 'null', ' '])
      assert.equal(await statusWith(service, token), 401)
  })

  test('an access token is no session of the owner', async () => {
    const { access } = await connect(service, victim.browser)
    const cookies = [`broadside_owner=${access}`, `broadside_owner=${access.slice(0, 43)}`]
    for (const cookie of cookies) {
      const response = await fetch(`${service.accountPageUrl}/account`, { headers: { cookie }, redirect: 'manual' })
      assert.equal(response.headers.get('location'), '/sign-in')
    }
  })
})

suite('tokens in the address (RFC 6750, section 2.3; OAuth 2.1)', () => {
  test('a token in the query or in the body of the message is ignored', async () => {
    const { access } = await connect(service, victim.browser)
    for (const name of ['access_token', 'token', 'bearer', 'authorization', 'api_key'])
      assert.equal(await statusWith(service, undefined, `${service.accountPageUrl}/mcp?${name}=${access}`), 401, name)
    const response = await fetch(`${service.accountPageUrl}/mcp`, {
      method: 'POST',
      body: new URLSearchParams({ access_token: access }),
    })
    assert.ok([401, 415].includes(response.status))
  })

  test('the token endpoint reads its form and not its address', async () => {
    const { form } = await grantCode(service, victim.browser)
    const url = `${service.accountPageUrl}/oauth/token?${new URLSearchParams(form)}`
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await fetch(url, { method: 'POST', headers: type, body: '' })).status, 400)
    for (const method of ['GET', 'PUT', 'DELETE']) assert.ok((await fetch(url, { method })).status >= 400)
    const json = { 'content-type': 'application/json' }
    assert.equal((await fetch(url, { method: 'POST', headers: json, body: JSON.stringify(form) })).status, 400)
    assert.equal((await exchange(service, form)).status, 200)
  })

  test('no response with tokens is cached or says where it came from', async () => {
    const { form } = await grantCode(service, victim.browser)
    const { headers } = await exchange(service, form)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
  })
})

/** A request with other headers than its address says. */
function askAs(path: string, headers: Record<string, string>, method = 'GET') {
  return new Promise<{ status: number; location: string; body: string }>((resolve, reject) => {
    request(`${service.accountPageUrl}${path}`, { method, headers }, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '', body }),
      )
    })
      .on('error', reject)
      .end()
  })
}

suite('forged Host and X-Forwarded headers (RFC 9700, section 4.13)', () => {
  const evil = 'evil.example'
  const forwarded = {
    'x-forwarded-host': evil,
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-port': '1',
    'x-forwarded-prefix': '/evil',
    'x-original-url': 'https://evil.example/',
    'x-rewrite-url': '/evil',
    forwarded: `host=${evil};proto=https`,
    'x-host': evil,
  }
  const documents = ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource/mcp']

  test('the issuer, the endpoints and the challenge stay the same', async () => {
    for (const path of documents) {
      const plain = await askAs(path, {})
      assert.equal((await askAs(path, forwarded)).body, plain.body)
      assert.ok(plain.body.includes(service.accountPageUrl))
    }
    const response = await fetch(`${service.accountPageUrl}/mcp`, {
      method: 'POST',
      headers: { ...forwarded, 'content-type': 'application/json' },
      body: '{}',
    })
    assert.equal(response.status, 401)
    assert.doesNotMatch(String(response.headers.get('www-authenticate')), /evil/)
  })

  test('another host gets nothing of the authorization server', async () => {
    for (const host of [evil, `${evil}:${new URL(service.accountPageUrl).port}`, new URL(service.baseUrl).host])
      for (const path of [...documents, '/oauth/authorize', '/device', '/connect/x']) {
        const { status, body, location } = await askAs(path, { host, ...forwarded })
        assert.ok(status >= 400, `${host} ${path}: ${status}`)
        assert.ok(!body.includes(evil) && location === '')
      }
  })
})

suite('secrets at rest', () => {
  test('no token, code, verifier or cookie is in the log, in an error or in the database', async () => {
    const { body: client } = await register(service, {
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
    })
    const app = await connect(service, victim.browser, { clientId: client.client_id })
    const second = (await renew(service, app.clientId, app.refresh)).body
    const pending = await grantCode(service, victim.browser)
    const device = (await postForm(service, '/oauth/device', { client_id: client.client_id })).body
    const errors = [
      await exchange(service, { ...pending.form, code_verifier: 'x'.repeat(43) }),
      await exchange(service, { ...pending.form, client_id: app.clientId }),
      await renew(service, app.clientId, app.refresh),
      await postForm(service, '/oauth/token', { grant_type: 'x', client_id: client.client_id, code: pending.code }),
    ]
    for (const { status } of errors) assert.equal(status, 400)
    const database = (await promisify(execFile)('pg_dump', [service.database.adminUrl], { maxBuffer: 64 << 20 })).stdout
    const places = { log: service.logLines.join(''), errors: JSON.stringify(errors.map(({ body }) => body)), database }
    const secrets = {
      ...{ access: app.access, refresh: app.refresh, code: app.code, verifier: app.pkce.verifier },
      ...{ renewed: second.access_token, rotated: second.refresh_token, pending: pending.code },
      ...{ device: device.device_code, user: device.user_code, session: victim.owner.token },
    }
    for (const [what, secret] of Object.entries(secrets) as [string, string][])
      for (const form of [secret, Buffer.from(secret).toString('hex'), secret.replace('-', '')])
        for (const [where, text] of Object.entries(places))
          assert.ok(form.length >= 8 && !text.includes(form), `${what} in the ${where}`)
  })

  test('a mailed code is sealed, and the browser’s token is a hash', async () => {
    const { browser } = await seedVictim(service)
    const open = await startFlow(service, browser)
    await browser.submit('/connect/email', { request: open.request, email: 'sealed@example.com' })
    const code = await readNewestCode(service, secretsKeys)
    const cookie = String(browser.cookies.get('broadside_mailbox'))
    const [row = { text: '', sealed: Buffer.alloc(0) }] = await service.asOwner<{ text: string; sealed: Buffer }>(
      'select to_jsonb(m)::text as text, sealed from mailbox_codes m order by id desc limit 1',
    )
    assert.match(code, /^\d{6}$/)
    assert.ok(cookie.length === 43 && !row.text.includes(cookie))
    assert.ok(row.sealed.length > 6 && !row.sealed.toString('latin1').includes(code))
    assert.ok(!service.logLines.join('').includes(cookie))
  })
})
