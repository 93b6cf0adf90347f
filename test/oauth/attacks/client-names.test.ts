import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { seedVictim, startFlow, type Victim } from '../../support/oauth/attack.ts'
import { decide, register } from '../../support/oauth/sign-in.ts'

let service: Service
let victim: Victim
before(async () => {
  service = await startService()
  victim = await seedVictim(service)
})
after(() => service?.[Symbol.asyncDispose]())

suite('hostile client names (client id metadata draft, section 8.5; RFC 7591, section 5)', () => {
  const refused: Record<string, unknown> = {
    'text that runs backwards': 'Good\u202edaB',
    'isolated text': 'App\u2066evil\u2069',
    'a zero-width space': 'Broad\u200bside',
    'a line break': 'App\r\nBcc: evil@example.com',
    'a control character': 'App\u0007',
    'a zero byte': 'App\0',
    'half a character': 'App\ud800',
    '10,000 characters': 'x'.repeat(10_000),
    '81 characters': 'x'.repeat(81),
    nothing: '',
    blanks: '   ',
    'a list': ['App'],
    'an object': { toString: 'App' },
    'a number': 7,
  }
  for (const [what, client_name] of Object.entries(refused))
    test(`a name with ${what} is refused and not repeated`, async () => {
      const { status, body } = await register(service, { client_name })
      assert.deepEqual([status, body['error']], [400, 'invalid_client_metadata'])
      assert.doesNotMatch(JSON.stringify(body), /evil|xxx/)
    })

  const shown = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</title><h1>Hello</h1>',
    '&lt;b&gt; $(name) {{name}} <%= name %>',
    'עברית ثم العربية',
  ]
  for (const client_name of shown)
    test(`the name ${client_name} is only text on every page and in the account`, async () => {
      const { path } = await startFlow(service, victim.browser, { metadata: { client_name } })
      const pages = [(await victim.browser.get(path)).page, (await victim.browser.get('/account')).page]
      await decide(victim.browser, path, { posting: 'read' })
      pages.push((await victim.browser.get('/account/keys')).page)
      for (const page of pages) {
        assert.doesNotMatch(page, /<script>alert|<img|<h1>Hello|onmouseover='|onerror=alert\(1\)>/)
        assert.match(page, /<bdi>|dir="auto"/)
      }
    })

  test('a name that suggests this service comes with a warning, and the page shows who gets the access', async () => {
    for (const client_name of ['Broadside', 'Brοadside Support', 'BROADSIDE official', 'Support team', 'Claude']) {
      const { path } = await startFlow(service, victim.browser, {
        metadata: { client_name, redirect_uris: ['https://evil.example/cb'] },
        changes: { redirect_uri: 'https://evil.example/cb' },
      })
      const { page } = await victim.browser.get(path)
      assert.match(page, /not verified/)
      assert.match(page, /<strong>evil\.example<\/strong>/)
      if (client_name !== 'Claude') assert.match(page, /This app is not from Broadside/, client_name)
      else assert.doesNotMatch(page, /This app is not from Broadside/)
    }
  })

  test('an app that copies another’s name is listed with its own address', async () => {
    const copy = 'https://copy.example/cb'
    const { path } = await startFlow(service, victim.browser, {
      metadata: { client_name: 'Test app', redirect_uris: [copy] },
      changes: { redirect_uri: copy },
    })
    assert.match((await victim.browser.get(path)).page, /copy\.example/)
    await decide(victim.browser, path, { posting: 'read' })
    assert.match((await victim.browser.get('/account/keys')).page, /copy\.example/)
  })

  test('an international host is shown in its ASCII form', async () => {
    const uri = 'https://xn--pple-43d.com/cb'
    const { path } = await startFlow(service, victim.browser, {
      metadata: { redirect_uris: [uri] },
      changes: { redirect_uri: uri },
    })
    const { page } = await victim.browser.get(path)
    assert.match(page, /xn--pple-43d\.com/)
    assert.doesNotMatch(page, /аpple/)
  })
})

suite('hostile registrations (RFC 7591, section 5)', () => {
  test('a client cannot choose its identifier, a secret, a logo or its scopes', async () => {
    const { status, body } = await register(service, {
      client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
      client_secret: 'secret',
      logo_uri: 'https://evil.example/logo.png',
      jwks_uri: 'http://169.254.169.254/',
      scope: 'admin',
      token_endpoint_auth_method: 'client_secret_basic',
      __proto__: { admin: true },
    })
    assert.equal(status, 201)
    assert.match(body.client_id, /^client_[0-9a-f]{32}$/)
    assert.deepEqual([body['client_secret'], body['logo_uri'], body['jwks_uri']], [undefined, undefined, undefined])
    assert.equal(body['token_endpoint_auth_method'], 'none')
    assert.equal(service.dns.questions.length, 0, 'no address in a registration is looked up')
  })

  test('what is too large, too deep or no JSON is refused without an error of the server', async () => {
    const lines = service.logLines.length
    const bodies = [
      '',
      'null',
      '[]',
      '7',
      '"x"',
      '{',
      '['.repeat(5_000),
      `{"client_name":"${'x'.repeat(20_000)}"}`,
      '{"redirect_uris":{}}',
    ]
    for (const body of bodies)
      for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
        const headers = { 'content-type': type }
        const response = await fetch(`${service.accountPageUrl}/oauth/register`, { method: 'POST', headers, body })
        assert.ok([400, 413].includes(response.status), `${body.slice(0, 20)} ${type}: ${response.status}`)
      }
    assert.equal((await register(service, { redirect_uris: Array(31).fill('https://a.example/') })).status, 400)
    assert.equal((await register(service, { grant_types: ['password'] })).status, 201, 'unknown grants are dropped')
    assert.equal(service.logLines.slice(lines).filter((line) => line.includes('"failed"')).length, 0)
  })
})
