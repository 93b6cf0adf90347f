import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { browserAccept, type ServedWithDoors, serveWithDoors } from '../../../test/support/http/gateway.ts'
import type { Answer } from '../../../tooling/network/raw-http.ts'
import { ownerRoutes } from '../../owner-page/routes.ts'
import { ownerEmailForms, usualLimits } from './limit-values.ts'

/** So slow that no test gets a second chance. */
const rate = (burst: number) => ({ perMinute: 1, burst })
const limits = {
  ...usualLimits,
  ownerPage: rate(20),
  ownerForms: rate(7),
  ownerEmails: rate(2),
  ownerEmailsTogether: rate(5),
  desk: rate(4),
  paymentEvents: rate(3),
}
const proxy = '127.0.0.9'

let gateway: ServedWithDoors
before(async () => {
  gateway = await serveWithDoors({ limits, trustedProxies: [proxy] })
})
after(() => gateway?.[Symbol.asyncDispose]())

type Where = keyof ServedWithDoors['ports']
type Sent = Parameters<ServedWithDoors['ask']>[3]

/** As a client with this address, which the proxy reports. */
const askAs = (client: string, where: Where, path: string, sent: Sent = {}) =>
  gateway.ask(proxy, where, path, { ...sent, headers: { ...sent.headers, 'x-forwarded-for': client } })

const form = { method: 'POST', body: 'email=a%40b.example', headers: { accept: browserAccept } }

async function statuses(count: number, send: () => Promise<Answer>): Promise<number[]> {
  const found: number[] = []
  for (let index = 0; index < count; index += 1) found.push((await send()).status)
  return found
}

const allowed = (count: number, refused = 1) => [
  ...new Array<number>(count).fill(200),
  ...new Array<number>(refused).fill(429),
]

test('every location of the owner page and of the desk limits requests, and those in progress, by address', () => {
  const configuration = readFileSync(join(gateway.folder, 'nginx/nginx.conf'), 'utf8')
  const servers = configuration.split(/^ {2}server \{$/m).filter((text) => /set \$people/.test(text))
  assert.equal(servers.length, 4, 'owner page and desk, for clients and for trusted proxies')
  for (const server of servers) {
    assert.match(server, /^ {4}client_max_body_size 16384;$/m)
    const locations = server.split(/^ {4}location /m).slice(1)
    assert.ok(locations.length > 0)
    for (const location of locations) {
      assert.match(location, /^ +limit_req zone=/m, location)
      assert.match(location, /^ +limit_conn \w+ \d+;$/m, location)
    }
  }
})

test('an address that asks too much of the desk gets a page that says when to try again, and others are served', async () => {
  assert.deepEqual(await statuses(6, () => askAs('203.0.113.1', 'desk', '/')), allowed(5))
  const { status, headers, body } = await askAs('203.0.113.1', 'desk', '/', { headers: { accept: browserAccept } })
  assert.deepEqual([status, headers.get('content-type')], [429, 'text/html; charset=utf-8'])
  assert.equal(headers.get('retry-after'), '60')
  assert.match(body, /<h1>Too many requests<\/h1>[\s\S]*Wait 60 seconds, then go back and try again/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.ok(headers.get('content-security-policy'))
  assert.equal((await askAs('203.0.113.2', 'desk', '/')).status, 200)
  assert.equal((await askAs('203.0.113.1', 'owner', '/')).status, 200)
})

test('the usual limits ask people to wait ten seconds', async () => {
  await using usual = await serveWithDoors({ limits: usualLimits })
  const answers = await Promise.all(Array.from({ length: 40 }, () => usual.ask('127.0.0.1', 'owner', '/keys', form)))
  const refused = answers.find(({ status }) => status === 429)
  assert.equal(refused?.headers.get('retry-after'), '10')
})

test('forms of the owner page have a smaller limit than its pages', async () => {
  assert.deepEqual(await statuses(9, () => askAs('203.0.113.3', 'owner', '/account/keys', form)), allowed(8))
  assert.deepEqual(await statuses(5, () => askAs('203.0.113.3', 'owner', '/account/keys')), allowed(5, 0))
})

test('forms that send an email have a limit for each address and one for all of them together', async () => {
  assert.deepEqual(
    ownerEmailForms.filter((path) => !ownerRoutes.some((route) => route.method === 'POST' && route.path === path)),
    [],
  )
  const ask = (client: string) => statuses(4, () => askAs(client, 'owner', '/find-account', form))
  assert.deepEqual(await ask('203.0.113.4'), allowed(3))
  assert.deepEqual(await ask('203.0.113.5'), allowed(3))
  assert.deepEqual(await ask('203.0.113.6'), allowed(0, 4))
  assert.equal((await askAs('203.0.113.6', 'owner', '/find-account')).status, 200, 'the page itself')
  assert.equal((await askAs('203.0.113.6', 'owner', '/account/keys', form)).status, 200, 'other forms')
})

test('the payment provider has a limit of its own and gets a problem document', async () => {
  const send = () => askAs('203.0.113.7', 'owner', '/payments/events', form)
  assert.deepEqual(await statuses(5, send), allowed(4))
  const refused = await send()
  assert.deepEqual([refused.status, JSON.parse(refused.body).code], [429, 'platform_busy'])
})

test('the addresses of an IPv6 /64 count as one, and an IPv4 address counts the same when written as IPv6', async () => {
  const ask = async (client: string) => (await askAs(client, 'desk', '/')).status
  const oneNetwork = [
    '2001:db8:0:1::1',
    '2001:db8:0:1:ffff::2',
    '2001:db8:0:1:a:b:c:d',
    '2001:db8:0:1::',
    '2001:db8:0:1::3',
  ]
  for (const client of oneNetwork) assert.equal(await ask(client), 200, client)
  assert.equal(await ask('2001:db8:0:1::9'), 429)
  assert.equal(await ask('2001:db8:0:2::1'), 200)
  for (const client of ['198.51.100.1', '::ffff:198.51.100.1', '198.51.100.1', '::ffff:198.51.100.1', '198.51.100.1'])
    assert.equal(await ask(client), 200, client)
  assert.equal(await ask('::ffff:198.51.100.1'), 429)
  assert.equal(await ask('::ffff:198.51.100.2'), 200)
})

test('the API has no limit for an address but the ceiling, unless the operator sets one', async () => {
  const count = 60
  assert.deepEqual(await statuses(count, () => askAs('203.0.113.8', 'site', '/v1/status')), allowed(count, 0))
  // The ceiling has a bucket of 31. What the address has too much of is not counted there.
  const rates = { requestsPerSecond: 1, burst: 30 }
  const own = { ...limits, apiRequestsPerSecond: 1 }
  await using limited = await serveWithDoors({ limits: own, ...rates })
  const flood = await Promise.all(Array.from({ length: 40 }, () => limited.ask('127.0.0.2', 'site', '/v1/status')))
  assert.ok(flood.filter(({ status }) => status === 429).length >= 30)
  const [refused] = flood.filter(({ status }) => status === 429)
  assert.equal(JSON.parse(String(refused?.body)).code, 'platform_busy')
  assert.equal(refused?.headers.get('retry-after'), '1')
  const others = await Promise.all(
    Array.from({ length: 20 }, (_, index) => limited.ask(`127.0.1.${index + 1}`, 'site', '/v1/status')),
  )
  assert.deepEqual([...new Set(others.map(({ status }) => status))], [200])
})
