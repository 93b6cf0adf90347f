import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { openOwnerBrowser } from '../../../tooling/clients/owner.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { seedVictim, startFlow, type Victim } from '../../support/oauth/attack.ts'
import { authorizeQuery, decide, newPkce, register } from '../../support/oauth/sign-in.ts'

let service: Service
let victim: Victim
before(async () => {
  service = await startService()
  victim = await seedVictim(service)
})
after(() => service?.[Symbol.asyncDispose]())

const evil = 'https://evil.example/phishing'

/** The text of an attribute. */
const plain = (escaped: string) =>
  escaped.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))).replaceAll('&amp;', '&')

suite('the server as an open redirector (RFC 9700, section 4.11.2)', () => {
  test('an app that anyone can register cannot send people to its site by a wrong request', async () => {
    const { body } = await register(service, { redirect_uris: [evil] })
    const faults: Record<string, unknown>[] = [
      { response_type: 'token' },
      { code_challenge: undefined },
      { prompt: 'none' },
      { resource: 'https://other.example/mcp' },
      { request: 'x' },
      { response_mode: 'fragment' },
      { state: 'x'.repeat(2_049) },
    ]
    for (const browser of [victim.browser, openOwnerBrowser(service)])
      for (const fault of faults) {
        const query = authorizeQuery(service, {
          clientId: body.client_id,
          pkce: newPkce(),
          redirect_uri: evil,
          ...fault,
        })
        const { status, location, page, headers } = await browser.get(`/oauth/authorize?${query}`)
        assert.deepEqual([status, location, headers.get('refresh')], [400, null, null], JSON.stringify(fault))
        assert.match(page, /evil\.example/, 'the page says where its link leads')
        const link = /href="(https:[^"]*)"/.exec(page)?.[1] ?? ''
        const parameters = new URL(plain(link)).searchParams
        assert.ok(parameters.get('error'), link)
        assert.equal(parameters.get('iss'), service.accountPageUrl)
      }
  })

  test('a person who is not signed in is never redirected to an app', async () => {
    const { body } = await register(service, { redirect_uris: [evil] })
    const browser = openOwnerBrowser(service)
    const query = authorizeQuery(service, { clientId: body.client_id, pkce: newPkce(), redirect_uri: evil })
    const asked = await browser.get(`/oauth/authorize?${query}`)
    assert.match(String(asked.location), /^\/connect\/[\w-]{43}$/)
    const path = String(asked.location)
    await browser.get(path)
    for (const decision of ['deny', 'allow']) {
      const { status, location } = await browser.submit(path, { decision, posting: 'read', cap: '' })
      assert.deepEqual([status, location], [401, null])
    }
  })

  test('pages of the flow redirect only to pages of this server, whatever the address says', async () => {
    const { path, request } = await startFlow(service, victim.browser)
    const places = [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '%2f%2fevil.example',
      'javascript:alert(1)',
    ]
    const names = [
      'next',
      'return_to',
      'redirect',
      'redirect_uri',
      'url',
      'continue',
      'address',
      'account',
      'code',
      'request',
    ]
    const locations: string[] = []
    const keep = ({ location }: { location: string | null }) => location !== null && locations.push(location)
    for (const place of places) {
      const words = new URLSearchParams(names.map((name) => [name, place]))
      for (const base of [
        path,
        '/device',
        `/connect/${place}`,
        `/connect/${encodeURIComponent(place)}`,
        '/connect/device-connected',
      ])
        keep(await victim.browser.get(`${base}?${words}`))
      for (const base of [
        '/connect/email',
        '/connect/code',
        '/connect/account',
        '/connect/sign-up',
        '/device',
        `/connect/${encodeURIComponent(place)}`,
      ])
        keep(
          await victim.browser.submit(`${base}?${words}`, { ...Object.fromEntries(words), decision: 'allow', cap: '' }),
        )
      keep(await victim.browser.submit('/connect/email', { request, email: 'person@example.com', next: place }))
    }
    assert.deepEqual(
      locations.filter((location) => location !== `${path}?account=another`),
      [],
    )
  })

  test('an app that an owner declines is told so only after the owner decided', async () => {
    const flow = await startFlow(service, victim.browser, {
      metadata: { redirect_uris: [evil] },
      changes: { redirect_uri: evil },
    })
    const parameters = await decide(victim.browser, flow.path, { decision: 'deny' })
    assert.equal(parameters.get('error'), 'access_denied')
  })
})
