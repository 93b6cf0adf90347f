import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { after, before, test } from 'node:test'
import { isProblem } from '../../clients/typescript/src/index.ts'
import type { DomainRefusal } from '../../src/accounts/domain/domain-record.ts'
import { allowances } from '../../src/contract/limits.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { pickPrivateAddress, startListener } from '../../tooling/network/https-receiver.ts'
import {
  answering,
  type DomainServer,
  domain,
  otherDomain,
  startDomainServer,
} from '../support/accounts/domain-server.ts'

const inside = pickPrivateAddress()
const stack = new AsyncDisposableStack()
let server: DomainServer
let service: Service
before(async () => {
  server = stack.use(await startDomainServer({ 'inside.example.test': { a: [inside] } }))
  service = stack.use(await startService({ receivers: server.receivers }))
})
after(() => stack.disposeAsync())

const json = 'application/json'
const hostile: Record<string, [DomainRefusal, (id: string) => RequestListener]> = {
  'a redirect to another host': [
    'redirect',
    () => (_, response) =>
      response.writeHead(302, { location: `https://${otherDomain}/.well-known/broadside.json` }).end(),
  ],
  'a redirect on the same host': [
    'redirect',
    () => (_, response) => response.writeHead(301, { location: '/accounts.json' }).end(),
  ],
  'a status other than 200': ['status', (id) => answering(203, json, { accounts: [id] })],
  'no file': ['status', () => answering(404, json, {})],
  'an error of the server': ['status', () => answering(500, json, {})],
  'a page': ['content_type', (id) => answering(200, 'text/html', { accounts: [id] })],
  'no content type': ['content_type', (id) => (_, response) => response.writeHead(200).end(JSON.stringify([id]))],
  'more than 16 KB': ['too_large', (id) => answering(200, json, { accounts: [id], more: 'x'.repeat(16_384) })],
  'a file that never ends': [
    'too_large',
    () => (_, response) => {
      const send = () => void (response.writable && response.write(' '.repeat(16_000), send))
      response.writeHead(200, { 'content-type': json })
      send()
    },
  ],
  'more than 100 accounts': [
    'malformed',
    (id) => answering(200, json, { accounts: Array.from({ length: 101 }, () => id) }),
  ],
  'a list without a name': ['malformed', (id) => answering(200, json, [id])],
  'one account in place of a list': ['malformed', (id) => answering(200, json, { accounts: id })],
  'accounts that are no text': ['malformed', (id) => answering(200, json, { accounts: [[id]] })],
  'JSON that is cut': ['malformed', (id) => answering(200, json, `{"accounts":["${id}"`)],
  'JSON that is nested deeply': ['malformed', () => answering(200, json, '['.repeat(16_000))],
  'bytes that are no text': ['malformed', () => answering(200, json, Buffer.from([0x7b, 0xff, 0x7d]))],
  'an empty file': ['malformed', () => answering(200, json, '')],
  'a connection that breaks': [
    'unreachable',
    () =>
      ({ socket }) =>
        void socket.destroy(),
  ],
  'another account': ['not_listed', () => answering(200, json, { accounts: ['acct_01jcmzq8e5f7r9t2v4x6y8z0ab'] })],
}

for (const [name, [code, listener]] of Object.entries(hostile))
  test(`refused (${code}): ${name}`, async () => {
    const { id, client } = await service.createAccount()
    server.answer(listener(id))
    const { body } = await client.setDomain({ domain })
    assert.deepEqual([body.status, body.reason?.code], ['unverified', code])
    const account = (await client.getAccount()).body.domain
    assert.deepEqual(account, body)
  })

test('a file with other fields, many accounts and a long name is accepted', async () => {
  const { id, client } = await service.createAccount()
  const accounts = [...Array.from({ length: 99 }, (_, at) => `acct_${String(at).padStart(26, '0')}`), id]
  server.answer(answering(200, 'Application/JSON; charset=UTF-8', { accounts, comment: 'x'.repeat(10_000) }))
  assert.equal((await client.setDomain({ domain })).body.status, 'verified')
})

test('refused (timeout): no answer and one that does not end, which are read once for all who ask meanwhile', async () => {
  const { client } = await service.createAccount()
  server.answer((request, response) => {
    if (request.headers.host === domain) response.writeHead(200, { 'content-type': json }).write('{"accounts":[')
  })
  const before = server.requests.length
  const names = [domain, domain, domain, otherDomain]
  const answers = await Promise.all(names.map((name) => client.setDomain({ domain: name })))
  for (const { body } of answers) assert.equal(body.reason?.code, 'timeout')
  assert.equal(server.requests.length, before + 2)
})

for (const [name, code] of [
  ['inside.example.test', 'address_refused'],
  ['service.localhost', 'address_refused'],
  ['missing.example.test', 'name_not_resolved'],
] as const)
  test(`refused (${code}): ${name}, without a connection`, async () => {
    await using trap = await startListener(inside)
    const { client } = await service.createAccount()
    assert.equal((await client.setDomain({ domain: name })).body.reason?.code, code)
    assert.equal(trap.connections(), 0)
  })

test('refused (tls_failed): a host with a certificate for another name', async () => {
  const [address] = server.receivers.zone[domain]?.a ?? []
  service.dns.setZone({ 'other-name.example.test': { a: [String(address)] }, ...server.receivers.zone })
  const { client } = await service.createAccount()
  assert.equal((await client.setDomain({ domain: 'other-name.example.test' })).body.reason?.code, 'tls_failed')
})

test('refused (422): what is no domain name, without a request', async () => {
  const { client } = await service.createAccount()
  const before = server.requests.length
  for (const name of [
    `https://${domain}`,
    `${domain}:443`,
    `${domain}/path`,
    `${domain}.`,
    '127.0.0.1',
    'localhost',
    '',
  ])
    await assert.rejects(client.setDomain({ domain: name }), (error) => isProblem(error, 'validation_failed'))
  assert.equal(server.requests.length, before)
})

test('refused (429): more checks a day by one account, and of one domain by all accounts', async () => {
  service.clock.setOffset(24 * 3_600_000)
  server.list()
  const before = server.requests.length
  const perDomain = allowances['domain-checks-per-domain'].max
  const refused = (call: Promise<unknown>) => assert.rejects(call, (error) => isProblem(error, 'rate_limited'))
  for (let check = 0; check < perDomain; check++) {
    const { client } = await service.createAccount()
    await client.setDomain({ domain })
  }
  const { client } = await service.createAccount()
  await refused(client.setDomain({ domain }))
  assert.equal(server.requests.length, before + perDomain)
  assert.equal((await client.setDomain({ domain: otherDomain })).status, 200)
  service.clock.setOffset(48 * 3_600_000)
  assert.equal((await client.setDomain({ domain })).status, 200)
})
