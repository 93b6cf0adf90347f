import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { countRows, seedVictim, startFlow, type Victim } from '../../support/oauth/attack.ts'
import { authorizeQuery, newPkce, register } from '../../support/oauth/sign-in.ts'

let service: Service
let victim: Victim
let clientId: string
/** What the attacked app has registered. */
const registered = ['https://app.example.com/oauth/callback', 'http://127.0.0.1/callback', 'http://[::1]/callback']

before(async () => {
  service = await startService()
  victim = await seedVictim(service)
  clientId = (await register(service, { redirect_uris: registered })).body.client_id
})
after(() => service?.[Symbol.asyncDispose]())

const web = 'https://app.example.com/oauth/callback'

/** Addresses that look like a registered one. */
const tricks: Record<string, string> = {
  'another host': 'https://evil.example/oauth/callback',
  'a suffix of the host': 'https://app.example.com.evil.example/oauth/callback',
  'a prefix of the host': 'https://evil-app.example.com/oauth/callback',
  'a subdomain': 'https://x.app.example.com/oauth/callback',
  'the parent domain': 'https://example.com/oauth/callback',
  'a host that ends alike': 'https://evilapp.example.com/oauth/callback',
  'a trailing dot of the host': 'https://app.example.com./oauth/callback',
  'the host in capitals': 'https://APP.example.com/oauth/callback',
  'the scheme in capitals': 'HTTPS://app.example.com/oauth/callback',
  'the path in capitals': 'https://app.example.com/OAuth/callback',
  'plain http': 'http://app.example.com/oauth/callback',
  'a suffix of the path': `${web}/evil`,
  'a suffix without a slash': `${web}evil`,
  'a trailing slash': `${web}/`,
  'a shorter path': 'https://app.example.com/oauth',
  'no path': 'https://app.example.com',
  'a query': `${web}?next=https://evil.example`,
  'an empty query': `${web}?`,
  'a fragment': `${web}#evil`,
  'an empty fragment': `${web}#`,
  'a user name': 'https://app.example.com@evil.example/oauth/callback',
  'a user name and password': 'https://app.example.com:443@evil.example/oauth/callback',
  'an empty user name': 'https://@app.example.com/oauth/callback',
  'the other host as user name': 'https://evil.example@app.example.com/oauth/callback',
  'the default port': 'https://app.example.com:443/oauth/callback',
  'another port': 'https://app.example.com:8443/oauth/callback',
  'an empty port': 'https://app.example.com:/oauth/callback',
  'path traversal': 'https://app.example.com/oauth/callback/../../evil',
  'path traversal to the same place': 'https://app.example.com/oauth/x/../callback',
  'a single dot segment': 'https://app.example.com/oauth/./callback',
  'encoded dots': 'https://app.example.com/oauth/callback/%2e%2e/evil',
  'doubly encoded dots': 'https://app.example.com/oauth/callback/%252e%252e/evil',
  'an encoded slash': 'https://app.example.com/oauth%2fcallback',
  'a doubly encoded slash': 'https://app.example.com/oauth%252fcallback',
  'an encoded letter': 'https://app.example.com/oauth/%63allback',
  'an encoded host letter': 'https://%61pp.example.com/oauth/callback',
  'a doubled slash': 'https://app.example.com//oauth/callback',
  'a path parameter': `${web};evil`,
  'a backslash before the path': 'https://app.example.com\\oauth/callback',
  'a backslash before another host': 'https://evil.example\\@app.example.com/oauth/callback',
  'an encoded backslash': 'https://evil.example%5c@app.example.com/oauth/callback',
  'backslashes for slashes': 'https:\\\\app.example.com\\oauth\\callback',
  'one slash': 'https:/app.example.com/oauth/callback',
  'three slashes': 'https:///app.example.com/oauth/callback',
  'no scheme': '//app.example.com/oauth/callback',
  'a path alone': '/oauth/callback',
  'a homograph in Cyrillic': 'https://аpp.example.com/oauth/callback',
  'a homograph in its xn-- form': 'https://xn--pp-7kc.example.com/oauth/callback',
  'a full-width dot': 'https://app。example.com/oauth/callback',
  'a zero-width space': 'https://app.example\u200b.com/oauth/callback',
  'a soft hyphen': 'https://app.exam\u00adple.com/oauth/callback',
  'a line break': `${web}\r\nLocation: https://evil.example`,
  'an encoded line break': `${web}%0d%0aLocation:%20https://evil.example`,
  'a tab inside the host': 'https://app.exam\tple.com/oauth/callback',
  'a zero byte': `${web}\0.evil.example`,
  'a space in front': ` ${web}`,
  'a space at the end': `${web} `,
  'a script': 'javascript:alert(document.domain)//app.example.com/oauth/callback',
  'a script with a line break': 'java\nscript:alert(1)',
  'a data URL': 'data:text/html,<script>alert(1)</script>',
  'a blob': 'blob:https://app.example.com/0',
  'a file': 'file:///etc/passwd',
  'another app’s scheme': 'cursor://evil/oauth/callback',
  'an app’s scheme that was not registered': 'cursor://anysphere.cursor-mcp/oauth/callback',
  'an intent': 'intent://evil#Intent;scheme=https;end',
  'two addresses': `${web} https://evil.example/`,
  'two addresses with a comma': `${web},https://evil.example/`,
  'a wildcard': 'https://*.example.com/oauth/callback',
  'out of band': 'urn:ietf:wg:oauth:2.0:oob',
  'the address of this server': '/account',
  nothing: '',
}

