import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, suite, test } from 'node:test'
import { clientDocuments, maxNewClients } from '../../../src/contract/app-limits.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import type { Zone } from '../../../tooling/network/dns-server.ts'
import {
  makeCertificates,
  pickPrivateAddress,
  pickReceiverAddress,
  startListener,
  startReceiver,
} from '../../../tooling/network/https-receiver.ts'
import { countRows, seedVictim, startFlow, type Victim } from '../../support/oauth/attack.ts'
import { authorizeQuery, newPkce, redirectUri, register } from '../../support/oauth/sign-in.ts'
import { hostileUrls, hostileZones } from '../../support/webhooks/hostile-destinations.ts'

const host = 'app.example.test'
const certified = [host, 'rebinding.example.test', 'other.example.test']
const [address, trapAddress] = [pickReceiverAddress(), pickPrivateAddress()]
const stack = new AsyncDisposableStack()
let service: Service
let victim: Victim
let trap: Awaited<ReturnType<typeof startListener>>
let server: Awaited<ReturnType<typeof startReceiver>>
/** How the server of documents answers a path, if not with a valid document. */
const behaviours = new Map<string, (response: ServerResponse) => void>()
/** One of each kind: test/webhooks/outbound-addresses.test.ts shows the guard all of them. */
const zones = ['a private A', 'a mapped AAAA', 'the metadata service', 'a failure'].map((what) => {
  const zone = hostileZones[what]
  assert.ok(zone, what)
  return [what, zone] as const
})

const documentOf = (id: string, changes: Record<string, unknown> = {}) => ({
  client_id: id,
  client_name: 'Documented app',
  redirect_uris: [redirectUri],
  ...changes,
})

before(async () => {
  const { ca, key, cert } = makeCertificates(certified)
  trap = stack.use(await startListener(trapAddress))
  server = stack.use(
    await startReceiver({ address, key, cert }, (request, response) => {
      const behave = behaviours.get(String(request.url))
      if (behave) return behave(response)
      send(response, documentOf(`https://${request.headers.host}${request.url}`))
    }),
  )
  const hostile = zones.map(([, zone], index) => zone(`hostile${index}.example.test`, trapAddress, address))
  const zone: Zone = {
    ...Object.assign({}, ...hostile),
    [host]: { a: [address] },
    'other.example.test': { a: [address] },
    'rebinding.example.test': (_question, asked) => ({ a: [asked === 0 ? address : trapAddress] }),
  }
  service = stack.use(await startService({ receivers: { zone, certificateAuthorities: ca } }))
  victim = await seedVictim(service)
})
after(() => stack.disposeAsync())

