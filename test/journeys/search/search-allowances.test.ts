import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseList } from 'structured-headers'
import { newApiKey } from '../../../src/accounts/keys/api-key.ts'
import { penalty } from '../../../src/ledger/split-transfers.ts'
import { openSealing } from '../../../src/platform/sealing.ts'
import { settings } from '../../../src/platform/settings/settings.ts'
import { newSecretsKey, type Service, startService } from '../../../tooling/environment/service.ts'
import { assertProblem, refusalOf } from '../../../tooling/problem-document.ts'
import { meteredOperation } from '../../support/money/metered-operation.ts'
import { verifyTestLedger } from '../../support/money/verify-ledger.ts'

/** Two API processes share the keys, so they count an address under the same pseudonym. */
const secretsKeys = newSecretsKey('test')
const ownAddress = openSealing(settings.SECRETS_KEYS.parse(secretsKeys)).pseudonymOf('127.0.0.1')

let service: Service
let meet = async () => {}
before(async () => {
  const extraOperations = [meteredOperation(() => meet())]
  service = await startService({
    ...{
      searchesPerKey: 100,
      searchesPerAddress: 20,
      apiServers: 2,
      extraOperations,
      settings: { SECRETS_KEYS: secretsKeys },
    },
  })
})
after(() => service[Symbol.asyncDispose]())

/** Stops the clock: all searches without a key come from one address here, so each test uses its own day. */
const standAt = (time: string) => {
  service.clock.now = () => new Date(time)
}

type Asked = { key?: string; path?: string; at?: string; headers?: Record<string, string> }
type Metering = { free_remaining: number; charged_micros: number }

async function ask({ key, path = '/v1/search?q=ferry', at = service.baseUrl, headers = {} }: Asked = {}) {
  const response = await fetch(`${at}${path}`, {
    headers: { ...headers, ...(key && { authorization: `Bearer ${key}` }) },
  })
  const answer = await refusalOf(response)
  const isPage = answer.contentType?.startsWith('text/html')
  if (response.status >= 400 && !isPage) assertProblem(answer)
  const body = (isPage ? {} : JSON.parse(answer.body)) as Record<string, unknown>
  return {
    status: response.status,
    headers: response.headers,
    code: body['code'],
    body,
    metering: (body['metering'] ?? body) as Metering,
    /** r of RateLimit, as another program parses it. */
    remaining: parseList(response.headers.get('ratelimit') ?? '')[0]?.[1].get('r'),
  }
}
const askTimes = (times: number, asked: (index: number) => Asked) =>
  Promise.all(Array.from({ length: times }, (_, index) => ask(asked(index))))
const probe = (doing: string) => `/v1/probe/metered?do=${doing}`

const usedBy = async (subject: string) => {
  const rows = await service.asOwner<{ used: number }>(
    `select sum(used)::integer as used from allowance_uses where subject = $1 and day = $2`,
    [subject, service.clock.now().toISOString().slice(0, 10)],
  )
  return rows[0]?.used ?? 0
}
const keyIdOf = async (accountId: string) =>
  String((await service.asOwner<{ id: string }>('select id from api_keys where account_id = $1', [accountId]))[0]?.id)
const searchCharges = (accountId: string) =>
  service.asOwner<{ amount_micros: string }>(
    `select amount_micros::text from ledger_transfers where account_id = $1 and reason = 'search'`,
    [accountId],
  )

/** A customer who has used up the free daily searches. */
async function customerBeyond(amountMicros: number) {
  const { id, api_key: key, client } = await service.createCustomer(amountMicros)
  const keyId = await keyIdOf(id)
  await service.asOwner(
    `insert into allowance_uses (allowance, subject, day, used) values ('searches-per-key', $1, $2, 100)`,
    [keyId, service.clock.now().toISOString().slice(0, 10)],
  )
  const money = async () => {
    const { balance_micros, owed_micros } = (await client.getAccount()).body
    return { balance_micros, owed_micros }
  }
  return { id, key, keyId, money }
}

async function assertLedgerAgrees() {
  const { sum_micros, difference_count } = await verifyTestLedger(service.database)
  assert.deepEqual({ sum_micros, difference_count }, { sum_micros: '0', difference_count: 0 })
}

