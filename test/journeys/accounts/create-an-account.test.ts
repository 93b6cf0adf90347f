import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import { openOwnerBrowser } from '../../../tooling/clients/owner.ts'
import { newcomer, type Service, startService } from '../../../tooling/environment/service.ts'
import { assertProblem, refusalOf } from '../../../tooling/problem-document.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service[Symbol.asyncDispose]())

test('an agent creates an account, is told to involve its human, and reads its own record on every site', async () => {
  const created = await service.client().createAccount(newcomer)
  assert.equal(created.status, 201)
  assert.match(created.body.id, /^acct_/)
  assert.match(created.body.api_key, /^bsk_[0-9A-Za-z]{49}$/)
  assert.equal(created.body.for_human, true)
  assert.ok(created.body.account_url.startsWith(`${service.accountPageUrl}/o/`))
  for (const baseUrl of Object.values(service.baseUrls)) {
    const response = await fetch(`${baseUrl}/v1/account`, {
      headers: { authorization: `Bearer ${created.body.api_key}` },
    })
    const record = (await response.json()) as Record<string, unknown>
    assert.equal(record['id'], created.body.id)
    assert.equal(record['balance_micros'], 0)
    assert.equal(record['standing'], 'good')
    assert.equal(record['keys'], 1)
    assert.notEqual(record['account_url'], created.body.account_url, 'each call makes a fresh link')
  }
})

test('the owner link works for an hour, shows the account, and masks the email address', async () => {
  const { account_url } = await service.createAccount()
  const browser = openOwnerBrowser(service)
  assert.equal((await browser.get(account_url)).location, '/sign-in')
  const open = await browser.get('/sign-in')
  const { page } = open
  assert.equal(open.status, 200)
  assert.match(page, /Harbour Notices/)
  assert.match(page, /o…@example\.com/)
  assert.doesNotMatch(page, /owner@example\.com/)
  assert.equal(open.headers.get('referrer-policy'), 'no-referrer')
  assert.match(String(open.headers.get('content-security-policy')), /default-src 'none'/)
  service.clock.setOffset(3_601_000)
  assert.equal((await fetch(account_url)).status, 410)
  service.clock.setOffset(0)
})

test('the link shows the account but gives no access: no other method, no other token, no closed account', async () => {
  const { account_url, id } = await service.createAccount()
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    for (const contentType of ['application/json', 'text/xml', 'application/x-www-form-urlencoded']) {
      const refused = await fetch(account_url, { method, headers: { 'content-type': contentType }, body: '{"a":' })
      assert.ok(refused.status >= 400 && refused.status < 500, `${method} ${contentType}: ${refused.status}`)
      assert.match(String(refused.headers.get('content-type')), /^text\/html/)
    }
  assert.equal((await fetch(`${account_url}x`)).status, 410)
  await service.asOwner("update accounts set standing = 'closed' where id = $1", [id])
  assert.equal((await fetch(account_url)).status, 410)
})

test('a name with markup stays text on the owner page', async () => {
  const { body } = await service.client().createAccount({ ...newcomer, name: '<script>alert(1)</script>' })
  const browser = openOwnerBrowser(service)
  await browser.get(body.account_url)
  const { page } = await browser.get('/sign-in')
  assert.match(page, /alert\(1\)/)
  assert.doesNotMatch(page, /<script>/)
})

test('all errors of a body are reported at once, each with its pointer, and no value is repeated', async () => {
  const secret = 'do-not-repeat-me'
  const response = await fetch(`${service.baseUrl}/v1/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: '', email: secret, accept_terms: false, nmae: secret }),
  })
  const refusal = await refusalOf(response)
  assertProblem(refusal, 'validation_failed')
  const { errors } = JSON.parse(refusal.body)
  const pointers = errors.map(({ pointer }: { pointer: string }) => pointer).sort()
  assert.deepEqual(pointers, ['#/accept_terms', '#/email', '#/name', '#/nmae'])
  assert.ok(!refusal.body.includes(secret))
})

test('unaccepted terms have their own problem if nothing else is wrong', async () => {
  const post = (body: unknown) =>
    fetch(`${service.baseUrl}/v1/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const { name, email } = newcomer
  for (const body of [
    { name, email },
    { name, email, accept_terms: false },
    { name, email, accept_terms: 'true' },
  ])
    assertProblem(await refusalOf(await post(body)), 'terms_not_accepted')
  assertProblem(await refusalOf(await post({ email, accept_terms: false })), 'validation_failed')
})

test('an address that cannot receive mail is refused', async () => {
  const create = (length: number) =>
    service.client().createAccount({ ...newcomer, email: `${'x'.repeat(length)}@example.com` })
  assert.equal((await create(64)).status, 201)
  await assert.rejects(create(65), (error) => isProblem(error, 'validation_failed'))
})

test('a name is counted in code points, normalised to NFC and has no hidden characters', async () => {
  const create = (name: string) => service.client().createAccount({ ...newcomer, name })
  assert.equal((await create('🦑'.repeat(80))).status, 201)
  await assert.rejects(create('🦑'.repeat(81)), (error) => isProblem(error, 'validation_failed'))
  assert.equal((await create('Cafe\u0301')).body.name, 'Caf\u00e9')
  for (const hidden of ['a\u202eb', 'a\u200bb', 'a\u0000b', 'a\nb', 'a\u{e0041}b', '\ud800', ' '])
    await assert.rejects(create(hidden), (error) => isProblem(error, 'validation_failed'), JSON.stringify(hidden))
})

test('an agent can turn auto-recharge off, and is referred to its human for anything else', async () => {
  const { client, id } = await service.createAccount()
  await service.asOwner('update accounts set auto_recharge_enabled = true where id = $1', [id])
  assert.equal((await client.getAccount()).body.auto_recharge.enabled, true)
  assert.equal((await client.updateAccount({ auto_recharge: { enabled: false } })).body.auto_recharge.enabled, false)
  for (const change of [
    { enabled: true },
    { threshold_micros: 5 },
    { enabled: false, threshold_micros: 5 },
    { enabled: false, amount_micros: 5 },
  ])
    await assert.rejects(
      client.updateAccount({ auto_recharge: change }),
      (error) =>
        isProblem(error, 'owner_required') &&
        Boolean(error.accountUrl?.startsWith(service.accountPageUrl)) &&
        error.document.for_human === true,
    )
})

test('a deletion request waits for the owner and expires after seven days', async () => {
  const { client } = await service.createAccount()
  const { status, body } = await client.requestAccountDeletion()
  assert.equal(status, 202)
  assert.equal(body.status, 'awaiting_owner')
  const first = (await client.getAccount()).body.deletion
  assert.ok(first)
  await client.requestAccountDeletion()
  assert.deepEqual((await client.getAccount()).body.deletion, first, 'asking again keeps the first date')
  service.clock.setOffset(7 * 86_400_000 + 1_000)
  assert.equal((await client.getAccount()).body.deletion, null)
  service.clock.setOffset(0)
})

test('no log line contains a key, a token, an email address or a name', async () => {
  const { api_key, account_url, client } = await service.createAccount()
  await client.getAccount()
  await fetch(`${service.baseUrl}/v1/account?email=owner@example.com`, {
    headers: { authorization: `Bearer ${api_key}` },
  })
  await fetch(account_url)
  const log = service.logLines.join('')
  assert.ok(log.includes('getAccount'))
  for (const secret of [api_key, account_url.split('/o/')[1], 'owner@example.com', 'Harbour'])
    assert.ok(!log.includes(String(secret)), `the log holds ${secret}`)
})
