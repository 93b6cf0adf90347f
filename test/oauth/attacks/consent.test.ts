import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { openOwnerBrowser } from '../../../tooling/clients/owner.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import {
  atOnce,
  connect,
  countRows,
  exchange,
  exchangeForm,
  seedVictim,
  startFlow,
  statusWith,
  type Victim,
} from '../../support/oauth/attack.ts'
import { decide, register } from '../../support/oauth/sign-in.ts'

let service: Service
let victim: Victim
before(async () => {
  service = await startService()
  victim = await seedVictim(service)
})
after(() => service?.[Symbol.asyncDispose]())

const appsOf = ({ accountId }: Victim) =>
  countRows(service, 'api_keys where account_id = $1 and client_id is not null', [accountId])

suite('confused deputy (MCP security best practices)', () => {
  test('consent is asked again for every request, also of an app that is connected', async () => {
    const { clientId } = await connect(service, victim.browser)
    const { path } = await startFlow(service, victim.browser, { clientId })
    const { status, page, location } = await victim.browser.get(path)
    assert.deepEqual([status, location], [200, null])
    assert.match(page, /name="decision" value="allow"/)
  })

  test('what the owner allowed one app is not used for another with the same name and address', async () => {
    const first = await connect(service, victim.browser, { choice: { posting: 'publish' } })
    const copy = await startFlow(service, victim.browser)
    assert.notEqual(copy.clientId, first.clientId)
    assert.match((await victim.browser.get(copy.path)).page, /name="posting" value="publish_with_approval" checked/)
    const before = await appsOf(victim)
    await decide(victim.browser, copy.path, { posting: 'read' })
    assert.equal(await appsOf(victim), before + 1, 'it is an app of its own')
    const [kept] = await service.asOwner<{ scopes: string[] }>('select scopes from api_keys where client_id = $1', [
      first.clientId,
    ])
    assert.deepEqual(kept?.scopes, ['read', 'publish'])
  })

  test('an app cannot approve itself with its token, its code or a key', async () => {
    const app = await connect(service, victim.browser)
    const { path, request } = await startFlow(service, openOwnerBrowser(service), { clientId: app.clientId })
    for (const secret of [app.access, app.refresh, victim.apiKey, request]) {
      const response = await fetch(service.accountPageUrl + path, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          authorization: `Bearer ${secret}`,
          cookie: `broadside_owner=${secret}; broadside_connect=${request}`,
        },
        body: new URLSearchParams({ decision: 'allow', posting: 'publish', cap: '', csrf: secret }),
      })
      assert.deepEqual([response.status, response.headers.get('location')], [401, null])
    }
  })

  test('an app gets no more than it asked for, whatever the form says', async () => {
    const { scope } = await connect(service, victim.browser, {
      changes: { scope: 'read' },
      choice: { posting: 'publish', webhooks: 'on', account: 'on' },
    })
    assert.equal(scope, 'read')
    const drafts = await connect(service, victim.browser, {
      changes: { scope: 'publish_with_approval' },
      choice: { posting: 'publish', account: 'on' },
    })
    assert.equal(drafts.scope, 'read')
  })

  test('a GET of the page decides nothing', async () => {
    const { path, request } = await startFlow(service, victim.browser)
    const query = new URLSearchParams({ decision: 'allow', posting: 'publish', cap: '', csrf: victim.owner.csrf })
    assert.equal((await victim.browser.get(`${path}?${query}`)).status, 200)
    assert.equal(await countRows(service, 'oauth_requests where id = $1 and decided_at is null', [request]), 1)
  })
})

