import assert from 'node:assert/strict'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { after, before, test } from 'node:test'
import { openSealing } from '../../../src/platform/sealing.ts'
import { settings } from '../../../src/platform/settings/settings.ts'
import { newcomer, newSecretsKey, type Service, startService } from '../../../tooling/environment/service.ts'
import { newSecret } from '../../../tooling/services/development.ts'

const [current, former] = [newSecret(), newSecret()]
const proxy = '127.0.0.9'
const secretsKeys = newSecretsKey('test')

let service: Service
before(async () => {
  service = await startService({
    accountsPerAddress: 2,
    settings: { GATEWAY_SECRET: `${current},${former}`, SECRETS_KEYS: secretsKeys },
    trustedProxies: [proxy, '10.0.0.0/8', '2001:db8:1::/48'],
  })
  // The day must not end while a test counts.
  service.clock.setOffset(Date.parse('2030-06-01T12:00:00Z') - Date.now())
})
after(() => service[Symbol.asyncDispose]())

type Asked = { from: string; headers?: OutgoingHttpHeaders; port?: number }

/** Requests an account from an address of this machine. A list of values is sent as separate headers. */
function create({ from, headers = {}, port }: Asked): Promise<{ status: number; requestId: string }> {
  const host = new URL(service.baseUrl).host
  return new Promise((resolve, reject) => {
    const asked = request({
      ...{ host: '127.0.0.1', port: port ?? Number(new URL(service.baseUrl).port), localAddress: from, agent: false },
      ...{ method: 'POST', path: '/v1/accounts', headers: { host, 'content-type': 'application/json', ...headers } },
    })
    asked.once('error', reject).once('response', async (response) => {
      await response.toArray()
      resolve({ status: Number(response.statusCode), requestId: String(response.headers['x-request-id']) })
    })
    asked.end(JSON.stringify(newcomer))
  })
}

const around = (asked: Asked) => create({ ...asked, port: service.apiPort })

/** The addresses counted since the last call. */
async function counted(): Promise<string[]> {
  const rows = await service.asOwner<{ subject: string }>('delete from allowance_uses returning subject')
  return rows.map(({ subject }) => subject).sort()
}

/** The pseudonyms of these addresses in the table, which does not contain the addresses. */
const hidden = (...addresses: string[]) => {
  const { pseudonymOf } = openSealing(settings.SECRETS_KEYS.parse(secretsKeys))
  return addresses.map((address) => pseudonymOf(address)).sort()
}

const forgeries: OutgoingHttpHeaders[] = [
  { 'x-forwarded-for': '203.0.113.1' },
  { 'x-forwarded-for': '203.0.113.2, 203.0.113.3' },
  { 'x-forwarded-for': ['203.0.113.4', '203.0.113.5'] },
  { 'x-forwarded-for': '2001:db8:2::1' },
  { 'x-forwarded-for': proxy },
  { 'x-forwarded-for': '' },
  { forwarded: 'for=203.0.113.6;by=203.0.113.7' },
  { 'x-real-ip': '203.0.113.8', 'client-ip': '203.0.113.9', 'x-client-ip': '203.0.113.10' },
  { 'x-forwarded-for': '203.0.113.11', 'x-gateway-secret': newSecret() },
  { 'x-forwarded-for': '203.0.113.12', 'x-gateway-secret': ['', current] },
]

test('through the gateway a caller is counted by its address, whatever its headers claim', async () => {
  const statuses: number[] = []
  for (const headers of forgeries) statuses.push((await create({ from: '127.0.0.3', headers })).status)
  assert.deepEqual(statuses, [201, 201, ...new Array<number>(forgeries.length - 2).fill(429)])
  assert.equal((await create({ from: '127.0.0.4' })).status, 201)
  // Sending a secret makes no difference to the gateway either.
  const knowing = { 'x-forwarded-for': '203.0.113.13', 'x-gateway-secret': current }
  assert.equal((await create({ from: '127.0.0.3', headers: knowing })).status, 429)
  assert.deepEqual(await counted(), hidden('127.0.0.3', '127.0.0.4'))
})

test('without the gateway a caller is counted by its connection', async () => {
  const statuses: number[] = []
  for (const headers of forgeries) statuses.push((await around({ from: '127.0.0.5', headers })).status)
  assert.deepEqual(statuses, [201, 201, ...new Array<number>(forgeries.length - 2).fill(429)])
  // The gateway's own address is no proof, and neither is a proxy's.
  for (const from of ['127.0.0.1', proxy])
    assert.equal((await around({ from, headers: { 'x-forwarded-for': '203.0.113.1' } })).status, 201)
  assert.deepEqual(await counted(), hidden('127.0.0.1', '127.0.0.5', proxy))
})

test('the secret authenticates the gateway, and both secrets are valid during a rotation', async () => {
  for (const secret of [current, former])
    await around({ from: '127.0.0.6', headers: { 'x-forwarded-for': '203.0.113.20', 'x-gateway-secret': secret } })
  assert.deepEqual(await counted(), hidden('203.0.113.20'))
})

test('only the gateway can set a request id', async () => {
  const headers = { 'x-request-id': 'a'.repeat(32) }
  assert.notEqual((await around({ from: '127.0.0.7', headers })).requestId, headers['x-request-id'])
  assert.notEqual((await create({ from: '127.0.0.7', headers })).requestId, headers['x-request-id'])
  const proven = { ...headers, 'x-gateway-secret': current }
  assert.equal((await around({ from: '127.0.0.7', headers: proven })).requestId, headers['x-request-id'])
  await counted()
})

const chains: [forwarded: string | string[], counted: string][] = [
  ['203.0.113.30', '203.0.113.30'],
  ['192.0.2.1, 203.0.113.31', '203.0.113.31'],
  ['192.0.2.1, 203.0.113.32, 10.1.2.3, 10.4.5.6', '203.0.113.32'],
  [['192.0.2.1', '203.0.113.33'], '203.0.113.33'],
  [['203.0.113.34', '10.1.2.3'], '203.0.113.34'],
  ['nonsense, 203.0.113.35', '203.0.113.35'],
  ['10.9.9.9, 203.0.113.36', '203.0.113.36'],
  ['192.0.2.1, 2001:db8:2:3::4, 2001:db8:1::5', '2001:db8:2:3::/64'],
  ['203.0.113.37, nonsense', proxy],
]

for (const [forwarded, address] of chains)
  test(`behind trusted proxies the last untrusted address counts: ${address} of ${forwarded}`, async () => {
    await create({ from: proxy, headers: { 'x-forwarded-for': forwarded } })
    assert.deepEqual(await counted(), hidden(address))
  })

test('the secret never appears in the log', () => {
  assert.ok(service.logLines.length > 0)
  assert.ok(!service.logLines.some((line) => line.includes(current) || line.includes(former)))
})
