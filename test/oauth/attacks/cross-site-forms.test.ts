import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { csrfTokenOf } from '../../../src/accounts/sign-in/tokens.ts'
import { ownerRoutes } from '../../../src/owner-page/routes.ts'
import { newSecretsKey, type Service, startService } from '../../../tooling/environment/service.ts'
import { type Flow, seedVictim, startFlow, type Victim } from '../../support/oauth/attack.ts'
import { readNewestCode } from '../../support/oauth/sign-in.ts'

const secretsKeys = newSecretsKey('test')
let service: Service
let victim: Victim
let attacker: Victim
let flow: Flow
/** The right code of the victim, who has not entered it. */
let code: string

before(async () => {
  service = await startService({ settings: { SECRETS_KEYS: secretsKeys } })
  victim = await seedVictim(service)
  attacker = await seedVictim(service)
  flow = await startFlow(service, victim.browser)
  await victim.browser.submit('/connect/email', { request: flow.request, email: 'victim@example.com' })
  code = await readNewestCode(service, secretsKeys)
  const theirs = await startFlow(service, attacker.browser)
  await attacker.browser.submit('/connect/email', { request: theirs.request, email: 'attacker@example.com' })
})
after(() => service?.[Symbol.asyncDispose]())

const forms = ownerRoutes.filter(({ method, path }) => method === 'POST' && /^\/(connect|device)\b/.test(path))

const fields = () => ({
  ...{ request: flow.request, email: 'victim@example.com', code, account: victim.accountId, name: 'New Author' },
  ...{ terms: 'on', decision: 'allow', posting: 'publish', cap: '' },
})

/** Everything that the forms of the flow can change. */
const state = () =>
  service.asOwner(
    `select (select json_agg(t order by t.id) from mailbox_codes t) as codes, (select count(*) from accounts) as accounts,
       (select json_agg(t order by t.id) from oauth_requests t) as requests, (select count(*) from owner_sessions) as sessions,
       (select count(*) from api_keys) as keys`,
  )

const send = (path: string, csrf: string | undefined, headers: Record<string, string>) =>
  victim.browser.send(path.replace(':request', flow.request), {
    method: 'POST',
    body: new URLSearchParams({ ...fields(), ...(csrf !== undefined && { csrf }) }),
    headers,
  })

/** The token of the form that this route would accept from the victim. */
const rightToken = (needs: string) =>
  csrfTokenOf(needs === 'mailbox' ? String(victim.browser.cookies.get('broadside_mailbox')) : victim.owner.token)

suite('CSRF on every form of the flow (RFC 9700, section 4.7)', () => {
  test('there is a form for each step', () => {
    assert.deepEqual(forms.map(({ path }) => path).sort(), [
      '/connect/:request',
      '/connect/account',
      '/connect/code',
      '/connect/email',
      '/connect/sign-up',
      '/device',
    ])
  })

  const foreign: Record<string, () => Record<string, string>> = {
    'a cross-site page': () => ({ origin: service.accountPageUrl, 'sec-fetch-site': 'cross-site' }),
    'a page of another port': () => ({ origin: service.accountPageUrl, 'sec-fetch-site': 'same-site' }),
    'the address bar': () => ({ 'sec-fetch-site': 'none' }),
    'another origin': () => ({ origin: 'https://evil.example' }),
    'an origin that begins alike': () => ({ origin: `${service.accountPageUrl}.evil.example` }),
    'a site of the service': () => ({ origin: service.baseUrl }),
    'a sandboxed page': () => ({ origin: 'null', 'sec-fetch-site': 'cross-site' }),
  }
  for (const [what, headers] of Object.entries(foreign))
    test(`a form from ${what} does nothing, even with the right token`, async () => {
      const before = await state()
      for (const { path, needs } of forms) {
        const { status, location } = await send(path, rightToken(needs), headers())
        assert.deepEqual([status, location], [403, null], path)
      }
      assert.deepEqual(await state(), before)
    })

  test('a form without its token, or with that of another session or step, does nothing', async () => {
    const before = await state()
    const mailbox = String(attacker.browser.cookies.get('broadside_mailbox'))
    const tokens = [
      undefined,
      '',
      attacker.owner.csrf,
      csrfTokenOf(mailbox),
      csrfTokenOf(''),
      csrfTokenOf(flow.request),
      flow.request,
      victim.owner.token,
    ]
    const headers = { origin: service.accountPageUrl, 'sec-fetch-site': 'same-origin' }
    for (const { path, needs } of forms.filter((form) => form.needs !== 'nothing')) {
      const other = needs === 'mailbox' ? victim.owner.csrf : rightToken('mailbox')
      for (const csrf of [...tokens, other])
        assert.equal((await send(path, csrf, headers)).status, 403, `${path} ${csrf}`)
    }
    assert.deepEqual(await state(), before)
  })

  test('the forms without a token change nothing of an account', () => {
    const open = forms.filter(({ needs }) => needs === 'nothing').map(({ path }) => path)
    assert.deepEqual(open.sort(), ['/connect/email', '/device'])
  })

  test('a form in another content type is refused', async () => {
    const before = await state()
    for (const { path, needs } of forms)
      for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x']) {
        const { status } = await victim.browser.send(path.replace(':request', flow.request), {
          method: 'POST',
          headers: { 'content-type': type, origin: service.accountPageUrl },
          body: new URLSearchParams({ ...fields(), csrf: rightToken(needs) }).toString(),
        })
        assert.ok([400, 403, 415].includes(status), `${path} ${type}: ${status}`)
      }
    assert.deepEqual(await state(), before)
  })
})