function send(response: ServerResponse, body: object | string, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

const askWith = (clientId: string) =>
  victim.browser.get(`/oauth/authorize?${authorizeQuery(service, { clientId, pkce: newPkce() })}`)

/** An error page that names nothing of the attempt, and nothing in the cache. */
async function assertRefused(clientId: string, what: string): Promise<string> {
  const { status, location, page } = await askWith(clientId)
  assert.ok([400, 401, 503].includes(status), `${what}: ${status} ${location}`)
  assert.equal(location, null, what)
  assert.match(page, /This app cannot be connected/, what)
  assert.doesNotMatch(
    page,
    /127\.(66|77)|169\.254|example\.test|ECONN|ENOTFOUND|timeout|certificate|evil|secret-value/i,
    what,
  )
  assert.equal(
    await countRows(service, 'oauth_clients where id = $1', [clientId.replaceAll('\0', '')]),
    0,
    `${what}: it is cached`,
  )
  return page
}

suite('SSRF through the address of a client (client id metadata draft, sections 6.5 and 8.6)', () => {
  test('addresses that are no public web address are refused by their text', async () => {
    const asked = service.dns.questions.length
    for (const [what, url] of Object.entries(hostileUrls)) {
      await assertRefused(url, what)
      await assertRefused(`${url.replace(/\/$/, '')}/client.json`, what)
    }
    assert.equal(trap.connections(), 0)
    const [known] = service.dns.questions.slice(asked).filter(({ name }) => !name.endsWith('example.com'))
    assert.equal(known, undefined)
  })

  test('path tricks in the address are refused without a request', async () => {
    const connections = server.connections()
    const paths = [
      '',
      '/',
      '/../x',
      '/a/../x',
      '/a/./x',
      '/%2e%2e/x',
      '/a/%2E/x',
      '/.%2e/x',
      '/x#y',
      '/x\\y',
      '/x y',
      '/é',
    ]
    for (const path of paths) await assertRefused(`https://${host}${path}`, path)
    for (const authority of [`${host}:8443`, `u@${host}`, `u:p@${host}`, host.toUpperCase(), `${host}:443`])
      await assertRefused(`https://${authority}/client.json`, authority)
    assert.equal(server.connections(), connections)
  })

  test('names that lead to private, link-local, mapped or metadata addresses are refused without a connection', async () => {
    const pages = new Set<string>()
    for (const [index, [what]] of zones.entries())
      pages.add(await assertRefused(`https://hostile${index}.example.test/client.json`, what))
    assert.equal(trap.connections(), 0)
    assert.equal(pages.size, 1, 'the page does not tell why')
  })

  test('a name that changes its address after the check is not followed (DNS rebinding)', async () => {
    const id = 'https://rebinding.example.test/client.json'
    behaviours.set('/client.json', (response) => send(response, documentOf(id), { 'cache-control': 'max-age=0' }))
    assert.equal((await askWith(id)).status, 303, 'the address that was checked')
    service.clock.setOffset(301_000)
    const { status, location } = await askWith(id)
    service.clock.setOffset(0)
    behaviours.delete('/client.json')
    assert.deepEqual([status, location], [401, null])
    assert.equal(trap.connections(), 0)
  })
})

suite('hostile metadata documents (client id metadata draft, sections 4, 5 and 8.7)', () => {
  const long = (bytes: number) => (id: string) => documentOf(id, { padding: 'x'.repeat(bytes) })
  const documents: Record<string, (response: ServerResponse, id: string) => void> = {
    'a redirect to another document': (response) =>
      void response.writeHead(302, { location: 'https://other.example.test/client.json' }).end(),
    'a redirect to a private address': (response) =>
      void response.writeHead(307, { location: `https://${trapAddress}/` }).end(),
    'a refresh': (response) => void response.writeHead(200, { refresh: '0; url=https://other.example.test/' }).end(),
    '6 kB': (response, id) => send(response, long(6_000)(id)),
    '6 kB without a length': (response, id) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(JSON.stringify(long(6_000)(id)))
      response.end()
    },
    'the client_id of another app': (response) => send(response, documentOf('https://other.example.test/client.json')),
    'a client_id in capitals': (response, id) => send(response, documentOf(id.toUpperCase())),
    'no client_id': (response, id) => send(response, documentOf(id, { client_id: undefined })),
    'a list of client_ids': (response, id) => send(response, documentOf(id, { client_id: [id] })),
    'a secret': (response, id) => send(response, documentOf(id, { client_secret: 'secret-value' })),
    'the expiry of a secret': (response, id) => send(response, documentOf(id, { client_secret_expires_at: 0 })),
    'authentication by a secret': (response, id) =>
      send(response, documentOf(id, { token_endpoint_auth_method: 'client_secret_post' })),
    'no name': (response, id) => send(response, documentOf(id, { client_name: undefined })),
    'a name that runs backwards': (response, id) => send(response, documentOf(id, { client_name: 'evil\u202e' })),
    'no redirect': (response, id) => send(response, documentOf(id, { redirect_uris: undefined })),
    'a script as redirect': (response, id) => send(response, documentOf(id, { redirect_uris: ['javascript:evil()'] })),
    'a web page': (response, id) => send(response, documentOf(id), { 'content-type': 'text/html' }),
    'plain text': (response, id) => send(response, documentOf(id), { 'content-type': 'text/plain' }),
    'no media type': (response, id) => void response.writeHead(200).end(JSON.stringify(documentOf(id))),
    'a media type that ends alike': (response, id) =>
      send(response, documentOf(id), { 'content-type': 'application/evil-json' }),
    'the status 201': (response, id) =>
      void response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(documentOf(id))),
    'the status 404': (response, id) =>
      void response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(documentOf(id))),
    'no JSON': (response) => send(response, 'secret-value'),
    'a list': (response, id) => send(response, [documentOf(id)]),
    'nothing but null': (response) => send(response, 'null'),
    'bytes that are no UTF-8': (response, id) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(Buffer.from(JSON.stringify(documentOf(id)).replace('Documented', 'Documented\xff'), 'latin1')),
    'a connection that breaks': (response) => void response.socket?.destroy(),
    'compressed data that was not asked for': (response, id) =>
      send(response, documentOf(id).client_name, { 'content-encoding': 'gzip' }),
  }
  for (const [index, [what, answer]] of Object.entries(documents).entries())
    test(`a document with ${what} is refused and not cached`, async () => {
      const path = `/hostile/${index}.json`
      const id = `https://${host}${path}`
      behaviours.set(path, (response) => answer(response, id))
      await assertRefused(id, what)
      behaviours.delete(path)
      assert.equal((await askWith(id)).status, 303, 'a repaired document works at once')
      assert.equal(trap.connections(), 0)
    })

  test('a document that never arrives is given up, and many of them do not exhaust the server', async () => {
    const open: ServerResponse[] = []
    const ids = Array.from(
      { length: clientDocuments.maxAtATime + 2 },
      (_, index) => `https://${host}/slow/${index}.json`,
    )
    for (const id of ids)
      behaviours.set(new URL(id).pathname, (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{')
        open.push(response)
      })
    const answers = await Promise.all(ids.map(askWith))
    const counts = { 401: 0, 503: 0 }
    for (const { status } of answers) counts[status as 401 | 503] += 1
    assert.deepEqual(counts, { 401: clientDocuments.maxAtATime, 503: 2 }, 'a limited number at a time')
    for (const response of open) response.destroy()
    assert.equal((await askWith(`https://${host}/afterwards.json`)).status, 303)
  })

  test('a document is read once for many requests and again when its time is over', async () => {
    const id = `https://${host}/cached.json`
    const reads = () => server.requests.filter(({ url }) => url === '/cached.json').length
    behaviours.set('/cached.json', (response) =>
      send(response, documentOf(id), { 'cache-control': 'max-age=999999999' }),
    )
    await Promise.all(Array.from({ length: 20 }, () => askWith(id)))
    await askWith(id)
    const first = reads()
    assert.ok(first >= 1 && first <= 20)
    service.clock.setOffset(86_401_000)
    behaviours.set('/cached.json', (response) =>
      send(response, documentOf(id, { redirect_uris: ['https://new.example/'] })),
    )
    const { status } = await askWith(id)
    service.clock.setOffset(0)
    assert.equal(status, 400, 'an address that was removed from the document is refused after a day at the latest')
  })

  test('the page shows the verified host, and where the app leads if that is another one', async () => {
    const id = `https://${host}/elsewhere.json`
    const leads = 'https://elsewhere.example/cb'
    behaviours.set('/elsewhere.json', (response) =>
      send(response, documentOf(id, { client_name: 'Claude', redirect_uris: [leads, redirectUri] })),
    )
    const web = await startFlow(service, victim.browser, { clientId: id, changes: { redirect_uri: leads } })
    const { page } = await victim.browser.get(web.path)
    assert.match(
      page,
      /app\.example\.test <span class="badge good">verified<\/span>, sends you on to elsewhere\.example/,
    )
    const local = await startFlow(service, victim.browser, { clientId: id })
    assert.match((await victim.browser.get(local.path)).page, /A program on this computer is asking for access/)
  })

  test('a flood of documents uses up no registrations and no more space than it may', async () => {
    const at = service.clock.now()
    await service.asOwner(
      `insert into oauth_clients (id, name, redirect_uris, grant_types, created_at, expires_at)
       select 'https://flood.example.test/' || n, 'x', '{}', '{}', $1, $1::timestamptz + interval '1 hour'
       from generate_series(1, $2::int) n`,
      [at, maxNewClients],
    )
    assert.equal((await register(service)).status, 201)
    const id = `https://${host}/flooded.json`
    assert.equal((await askWith(id)).status, 303, 'the app works')
    assert.equal(await countRows(service, 'oauth_clients where id = $1', [id]), 0, 'its document is not cached')
    await service.asOwner("delete from oauth_clients where id like 'https://flood%'")
    await askWith(id)
    assert.equal(await countRows(service, 'oauth_clients where id = $1', [id]), 1)
  })
})
