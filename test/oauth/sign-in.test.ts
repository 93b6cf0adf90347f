import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLogger } from '../../src/platform/observability/logger.ts'
import { makePurger } from '../../src/retention.ts'
import { type OwnerBrowser, openOwner, openOwnerBrowser } from '../../tooling/clients/owner.ts'
import { newcomer, newSecretsKey, type Service, startService } from '../../tooling/environment/service.ts'
import {
  ask,
  authorizeQuery,
  connectApp,
  decide,
  newPkce,
  postForm,
  readNewestCode,
  redirectUri,
  register,
  signedIn,
} from '../support/oauth/sign-in.ts'

const secretsKeys = newSecretsKey('test')
let service: Service
before(async () => {
  service = await startService({ settings: { SECRETS_KEYS: secretsKeys } })
})
after(() => service?.[Symbol.asyncDispose]())

test('the metadata names the endpoints, and the resource names the issuer', async () => {
  const issuer = service.accountPageUrl
  const read = async (path: string) => (await fetch(`${issuer}${path}`)).json()
  const metadata = (await read('/.well-known/oauth-authorization-server')) as Record<string, unknown>
  assert.equal(metadata['issuer'], issuer)
  assert.deepEqual(metadata['code_challenge_methods_supported'], ['S256'])
  const resource = (await read('/.well-known/oauth-protected-resource/mcp')) as Record<string, unknown>
  assert.deepEqual([resource['resource'], resource['authorization_servers']], [`${issuer}/mcp`, [issuer]])
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/openid-configuration'])
    assert.equal((await fetch(`${issuer}${path}`)).status, 404, path)
  for (const site of Object.values(service.baseUrls))
    for (const path of Object.values(['oauth-protected-resource/mcp', 'oauth-authorization-server']))
      assert.equal((await fetch(`${site}/.well-known/${path}`)).status, 404, `${site} ${path}`)
})