/** RFC 8252, sections 7.3 and 8.3: only the port may differ. */
const loopbackTricks: Record<string, string> = {
  localhost: 'http://localhost:7777/callback',
  'localhost under another domain': 'http://localhost.evil.example/callback',
  'the address under another domain': 'http://127.0.0.1.evil.example/callback',
  'the address as a user name': 'http://127.0.0.1@evil.example/callback',
  'the address and port as a user': 'http://127.0.0.1:7777@evil.example/callback',
  'another path': 'http://127.0.0.1:7777/other',
  'a longer path': 'http://127.0.0.1:7777/callback/x',
  'a query': 'http://127.0.0.1:7777/callback?x=1',
  'a fragment': 'http://127.0.0.1:7777/callback#x',
  https: 'https://127.0.0.1:7777/callback',
  'another address of this computer': 'http://127.0.0.2:7777/callback',
  'one decimal': 'http://2130706433:7777/callback',
  'one hexadecimal': 'http://0x7f000001:7777/callback',
  octal: 'http://0177.0.0.1:7777/callback',
  'fewer parts': 'http://127.1:7777/callback',
  'all addresses': 'http://0.0.0.0:7777/callback',
  'a trailing dot': 'http://127.0.0.1.:7777/callback',
  'a mapped address': 'http://[::ffff:127.0.0.1]:7777/callback',
  'IPv6 in full': 'http://[0:0:0:0:0:0:0:1]:7777/callback',
  'IPv6 with a zone': 'http://[::1%25lo]:7777/callback',
  'another IPv6 address': 'http://[::2]:7777/callback',
  'a port past the last': 'http://127.0.0.1:70000/callback',
  'a port that is no number': 'http://127.0.0.1:80a/callback',
  'a negative port': 'http://127.0.0.1:-1/callback',
  'two ports': 'http://127.0.0.1:80:80/callback',
  'a private address': 'http://192.168.0.1:7777/callback',
}

/** An error page without any way to the address. */
async function assertPage(query: URLSearchParams | string, what: string) {
  const { status, location, page, headers } = await victim.browser.get(`/oauth/authorize?${query}`)
  assert.ok(status >= 400 && status < 500, `${what}: ${status} ${location}`)
  assert.deepEqual([location, headers.get('refresh')], [null, null], what)
  assert.match(page, /This app cannot be connected/, what)
  assert.doesNotMatch(page, /evil|javascript:alert|data:text/, what)
  assert.equal(headers.getSetCookie().length, 0, what)
}