test('of 150 concurrent searches with one key over two servers, 100 are free and 50 are charged, to the micro-dollar', async () => {
  standAt('2030-06-01T12:00:00Z')
  const { id, api_key: key, client } = await service.createCustomer(1_000_000)
  let byFirst = 0
  service.api.server.on('request', () => byFirst++)
  const answers = await askTimes(150, () => ({ key }))
  assert.ok(byFirst > 0 && byFirst < 150, `${byFirst} of 150 went to the first server`)
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const free = answers.filter(({ metering }) => metering.charged_micros === 0)
  const left = free.map(({ metering }) => metering.free_remaining).sort((one, other) => one - other)
  assert.deepEqual(
    left,
    Array.from({ length: 100 }, (_, index) => index),
  )
  for (const { metering, remaining } of answers) assert.equal(remaining, metering.free_remaining)
  const charged = answers.filter(({ metering }) => metering.charged_micros > 0)
  assert.deepEqual(
    charged.map(({ metering }) => metering),
    new Array(50).fill({ free_remaining: 0, charged_micros: 1_000 }),
  )
  assert.equal((await client.getAccount()).body.balance_micros, 950_000)
  assert.deepEqual(await searchCharges(id), new Array(50).fill({ amount_micros: '1000' }))
  assert.equal(await usedBy(await keyIdOf(id)), 100)
  await assertLedgerAgrees()
})

/** Where people and programs search without a key: they share the free quota. */
const keylessDoors: Asked[] = [
  { path: '/v1/search?q=ferry' },
  { path: '/search?q=ferry', headers: { accept: 'text/html' } },
]