test('a person without an account signs up, connects an app, and the app gets tokens', async () => {
  const { status, body: client } = await register(service)
  assert.equal(status, 201)
  const pkce = newPkce()
  const browser = openOwnerBrowser(service)
  const path = await ask(browser, authorizeQuery(service, { clientId: client.client_id, pkce }))
  const request = path.slice('/connect/'.length)
  const sent = await browser.submit('/connect/email', { request, email: 'newcomer@example.com' })
  assert.equal(sent.status, 303, sent.page)
  assert.match((await browser.get(path)).page, /newcomer@example\.com/)
  const wrong = await browser.submit('/connect/code', { request, code: '000000' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.page, /4 tries left/)
  const code = await readNewestCode(service, secretsKeys)
  assert.equal((await browser.submit('/connect/code', { request, code })).status, 303)
  assert.match((await browser.get(path)).page, /Create your account/)
  assert.equal((await browser.submit('/connect/sign-up', { request, name: 'New Author' })).status, 422, 'no terms')
  const opened = await browser.submit('/connect/sign-up', { request, name: 'New Author', terms: 'on' })
  assert.deepEqual([opened.status, opened.location], [303, path], opened.page)
  const consent = await browser.get(path)
  assert.match(consent.page, /Connect “Test app”\?/)
  assert.match(consent.page, /not verified/)
  const parameters = await decide(browser, path, { posting: 'publish_with_approval', cap: '2.50' })
  assert.equal(parameters.get('state'), 'a state with spaces & more')
  assert.equal(parameters.get('iss'), service.accountPageUrl)
  const answer = await postForm(service, '/oauth/token', {
    grant_type: 'authorization_code',
    code: String(parameters.get('code')),
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_verifier: pkce.verifier,
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.match(answer.body.access_token, /^bsa_/)
  assert.match(answer.body.refresh_token, /^bsr_/)
  assert.deepEqual([answer.body.scope, answer.body.expires_in], ['read publish_with_approval', 900])
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const [key] = await service.asOwner<Record<string, unknown>>(
    `select k.name, k.scopes, k.daily_cap_micros::int, k.client_host, a.email, a.email_verified_at is not null as verified
     from api_keys k join accounts a on a.id = k.account_id where k.client_id = $1`,
    [client.client_id],
  )
  assert.deepEqual(key, {
    name: 'Test app',
    scopes: ['read', 'publish_with_approval'],
    daily_cap_micros: 2_500_000,
    client_host: 'this computer',
    email: 'newcomer@example.com',
    verified: true,
  })
})

test('a mailbox with accounts chooses among them, and learns nothing before the code', async () => {
  const account = await service.createAccount()
  const [{ email } = { email: '' }] = await service.asOwner<{ email: string }>(
    'select email from accounts where id = $1',
    [account.id],
  )
  const { body: client } = await register(service)
  const browser = openOwnerBrowser(service)
  const path = await ask(browser, authorizeQuery(service, { clientId: client.client_id, pkce: newPkce() }))
  const request = path.slice('/connect/'.length)
  await browser.submit('/connect/email', { request, email })
  const page = await browser.get(path)
  assert.doesNotMatch(page.page, new RegExp(account.id))
  const early = await browser.submit('/connect/account', { request, account: account.id })
  assert.equal(early.status, 422, 'the code comes first')
  await browser.submit('/connect/code', { request, code: await readNewestCode(service, secretsKeys) })
  assert.match((await browser.get(path)).page, /Choose an account/)
  const chosen = await browser.submit('/connect/account', { request, account: account.id })
  assert.equal(chosen.status, 303)
  assert.match((await browser.get(path)).page, /Connect “Test app”/)
})

test('the owner declines, and the app is told so', async () => {
  const account = await service.createAccount()
  const owner = await openOwner(service, account.id)
  const { body: client } = await register(service)
  const browser = signedIn(service, owner.token)
  const path = await ask(browser, authorizeQuery(service, { clientId: client.client_id, pkce: newPkce() }))
  const parameters = await decide(browser, path, { decision: 'deny' })
  assert.deepEqual(
    ['error', 'iss', 'state', 'code'].map((name) => parameters.get(name)),
    ['access_denied', service.accountPageUrl, 'a state with spaces & more', null],
  )
  assert.equal((await browser.get(path)).status, 410)
})

test('tokens are renewed, each once, and a revoked session ends', async () => {
  const account = await service.createAccount()
  const owner = await openOwner(service, account.id)
  const { clientId, tokens } = await connectApp(service, owner.token)
  const renew = (refresh_token: string) =>
    postForm(service, '/oauth/token', { grant_type: 'refresh_token', refresh_token, client_id: clientId })
  const second = await renew(tokens.refresh_token)
  assert.equal(second.status, 200)
  assert.notEqual(second.body.refresh_token, tokens.refresh_token)
  const revoked = await postForm(service, '/oauth/revoke', { token: second.body.refresh_token, client_id: clientId })
  assert.equal(revoked.status, 200)
  assert.equal((await renew(second.body.refresh_token)).body.error, 'invalid_grant')
  const [key] = await service.asOwner<Record<string, unknown>>('select revoked_at from api_keys where client_id = $1', [
    clientId,
  ])
  assert.ok(key?.['revoked_at'], 'an app without a session uses up no place')
})

test('an app that is used stays connected, long after it registered', async () => {
  const account = await service.createAccount()
  const owner = await openOwner(service, account.id)
  const { clientId, tokens } = await connectApp(service, owner.token)
  let refresh_token = tokens.refresh_token
  for (const day of [80, 160, 240, 320]) {
    service.clock.setOffset(day * 86_400_000)
    const form = { grant_type: 'refresh_token', refresh_token, client_id: clientId }
    const { status, body } = await postForm(service, '/oauth/token', form)
    assert.equal(status, 200, `${day}: ${JSON.stringify(body)}`)
    refresh_token = body.refresh_token
  }
  service.clock.setOffset(0)
})

test('an app that stops renewing its tokens is disconnected, and so is one that never used its consent', async () => {
  const account = await service.createAccount()
  const owner = await openOwner(service, account.id)
  const { clientId: silent } = await connectApp(service, owner.token)
  const { clientId: renewing, tokens } = await connectApp(service, owner.token)
  const { body: unused } = await register(service)
  const browser = signedIn(service, owner.token)
  const query = authorizeQuery(service, { clientId: unused.client_id, pkce: newPkce() })
  await decide(browser, await ask(browser, query))
  const connected = async (days: number) => {
    service.clock.setOffset(days * 86_400_000)
    await makePurger({ db: service.workerDb, logger: createLogger('fatal', 'test') })(service.clock.now())
    const rows = await service.asOwner<{ client_id: string }>(
      'select client_id from api_keys where account_id = $1 and client_id is not null and revoked_at is null order by id',
      [account.id],
    )
    return rows.map(({ client_id }) => client_id)
  }
  assert.deepEqual(await connected(0), [silent, renewing, unused.client_id])
  assert.deepEqual(await connected(60), [silent, renewing])
  await postForm(service, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
    client_id: renewing,
  })
  assert.deepEqual(await connected(91), [renewing])
  assert.deepEqual(await connected(151), [])
  service.clock.setOffset(0)
})

const newRequest = async (browser: OwnerBrowser, clientId: string) => {
  const path = await ask(browser, authorizeQuery(service, { clientId, pkce: newPkce() }))
  return { path, request: path.slice('/connect/'.length) }
}

test('a browser that has not entered the code learns nothing of the mailbox, whatever form it sends', async () => {
  const { body: client } = await register(service)
  await service.client().createAccount({ ...newcomer, name: 'Secret Harbour', email: 'private@example.com' })
  const browser = openOwnerBrowser(service)
  const { path, request } = await newRequest(browser, client.client_id)
  await browser.submit('/connect/email', { request, email: 'private@example.com' })
  await browser.get(path)
  for (const [form, fields] of [
    ['/connect/sign-up', { request, name: 'New' }],
    ['/connect/sign-up', { request, name: '', terms: 'on' }],
    ['/connect/sign-up', { request, name: 'New', terms: 'on' }],
    ['/connect/account', { request, account: 'nonsense' }],
  ] as const) {
    const { status, page } = await browser.submit(form, fields)
    assert.equal(status, 422)
    assert.doesNotMatch(page, /Secret Harbour/)
    await browser.get(path)
  }
})

test('strangers who open accounts with an address do not keep its owner from signing up', async () => {
  for (let count = 0; count < 10; count++)
    await service.client().createAccount({ ...newcomer, email: 'wanted@example.com' })
  const { body: client } = await register(service)
  const browser = openOwnerBrowser(service)
  const { path, request } = await newRequest(browser, client.client_id)
  await browser.submit('/connect/email', { request, email: 'wanted@example.com' })
  await browser.get(path)
  await browser.submit('/connect/code', { request, code: await readNewestCode(service, secretsKeys) })
  await browser.get(path)
  const opened = await browser.submit('/connect/sign-up', { request, name: 'New Author', terms: 'on' })
  assert.equal(opened.status, 303, opened.page)
})

test('wrong codes to a mailbox are limited per day, however many codes are sent', async () => {
  service.clock.setOffset(startOfHours)
  // A registration that is not used lasts a day, so it must not begin before that midnight.
  const { body: client } = await register(service)
  const outcomes: number[] = []
  for (let hour = 0; hour < 3; hour++) {
    service.clock.setOffset(startOfHours + hour * 3_700_000)
    for (let code = 0; code < 3; code++) {
      const browser = openOwnerBrowser(service)
      const { path, request } = await newRequest(browser, client.client_id)
      await browser.submit('/connect/email', { request, email: 'guessed@example.com' })
      await browser.get(path)
      const right = await readNewestCode(service, secretsKeys)
      for (let guess = 0; guess < 5; guess++) {
        const wrong = String((Number(right) + 1 + guess) % 1_000_000).padStart(6, '0')
        outcomes.push((await browser.submit('/connect/code', { request, code: wrong })).status)
      }
    }
  }
  const [{ tries } = { tries: 0 }] = await service.asOwner<{ tries: number }>(
    `select sum(tries)::int as tries from mailbox_codes where email = 'guessed@example.com'`,
  )
  assert.equal(tries, 20)
  service.clock.setOffset(0)
})

/** The next midnight, so that all three hours are on one day. */
const startOfHours = 86_400_000 - (Date.now() % 86_400_000) + 60_000

test('an app that is connected already keeps what the owner chose, and the page says so', async () => {
  const account = await service.createAccount()
  const owner = await openOwner(service, account.id)
  const { clientId } = await connectApp(service, owner.token, { posting: 'publish', cap: '2.50' })
  const browser = signedIn(service, owner.token)
  const { path } = await newRequest(browser, clientId)
  const { page } = await browser.get(path)
  assert.match(page, /This app is already connected/)
  assert.match(page, /value="publish" checked/)
  assert.match(page, /name="cap" value="2\.50"/)
})

test('a form that comes after its time gets a link back to the request', async () => {
  const account = await service.createAccount()
  const owner = await openOwner(service, account.id)
  const { body: client } = await register(service)
  const browser = signedIn(service, owner.token)
  const { path } = await newRequest(browser, client.client_id)
  browser.cookies.delete('broadside_owner')
  const late = await browser.submit(path, { decision: 'allow', posting: 'read', cap: '' })
  assert.equal(late.status, 401)
  assert.ok(late.page.includes(`href="${path}"`))
})
