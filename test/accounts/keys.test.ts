import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ApiKeyList, NewApiKey } from '../../clients/typescript/src/index.ts'
import { maxApiKeysPerAccount } from '../../src/contract/limits.ts'
import type { ProblemCode } from '../../src/contract/problems/problems.ts'
import { penalty } from '../../src/ledger/split-transfers.ts'
import { openOwner } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { assertProblem, refusalOf } from '../../tooling/problem-document.ts'

let service: Service
before(async () => {
  service = await startService({ searchesPerKey: 1 })
})
after(() => service[Symbol.asyncDispose]())

type Sent = { bearer?: string; method?: string; body?: unknown; headers?: Record<string, string>; at?: string }

async function send(path: string, { bearer, method = 'GET', body, headers, at = service.baseUrl }: Sent = {}) {
  const response = await fetch(`${at}${path}`, {
    method,
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await refusalOf(response)
  const code = response.status >= 400 ? assertProblem(answer) : null
  return {
    status: response.status,
    headers: response.headers,
    code,
    body: answer.body === '' ? null : JSON.parse(answer.body),
  }
}
type Answer = Awaited<ReturnType<typeof send>>

const keysPath = '/v1/manage/keys'
const createKey = async (bearer: string, wish: object = {}) => {
  const { status, body } = await send(keysPath, { bearer, method: 'POST', body: { name: 'An agent', ...wish } })
  assert.equal(status, 201, JSON.stringify(body))
  return body as NewApiKey
}
const post = (bearer: string, more: Partial<Sent> & { query?: string; text?: string } = {}) => {
  const { query = '', text = `A note ${crypto.randomUUID()} about the tide.`, ...sent } = more
  return send(`/v1/posts${query}`, { bearer, method: 'POST', body: { text }, ...sent })
}
const balanceOf = async (bearer: string) => (await send('/v1/account', { bearer })).body.balance_micros as number
const priceMicros = 20_000

const statusesOf = (answers: readonly Answer[]) =>
  Object.fromEntries(
    Map.groupBy(answers, ({ status, code }) => code ?? String(status))
      .entries()
      .map(([outcome, all]) => [outcome, all.length]),
  )

const standAt = (time: string) => {
  service.clock.now = () => new Date(time)
}

test('of 30 keys requested at once an account gets its maximum, and revoking one allows another', async () => {
  const account = await service.createAccount()
  const { token: bearer } = await openOwner(service, account.id)
  const wish = { bearer, method: 'POST', body: { name: 'One of many' } }
  const answers = await Promise.all(Array.from({ length: 30 }, () => send(keysPath, wish)))
  assert.deepEqual(statusesOf(answers), { 201: maxApiKeysPerAccount - 1, too_many_keys: 31 - maxApiKeysPerAccount })
  const { body } = await send(keysPath, { bearer })
  const { data } = body as ApiKeyList
  assert.deepEqual([data.length, new Set(data.map(({ id }) => id)).size], [20, 20])
  const made = answers.filter(({ status }) => status === 201).map((answer) => answer.body as NewApiKey)
  for (const { api_key } of made.slice(0, 2))
    assert.equal((await send('/v1/account', { bearer: api_key })).body.keys, 20)

  const [first] = made
  assert.ok(first)
  const one = `${keysPath}/${first.id}`
  assert.deepEqual(statusesOf([await send(one, { bearer, method: 'DELETE' })]), { 204: 1 })
  assert.equal((await send('/v1/account', { bearer: first.api_key })).code, 'invalid_api_key')
  assert.equal((await send(one, { bearer, method: 'DELETE' })).code, 'key_not_found')
  const another = await createKey(bearer)
  assert.equal((await send('/v1/account', { bearer: another.api_key })).body.keys, 20)

  const acts = await service.asOwner<{ action: string; count: number }>(
    `select action, count(*)::integer from audit_log where account_id = $1 group by action order by action`,
    [account.id],
  )
  assert.deepEqual(acts, [
    { action: 'owner.create_key', count: 20 },
    { action: 'owner.revoke_key', count: 1 },
  ])
  const [mails] = await service.asOwner<{ count: number }>(
    `select count(*)::integer from pgboss.job_common where name = 'tell-owner' and data ->> 'account_id' = $1`,
    [account.id],
  )
  assert.equal(mails?.count, 20)
})

test('another owner’s key returns 404', async () => {
  const [account, stranger] = [await service.createAccount(), await service.createAccount()]
  const { id, api_key } = await createKey((await openOwner(service, account.id)).token)
  const { token: bearer } = await openOwner(service, stranger.id)
  assert.equal((await send(`${keysPath}/${id}`, { bearer, method: 'DELETE' })).code, 'key_not_found')
  assert.equal((await send('/v1/account', { bearer: api_key })).status, 200)
})

test('a key spends its cap to the last micro-dollar and no more, even with 30 posts at once, until 00:00 UTC', async () => {
  standAt('2030-06-01T23:59:50Z')
  const account = await service.createCustomer(10_000_000)
  const { token } = await openOwner(service, account.id)
  const { id, api_key } = await createKey(token, { daily_cap_micros: 5 * priceMicros })
  const first = await post(api_key, { text: 'The first.', headers: { 'idempotency-key': 'the-first-post' } })
  const answers = await Promise.all(Array.from({ length: 30 }, () => post(api_key)))
  assert.deepEqual(statusesOf([first, ...answers]), { 202: 5, key_cap_reached: 26 })
  assert.equal(await balanceOf(api_key), 10_000_000 - 5 * priceMicros)

  const refused = await post(api_key)
  const { daily_cap_micros, spent_micros, for_human, account_url, retry_after_seconds } = refused.body
  assert.deepEqual([daily_cap_micros, spent_micros, for_human], [5 * priceMicros, 5 * priceMicros, true])
  assert.ok(account_url.startsWith(`${service.accountPageUrl}/o/`))
  assert.deepEqual([refused.headers.get('retry-after'), retry_after_seconds], ['10', 10])
  const tried = await post(api_key, { query: '?dry_run=true' })
  const comparable = ({ body }: Answer) =>
    JSON.parse(JSON.stringify(body), (name, value) => (['instance', 'account_url'].includes(name) ? null : value))
  assert.deepEqual(comparable(tried), comparable(refused), 'a dry run meets the very refusal')

  const again = await post(api_key, { text: 'The first.', headers: { 'idempotency-key': 'the-first-post' } })
  assert.deepEqual([again.status, again.body.id], [202, first.body.id], 'a repeat costs nothing, so no cap holds it')
  assert.equal((await post(account.api_key)).status, 202, 'the other key has no cap')
  const fine = { accountId: account.id, amountMicros: 9 * priceMicros, subject: first.body.id, at: service.clock.now() }
  assert.equal(await service.asWorker((tx) => penalty(tx, fine)), 'done', 'a penalty is never held up')

  standAt('2030-06-01T23:59:59.999Z')
  assert.equal((await post(api_key)).code, 'key_cap_reached')
  standAt('2030-06-02T00:00:00Z')
  assert.equal((await post(api_key)).status, 202)
  const [spent] = await service.asOwner<{ sum: number }>(
    `select sum(amount_micros)::integer from ledger_transfers where key_id = $1 and entered_at < '2030-06-02'`,
    [id],
  )
  assert.equal(spent?.sum, 5 * priceMicros)
})

test('an insufficient balance is reported before the cap', async () => {
  standAt('2030-06-03T12:00:00Z')
  const account = await service.createAccount()
  const { token } = await openOwner(service, account.id)
  const { api_key } = await createKey(token, { daily_cap_micros: 0 })
  assert.equal((await post(api_key)).code, 'insufficient_balance')
  await service.credit(account.id, 1_000_000)
  assert.equal((await post(api_key)).body.daily_cap_micros, 0)
})

test('a read-only key reads and searches within its cap, and changes nothing', async () => {
  standAt('2030-06-04T12:00:00Z')
  const account = await service.createCustomer()
  const { token } = await openOwner(service, account.id)
  const { api_key, scope } = await createKey(token, { scope: 'read', daily_cap_micros: 1_000 })
  assert.equal(scope, 'read')
  const search = () => send('/v1/search?q=ferry', { bearer: api_key })
  const answers = [await search(), await search(), await search()]
  assert.deepEqual(
    answers.map(({ code, body }) => code ?? body.metering.charged_micros),
    [0, 1_000, 'key_cap_reached'],
  )
  assert.equal((await send('/v1/account', { bearer: api_key })).body.balance_micros, 9_999_000)
  for (const refused of [await post(api_key), await post(api_key, { query: '?dry_run=true' })]) {
    assert.equal(refused.code, 'key_read_only')
    assert.ok(refused.body.for_human && refused.body.account_url.startsWith(`${service.accountPageUrl}/o/`))
  }
})

test('a key with scopes can do only what they allow', async () => {
  standAt('2030-06-04T13:00:00Z')
  const account = await service.createCustomer()
  const { token } = await openOwner(service, account.id)
  const key = (wanted: string[]) => createKey(token, { scopes: wanted })
  const { api_key: webhooks, scope, scopes } = await key(['webhooks', 'read', 'webhooks'])
  assert.deepEqual([scope, scopes], ['limited', ['read', 'webhooks']])
  const { api_key: publish } = await key(['publish'])
  const { api_key: settings } = await key(['account'])
  const addWebhook = (bearer: string) =>
    send('/v1/webhooks', {
      bearer,
      method: 'POST',
      body: { url: 'https://example.com/hook', events: ['post.published'] },
    })
  const turnOff = (bearer: string) =>
    send('/v1/account', { bearer, method: 'PATCH', body: { auto_recharge: { enabled: false } } })
  for (const bearer of [webhooks, publish, settings])
    assert.equal((await send('/v1/account', { bearer })).status, 200, 'each scope includes reading')
  // The scope allows the endpoint, but its host does not resolve here.
  assert.deepEqual(
    [(await post(publish)).status, (await addWebhook(webhooks)).status, (await turnOff(settings)).status],
    [202, 422, 200],
  )
  for (const [answer, required] of [
    [await post(webhooks), ['publish', 'publish_with_approval']],
    [await addWebhook(publish), ['webhooks']],
    [await turnOff(publish), ['account']],
  ] as const) {
    assert.equal(answer.code, 'insufficient_scope')
    assert.deepEqual(answer.body.required_scopes, required)
    assert.ok(answer.body.account_url.startsWith(`${service.accountPageUrl}/o/`))
  }
})

test('the owner’s operations work with the owner page’s cookie on its own host, and writes also need its token', async () => {
  standAt('2030-06-05T12:00:00Z')
  const account = await service.createAccount()
  const { token, csrf } = await openOwner(service, account.id)
  const cookie = `broadside_owner=${token}`
  const at = service.accountPageUrl
  const session = await send('/v1/manage/session', { at, headers: { cookie } })
  assert.deepEqual(session.body, { account_id: account.id, csrf_token: csrf, expires_at: '2030-06-05T12:30:00.000Z' })
  assert.equal(session.headers.get('cache-control'), 'no-store')

  const create = (headers: Record<string, string>, host = at) =>
    send(keysPath, { at: host, method: 'POST', body: { name: 'By cookie' }, headers })
  const outcomes: [ProblemCode | 201, Answer][] = [
    ['csrf_token_required', await create({ cookie })],
    ['csrf_token_required', await create({ cookie, 'x-csrf-token': `${csrf.slice(0, -1)}_` })],
    [201, await create({ cookie, 'x-csrf-token': csrf })],
    ['owner_session_required', await create({ cookie: `${cookie}; ${cookie}`, 'x-csrf-token': csrf })],
    ['owner_session_required', await create({ cookie, 'x-csrf-token': csrf, authorization: 'Bearer nonsense' })],
    ['owner_session_required', await create({ cookie, 'x-csrf-token': csrf }, service.baseUrl)],
    [201, await create({ authorization: `Bearer ${token}` })],
    [201, await create({ authorization: `Bearer ${token}` }, String(service.baseUrls['event']))],
    ['owner_session_required', await create({ authorization: `Bearer ${account.api_key}` })],
  ]
  for (const [expected, { status, code }] of outcomes) assert.equal(code ?? status, expected)
  const [withoutKey, withKey] = [outcomes[4]?.[1].body, outcomes.at(-1)?.[1].body]
  assert.match(String(withKey?.account_url), /\/o\//, 'an agent is told where to send its human')
  assert.equal(withoutKey?.account_url, undefined)
  const { data } = (await send(keysPath, { at, headers: { cookie } })).body as ApiKeyList
  assert.equal(data.length, 4)
  const gone = await send(`${keysPath}/${data[3]?.id}`, {
    at,
    method: 'DELETE',
    headers: { cookie, 'x-csrf-token': csrf },
  })
  assert.equal(gone.status, 204)
})

test('the owner page’s host serves only the owner’s operations', async () => {
  const at = service.accountPageUrl
  for (const path of ['/v1/status', '/v1/account', '/v1/search?q=ferry', '/v1/nothing']) {
    const { code, body } = await send(path, { at })
    assert.equal(code, 'not_found', path)
    assert.equal(body.type, `${service.baseUrl}/problems/not_found`)
  }
  const wrong = await send(keysPath, { at, method: 'PUT', body: {} })
  assert.deepEqual([wrong.code, wrong.headers.get('allow')], ['method_not_allowed', 'POST, GET, HEAD'])
  // Also without the gateway, which sends everything but /v1/ and /mcp to the owner page.
  const around = await service.api.inject({ method: 'GET', url: '/search', headers: { host: new URL(at).host } })
  assert.equal(around.statusCode, 404)
})

test('an ended session gives no access, and no key or session appears in a log', async () => {
  const account = await service.createAccount()
  const { token } = await openOwner(service, account.id)
  const { api_key } = await createKey(token)
  await service.asOwner('update owner_sessions set ended_at = created_at where account_id = $1', [account.id])
  assert.equal((await send('/v1/manage/session', { bearer: token })).code, 'owner_session_required')
  const log = service.logLines.join('')
  assert.ok(log.includes('"operation":"createKey"') && log.includes(account.id))
  for (const secret of [api_key, token]) assert.ok(!log.includes(secret))
})

test('a new key takes over the free searches that revoked keys have used, once', async () => {
  const account = await service.createAccount()
  const { token: bearer } = await openOwner(service, account.id)
  const search = async (key: string) => (await send('/v1/search?q=tide', { bearer: key })).status
  const revoke = (id: string) => send(`${keysPath}/${id}`, { bearer, method: 'DELETE' })
  const first = await createKey(bearer)
  assert.deepEqual([await search(first.api_key), await search(first.api_key)], [200, 402])
  await revoke(first.id)
  const second = await createKey(bearer)
  assert.equal(await search(second.api_key), 402)
  const third = await createKey(bearer)
  assert.equal(await search(third.api_key), 200)
  await revoke(second.id)
  await revoke(third.id)
  const { id } = await createKey(bearer)
  const [row] = await service.asOwner<{ used: number }>('select used from allowance_uses where subject = $1', [id])
  assert.equal(row?.used, 2)
})