suite('redirect manipulation (RFC 9700, section 4.1)', () => {
  const count = Object.keys(tricks).length + Object.keys(loopbackTricks).length
  test(`${count} addresses that were not registered end on a page and never redirect`, async () => {
    assert.ok(count >= 60)
    const before = await countRows(service, 'oauth_requests')
    for (const [what, redirect_uri] of Object.entries({ ...tricks, ...loopbackTricks }))
      for (const changes of [{ redirect_uri }, { redirect_uri, response_type: 'token' }])
        await assertPage(authorizeQuery(service, { clientId, pkce: newPkce(), ...changes }), what)
    assert.equal(await countRows(service, 'oauth_requests'), before)
  })

  test('an address that is sent twice, or not at all, ends on a page', async () => {
    const query = authorizeQuery(service, { clientId, pkce: newPkce(), redirect_uri: web })
    await assertPage(`${query}&redirect_uri=${encodeURIComponent(web)}`, 'twice the same')
    await assertPage(`redirect_uri=https%3A%2F%2Fevil.example&${query}`, 'another one first')
    await assertPage(`${query}&redirect_uri=https%3A%2F%2Fevil.example`, 'another one last')
    await assertPage(authorizeQuery(service, { clientId, pkce: newPkce(), redirect_uri: undefined }), 'none')
  })

  test('an unknown client ends on a page', async () => {
    for (const id of [
      'client_0',
      `client_${'0'.repeat(32)}`,
      'https://',
      "' or 1=1 --",
      `${clientId} `,
      'client_\0',
      '',
    ])
      await assertPage(authorizeQuery(service, { clientId: id, pkce: newPkce(), redirect_uri: web }), id)
    const query = authorizeQuery(service, { clientId, pkce: newPkce(), redirect_uri: web })
    await assertPage(`${query}&client_id=${clientId}`, 'two clients')
  })

  test('the port of a loopback address may differ, and nothing else (RFC 8252, section 7.3)', async () => {
    for (const redirect_uri of [
      'http://127.0.0.1/callback',
      'http://127.0.0.1:1/callback',
      'http://[::1]:65535/callback',
    ]) {
      const { path } = await startFlow(service, victim.browser, { clientId, changes: { redirect_uri } })
      const { location } = await victim.browser.submit(path, { decision: 'allow', posting: 'read', cap: '' })
      assert.ok(String(location).startsWith(`${redirect_uri}?code=`), String(location))
    }
  })

  test('the port of an address on the web may not differ', async () => {
    const { body } = await register(service, { redirect_uris: ['https://app.example.com:8443/cb'] })
    for (const redirect_uri of ['https://app.example.com/cb', 'https://app.example.com:8444/cb'])
      await assertPage(
        authorizeQuery(service, { clientId: body.client_id, pkce: newPkce(), redirect_uri }),
        redirect_uri,
      )
  })

  test('no client can register an address that leads elsewhere or runs a script (RFC 7591, section 5)', async () => {
    const acceptable = ['a subdomain', 'another host', 'the parent domain', 'a suffix of the host', 'localhost']
    const shapes = Object.entries({ ...tricks, ...loopbackTricks }).filter(
      ([what, uri]) =>
        !uri.startsWith('https://') && !acceptable.includes(what) && !/^http:\/\/(127\.0\.0\.1|\[::1\])[:/]/.test(uri),
    )
    assert.ok(shapes.length > 30)
    for (const [what, uri] of shapes.filter(([name]) => name !== 'an app’s scheme that was not registered')) {
      const { status, body } = await register(service, { redirect_uris: [web, uri] })
      assert.deepEqual([status, body['error']], [400, 'invalid_redirect_uri'], what)
      assert.ok(!JSON.stringify(body).includes('evil'), 'the error does not repeat the address')
    }
  })
})