test('of 60 concurrent searches without a key, by API and page, an address gets 20; the rest are told when to retry', async () => {
  standAt('2030-06-02T12:00:00.500Z')
  const sites = Object.values(service.baseUrls)
  const answers = await askTimes(60, (index) => ({ ...keylessDoors[index % 2], at: sites[index % 4] as string }))
  const answered = answers.filter(({ status }) => status === 200)
  const left = answered.map(({ remaining }) => Number(remaining)).sort((one, other) => one - other)
  assert.deepEqual(
    left,
    Array.from({ length: 20 }, (_, index) => index),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  assert.equal(refused.length, 40)
  for (const { status, code = 'search_allowance_exhausted', headers } of refused) {
    assert.deepEqual([status, code], [429, 'search_allowance_exhausted'])
    assert.equal(headers.get('ratelimit-policy'), '"search-free";q=20;w=86400')
    assert.equal(headers.get('ratelimit'), '"search-free";r=0;t=43200')
    assert.equal(headers.get('retry-after'), '43200')
  }
  for (const { status, headers } of answers) {
    // Going back to the results must not cost another search, so a browser may cache them.
    const kept = status === 200 && headers.get('content-type')?.startsWith('text/html')
    assert.equal(headers.get('cache-control'), kept ? 'private, no-cache' : 'no-store')
    assert.deepEqual(
      [...headers.keys()].filter((name) => /^(x-)?ratelimit-(?!policy$)/.test(name)),
      [],
    )
  }
  assert.equal(await usedBy(ownAddress), 20)
})

test('searches are counted across all sites, with and without a key', async () => {
  standAt('2030-06-03T12:00:00Z')
  const { api_key: key } = await service.createAccount()
  const sites = Object.values(service.baseUrls)
  for (const [index, at] of sites.entries()) {
    const [keyed, keyless] = [await ask({ at, key }), await ask({ at })]
    assert.deepEqual([keyed.remaining, keyless.remaining], [99 - index, 19 - index])
    assert.equal(keyed.headers.get('ratelimit-policy'), '"search-free";q=100;w=86400')
    assert.equal(keyed.headers.get('ratelimit'), `"search-free";r=${99 - index};t=43200`)
  }
})

test('the day ends at exactly 00:00:00 UTC', async () => {
  standAt('2030-06-04T23:59:59.001Z')
  await askTimes(20, () => ({}))
  const moments = ['2030-06-04T23:59:59.001Z', '2030-06-04T23:59:59.999Z']
  for (const moment of moments) {
    standAt(moment)
    const { status, headers } = await ask()
    assert.equal(status, 429)
    assert.equal(headers.get('ratelimit'), '"search-free";r=0;t=1')
    assert.equal(headers.get('retry-after'), '1')
  }
  standAt('2030-06-05T00:00:00.000Z')
  const { status, headers } = await ask()
  assert.equal(status, 200)
  assert.equal(headers.get('ratelimit'), '"search-free";r=19;t=86400')
})

test('without money a search beyond the free quota is refused with a link to the owner, and charged after a top-up', async () => {
  standAt('2030-06-06T12:00:00Z')
  const { id, key, keyId, money } = await customerBeyond(999)
  const refused = await ask({ key })
  assert.deepEqual([refused.status, refused.code], [402, 'insufficient_balance'])
  assert.equal(refused.headers.get('ratelimit-policy'), '"search-free";q=100;w=86400')
  assert.equal(refused.headers.get('ratelimit'), '"search-free";r=0;t=43200')
  assert.equal(refused.headers.get('retry-after'), null)
  const { required_micros, balance_micros, for_human, account_url } = refused.body
  assert.deepEqual(
    { required_micros, balance_micros, for_human },
    { required_micros: 1_000, balance_micros: 999, for_human: true },
  )
  assert.ok(String(account_url).startsWith(`${service.accountPageUrl}/o/`))
  assert.equal(await usedBy(keyId), 100)
  await service.credit(id, 1)
  const paid = await ask({ key })
  assert.deepEqual([paid.status, paid.metering], [200, { free_remaining: 0, charged_micros: 1_000 }])
  assert.equal(paid.remaining, 0)
  assert.deepEqual(await money(), { balance_micros: 0, owed_micros: 0 })
})

test('a debt blocks a paid search', async () => {
  standAt('2030-06-07T12:00:00Z')
  const { id, key } = await customerBeyond(500)
  const fine = { accountId: id, amountMicros: 2_500, subject: `test:${id}`, at: service.clock.now() }
  await service.asOperator((tx) => penalty(tx, fine))
  const { status, body } = await ask({ key })
  assert.equal(status, 402)
  assert.deepEqual([body['required_micros'], body['balance_micros']], [3_000, 0])
  assert.deepEqual(await searchCharges(id), [])
})

test('a call refused before execution does not count', async () => {
  standAt('2030-06-08T12:00:00Z')
  const { id, api_key: key } = await service.createAccount()
  for (const path of ['/v1/search', '/v1/search?q=ferry&nonsense=1', '/v1/search?q=-ferry'])
    for (const asked of [{ path }, { path, key }]) {
      const { code, headers } = await ask(asked)
      assert.equal(code, 'invalid_query')
      assert.equal(headers.get('ratelimit'), null)
    }
  assert.equal((await ask({ key: newApiKey() })).status, 401)
  assert.equal(await usedBy(ownAddress), 0)
  assert.equal(await usedBy(await keyIdOf(id)), 0)
})

test('a search that fails on the server, breaks its schema or is refused by its handler is returned and not charged', async () => {
  standAt('2030-06-09T12:00:00Z')
  const fresh = await service.createCustomer(5_000)
  const beyond = await customerBeyond(5_000)
  const outcomes = { fail: 500, misfit: 500, refuse: 404 }
  for (const [doing, status] of Object.entries(outcomes))
    for (const asked of [{}, { key: fresh.api_key }, { key: beyond.key }])
      assert.equal((await ask({ ...asked, path: probe(doing) })).status, status, doing)
  assert.equal(await usedBy(ownAddress), 0)
  assert.equal(await usedBy(await keyIdOf(fresh.id)), 0)
  assert.equal(await usedBy(beyond.keyId), 100)
  assert.deepEqual(await searchCharges(beyond.id), [])
})

test('of two searches when the balance covers only one, one succeeds', async () => {
  standAt('2030-06-10T12:00:00Z')
  const { id, key, money } = await customerBeyond(1_500)
  const both = Promise.withResolvers<void>()
  let here = 0
  meet = () => {
    if (++here === 2) both.resolve()
    return both.promise
  }
  const answers = await askTimes(2, () => ({ key, path: probe('meet') }))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 402])
  const refused = answers.find(({ status }) => status === 402)
  assert.equal(refused?.remaining, 0)
  assert.equal(refused?.body['required_micros'], 1_000)
  assert.ok(refused?.body['account_url'])
  assert.deepEqual(await money(), { balance_micros: 500, owed_micros: 0 })
  assert.equal((await searchCharges(id)).length, 1)
})