suite('deciding requests', () => {
  test('of 30 decisions at once exactly one counts, and there is one code', async () => {
    const { path, clientId, ...flow } = await startFlow(service, victim.browser)
    const before = await appsOf(victim)
    const answers = await atOnce(30, (index) =>
      victim.owner.post(path, { decision: index % 3 === 0 ? 'deny' : 'allow', posting: 'read', cap: '' }),
    )
    const decided = answers.filter(({ status }) => status === 303)
    assert.equal(decided.length, 1)
    assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [303, 410])
    const parameters = new URL(String(decided[0]?.headers.get('location'))).searchParams
    const code = parameters.get('code')
    assert.equal(await appsOf(victim), before + (code ? 1 : 0))
    if (code) assert.equal((await exchange(service, exchangeForm({ path, clientId, ...flow }, code))).status, 200)
  })

  test('a request that was decided cannot be decided again, by anyone', async () => {
    const other = await seedVictim(service)
    const { path } = await startFlow(service, victim.browser)
    await decide(victim.browser, path, { decision: 'deny' })
    for (const { owner } of [victim, other]) {
      assert.equal((await owner.post(path, { decision: 'allow', posting: 'publish', cap: '' })).status, 410)
      assert.equal((await owner.get(path)).status, 410)
    }
  })

  test('somebody who decides another person’s request gives access to their own account only', async () => {
    const attacker = await seedVictim(service)
    const flow = await startFlow(service, victim.browser)
    const [before, balance] = [await appsOf(victim), await appsOf(attacker)]
    await attacker.browser.get(flow.path)
    const code = String((await decide(attacker.browser, flow.path)).get('code'))
    assert.deepEqual([await appsOf(victim), await appsOf(attacker)], [before, balance + 1])
    const stolen = { ...exchangeForm(flow, code), code_verifier: 'v'.repeat(43) }
    assert.equal((await exchange(service, stolen)).status, 400, 'only the app that asked has the verifier')
    assert.equal((await victim.browser.get(flow.path)).status, 410)
  })

  test('a request that is an hour old cannot be decided', async () => {
    const { path } = await startFlow(service, victim.browser)
    service.clock.setOffset(3_601_000)
    const late = await seedVictim(service)
    assert.equal((await late.owner.post(path, { decision: 'allow', posting: 'read', cap: '' })).status, 410)
    service.clock.setOffset(0)
  })

  test('invented and malformed requests do not exist', async () => {
    for (const id of ['A'.repeat(43), 'x', '%00', `${'A'.repeat(42)}%00`, '..%2f..', "'--", 'Ａ'.repeat(43)]) {
      const { status } = await victim.owner.post(`/connect/${id}`, { decision: 'allow', posting: 'read', cap: '' })
      assert.ok([400, 404, 410].includes(status), `${id}: ${status}`)
    }
  })
})

suite('clickjacking and leaks of the address (RFC 9700, sections 4.16 and 4.2)', () => {
  test('no page of the flow can be framed, cached or named in a Referer', async () => {
    const browser = openOwnerBrowser(service)
    const flow = await startFlow(service, browser, {
      metadata: { redirect_uris: ['https://app.example.com/cb'] },
      changes: { redirect_uri: 'https://app.example.com/cb' },
    })
    const answers = [
      await browser.get(flow.path),
      await victim.browser.get(flow.path),
      await browser.get('/device'),
      await browser.get('/oauth/authorize'),
      await browser.get('/connect/unknown'),
      await browser.submit('/connect/email', { request: flow.request, email: 'frames@example.com' }),
      await browser.get(flow.path),
    ]
    for (const { headers } of answers) {
      const policy = String(headers.get('content-security-policy'))
      assert.match(policy, /^default-src 'none';.*base-uri 'none';.*frame-ancestors 'none'$/)
      assert.doesNotMatch(policy, /unsafe|\*/)
      const others = ['x-frame-options', 'referrer-policy', 'cache-control', 'x-content-type-options']
      assert.deepEqual(
        others.map((name) => headers.get(name)),
        ['DENY', 'no-referrer', 'no-store', 'nosniff'],
      )
    }
    // The app may redirect again, and browsers check every step of a form.
    assert.doesNotMatch(String(answers[1]?.headers.get('content-security-policy')), /form-action/)
  })

  test('the redirect with the code is a 303, which repeats no form (RFC 9700, section 4.12)', async () => {
    const { path } = await startFlow(service, victim.browser)
    const response = await victim.owner.post(path, { decision: 'allow', posting: 'read', cap: '' })
    assert.deepEqual([response.status, await response.text()], [303, ''])
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(response.headers.get('cache-control'), 'no-store')
  })
})

test('no request of the flow lets a script of another site read it with the owner’s cookies', async () => {
  const { path } = await startFlow(service, victim.browser)
  for (const [route, method] of [
    [path, 'GET'],
    ['/oauth/authorize', 'GET'],
    ['/device', 'GET'],
    [path, 'OPTIONS'],
  ] as const) {
    const { headers } = await victim.owner.send(route, { method, headers: { origin: 'https://evil.example' } })
    assert.equal(headers.get('access-control-allow-origin'), null, route)
    assert.equal(headers.get('access-control-allow-credentials'), null)
  }
  const { headers } = await victim.owner.send('/oauth/token', {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
  })
  assert.equal(headers.get('access-control-allow-origin'), '*', 'browsers send no cookies there')
  assert.equal(headers.get('access-control-allow-credentials'), null)
  assert.ok((await register(service)).body.client_id)
  assert.equal(await statusWith(service, undefined), 401)
})
