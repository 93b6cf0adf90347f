import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gatewayCodes } from '../../src/bin/gateway/problems.ts'
import { problems as catalog } from '../../src/contract/problems/problems.ts'
import { type Answer, exchange, get } from '../../tooling/network/raw-http.ts'
import { newSecret } from '../../tooling/services/development.ts'
import { firstSecret, type GatewayOptions, startNginx } from '../../tooling/services/nginx.ts'
import { freePort } from '../../tooling/services/state.ts'

const folder = mkdtempSync(join(tmpdir(), 'gateway-test-'))
const secret = newSecret()
const problems = gatewayCodes.map((code) => ({
  code,
  status: catalog[code].status,
  json: `{"type":"$problem_base/problems/${code}","code":"${code}","title":"It's \\"so\\"","request_id":"$request_id"}`,
}))

type Handler = (request: IncomingMessage, response: ServerResponse) => void
const echo: Handler = async (request, response) => {
  const body = await request.toArray()
  const length = body.reduce((sum, part) => sum + part.length, 0)
  response.setHeader('content-type', 'application/json')
  response.statusCode = request.url === '/v1/fails' ? 503 : 200
  response.end(
    JSON.stringify({ from: 'api', method: request.method, url: request.url, length, headers: request.headers }),
  )
}

async function serve(handler: Handler): Promise<{ server: Server; port: number }> {
  const server = createServer({ keepAliveTimeout: 75_000, maxHeaderSize: 80_000 }, handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

async function startGateway(name: string, overrides: Partial<GatewayOptions>) {
  const [messages, stories, owner, desk] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const site = (siteName: string, port: number) => ({
    name: siteName,
    port,
    baseUrl: `http://localhost:${port}`,
    root: join(folder, 'www', siteName),
  })
  const options: GatewayOptions = {
    directory: join(folder, name),
    sites: [site('messages', messages), site('stories', stories)],
    ownerPage: { port: owner, baseUrl: `http://localhost:${owner}`, upstreamPort: 1 },
    desk: { port: desk, baseUrl: `http://localhost:${desk}`, upstreamPort: 1 },
    apiPorts: [],
    requestsPerSecond: 10_000,
    burst: 10_000,
    problems,
    secret: firstSecret(secret),
    detached: false,
    ...overrides,
  }
  return { gateway: await startNginx(options), messages, stories, owner, desk }
}

function assertProblem(answer: Answer, status: number, code: string, base?: string) {
  assert.equal(answer.status, status, answer.body)
  assert.equal(answer.headers.get('content-type'), 'application/problem+json')
  const document = JSON.parse(answer.body)
  assert.equal(document.code, code)
  assert.equal(document.title, 'It\'s "so"')
  assert.match(document.request_id, /^[0-9a-f]{32}$/)
  if (base) assert.equal(document.type, `${base}/problems/${code}`)
}

let api: { server: Server; port: number }
let main: Awaited<ReturnType<typeof startGateway>>

before(async () => {
  chmodSync(folder, 0o755)
  const root = join(folder, 'www/messages')
  mkdirSync(root, { recursive: true })
  mkdirSync(join(folder, 'www/stories'), { recursive: true })
  writeFileSync(join(root, 'index.html'), '<p>Home')
  writeFileSync(join(root, 'data.json'), '{"plain":true}')
  writeFileSync(join(root, 'closed.html'), 'closed', { mode: 0o000 })
  api = await serve(echo)
  const door = (port: number) => ({ port, baseUrl: `http://localhost:${port}`, upstreamPort: api.port })
  const [ownerPage, desk] = [door(await freePort()), door(await freePort())]
  const started = await startGateway('main', { apiPorts: [api.port], ownerPage, desk })
  main = { ...started, owner: ownerPage.port, desk: desk.port }
})

after(async () => {
  await main?.gateway.stop()
  api?.server.closeAllConnections()
  api?.server.close()
  rmSync(folder, { recursive: true, force: true })
})

const long = 'x'.repeat(1_100_000)
const onSite = (start: string, more = '') => `${start} HTTP/1.1\r\nHost: {host}\r\n${more}\r\n`
const chunk = `${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`

const refusals: [name: string, raw: string, status: number, code: string][] = [
  ['a bad request line', 'nonsense\r\n\r\n', 400, 'malformed_request'],
  ['a greeting of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400, 'malformed_request'],
  ['a lower-case method', onSite('get /'), 400, 'malformed_request'],
  ['a 20 KB address', onSite(`GET /${'a'.repeat(20_000)}`), 400, 'malformed_request'],
  ['a 20 KB address of the API', onSite(`GET /v1/${'a'.repeat(20_000)}`), 400, 'malformed_request'],
  ['a 40 KB header', onSite('GET /', `X-Long: ${'a'.repeat(40_000)}\r\n`), 400, 'malformed_request'],
  ['80 KB of headers', onSite('GET /', `X-Long: ${'a'.repeat(8_000)}\r\n`.repeat(10)), 400, 'malformed_request'],
  ['an unknown Transfer-Encoding', onSite('POST /v1/posts', 'Transfer-Encoding: zip\r\n'), 400, 'malformed_request'],
  ['a bad chunk', `${onSite('POST /v1/posts', 'Transfer-Encoding: chunked\r\n')}zz\r\n`, 400, 'malformed_request'],
  ['a bad Content-Length', onSite('POST /v1/posts', 'Content-Length: ten\r\n'), 400, 'malformed_request'],
  ['HTTP/9.9', 'GET / HTTP/9.9\r\nHost: {host}\r\n\r\n', 400, 'malformed_request'],
  ['a greeting of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'malformed_request'],
  ['a missing Host', 'GET / HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
  ['two Hosts', onSite('GET /', 'Host: {host}\r\n'), 400, 'malformed_request'],
  ['a path above the root', onSite('GET /../../etc/passwd'), 400, 'malformed_request'],
  ['an encoded path above the root', onSite('GET /%2e%2e/%2e%2e/etc/passwd'), 400, 'malformed_request'],
  ['a bad escape', onSite('GET /%zz'), 400, 'malformed_request'],
  ['an encoded NUL', onSite('GET /%00'), 400, 'malformed_request'],
  ['a NUL', onSite('GET /a\0b'), 400, 'malformed_request'],
  ['a bad escape below the API', onSite('GET /v1/%zz'), 400, 'malformed_request'],
  ['a precondition that fails', onSite('GET /', 'If-Match: "other"\r\n'), 400, 'malformed_request'],
  ['TRACE', onSite('TRACE /'), 405, 'method_not_allowed'],
  ['TRACE of the API', onSite('TRACE /v1/posts'), 405, 'method_not_allowed'],
  ['CONNECT', onSite('CONNECT /'), 405, 'method_not_allowed'],
  ['CONNECT to a host', onSite('CONNECT example.org:443'), 400, 'malformed_request'],
  ['a write to a file', onSite('POST /index.html', 'Content-Length: 0\r\n'), 405, 'method_not_allowed'],
  ['an invented method', onSite('BREW /'), 405, 'method_not_allowed'],
  ['an unknown page', onSite('GET /nowhere'), 404, 'not_found'],
  ['a page with a very long name', onSite(`GET /${'a'.repeat(10_000)}`), 404, 'not_found'],
  ['a file that may not be read', onSite('GET /closed.html'), 404, 'not_found'],
  ['the internal address of a problem', onSite('GET /_gateway/unavailable'), 404, 'not_found'],
  ['a 1.1 MB body', onSite('POST /v1/posts', 'Content-Length: 1100000\r\n') + long, 413, 'body_too_large'],
  [
    'a 1.1 MB body in chunks',
    onSite('POST /v1/posts', 'Transfer-Encoding: chunked\r\n') + chunk,
    413,
    'body_too_large',
  ],
  ['a 1.1 MB body for a page', onSite('POST /', 'Content-Length: 1100000\r\n') + long, 413, 'body_too_large'],
  [
    'a 1.1 MB body announced',
    onSite('POST /mcp', 'Expect: 100-continue\r\nContent-Length: 1100000\r\n'),
    413,
    'body_too_large',
  ],
]

for (const [name, raw, status, code] of refusals) {
  test(`${name} gets ${code}, and on no port without a document`, async () => {
    const sendTo = (port: number) => exchange(port, raw.replaceAll('{host}', `localhost:${port}`))
    assertProblem(await sendTo(main.messages), status, code)
    for (const port of [main.stories, main.owner, main.desk]) {
      const answer = await sendTo(port)
      // People send forms there. What is too large for them gets a page.
      const isPage = answer.status === 413 && answer.headers.get('content-type') === 'text/html; charset=utf-8'
      if (isPage) assert.match(answer.body, /This form is too large/)
      else if (answer.status !== 200) assertProblem(answer, answer.status, JSON.parse(answer.body).code)
      assert(answer.status < 500)
    }
  })
}

test('the gateway sends the secret only to the API, and nobody else can read it', async () => {
  const host = `localhost:${main.owner}`
  for (const [path, told] of [
    ['/o/token', undefined],
    ['/v1/account', secret],
  ] as const) {
    const seen = JSON.parse((await get(main.owner, path, host, `X-Gateway-Secret: ${secret}\r\n`)).body)
    assert.equal(seen.headers['x-gateway-secret'], told)
  }
  const stranger = JSON.parse((await get(main.messages, '/', 'evil.example')).body)
  assert.equal(stranger.headers['x-gateway-secret'], secret)
  const files = readdirSync(main.gateway.directory).filter((name) =>
    /\.(conf|log|new)$/.test(name) ? readFileSync(join(main.gateway.directory, name), 'utf8').includes(secret) : false,
  )
  assert.deepEqual(files, ['nginx.conf'])
  assert.equal(statSync(join(main.gateway.directory, 'nginx.conf')).mode & 0o777, 0o600)
  // Whoever connects to these sockets can choose an address.
  assert.equal(statSync(join(main.gateway.directory, 'sockets')).mode & 0o777, 0o700)
})

test('a body announced with Expect arrives, and 40 KB of headers in 8 KB lines pass', async () => {
  const head = `POST /v1/posts HTTP/1.1\r\nHost: localhost:${main.messages}\r\n`
  const expected = await exchange(main.messages, `${head}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`, 'hello')
  assert.deepEqual([expected.status, JSON.parse(expected.body).length], [200, 5])
  const pieces = `X-Long: ${'a'.repeat(8_000)}\r\n`.repeat(5)
  assert.equal((await get(main.messages, '/v1/posts', undefined, pieces)).status, 200)
})

test('a request without any host name goes to the API', async () => {
  const { body } = await exchange(main.messages, 'GET / HTTP/1.0\r\n\r\n')
  assert.equal(JSON.parse(body).headers.host, 'unnamed')
})

test('a problem names the requested site, or the first site for an unknown host', async () => {
  const first = `http://localhost:${main.messages}`
  const trace = (host: string) => exchange(main.stories, `TRACE / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  const own = `localhost:${main.stories}`
  assertProblem(await trace(own), 405, 'method_not_allowed', `http://${own}`)
  assertProblem(await trace('a"b'), 405, 'method_not_allowed', first)
  assert.equal((await trace(own)).headers.get('allow'), 'GET, HEAD, OPTIONS')
})

test('all sites share one rate limit, which files do not count towards', async () => {
  const limited = await startGateway('limited', { apiPorts: [api.port], requestsPerSecond: 1, burst: 3 })
  try {
    const paths = ['/v1/posts', '/mcp', '/v1', '/v1%2Fposts', '/%761/posts', '/v1/posts', '/mcp', '/v1']
    const ports = [limited.messages, limited.stories]
    const answers = await Promise.all(paths.map((path, index) => get(ports[index % 2]!, path)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 4)
    const refused = answers.filter(({ status }) => status !== 200)
    for (const answer of refused) assertProblem(answer, 429, 'platform_busy')
    assertProblem(await get(limited.messages, '/', 'evil.example'), 429, 'platform_busy')
    assert.equal((await get(limited.messages, '/')).status, 200)
  } finally {
    await limited.gateway.stop()
  }
})

test('a refused connection goes to the other process, a sent POST is never repeated, and without processes the status is 503', async () => {
  let requests = 0
  const dying = await serve((request) => {
    requests += 1
    request.socket.destroy()
  })
  const post = (port: number) =>
    exchange(port, `POST /v1/posts HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 2\r\n\r\n{}`)
  const half = await startGateway('half', { apiPorts: [await freePort(), api.port] })
  const fatal = await startGateway('fatal', { apiPorts: [dying.port, dying.port] })
  try {
    for (let index = 0; index < 6; index += 1) assert.equal((await post(half.messages)).status, 200)
    const answer = await post(fatal.messages)
    assertProblem(answer, 503, 'unavailable')
    assert.equal(answer.headers.get('retry-after'), '5')
    assert.equal(requests, 1)
    assertProblem(await get(fatal.owner, '/v1/account'), 503, 'unavailable')
    assertProblem(await get(fatal.messages, '/', 'evil.example'), 503, 'unavailable')
  } finally {
    await Promise.all([half.gateway.stop(), fatal.gateway.stop()])
    dying.server.close()
  }
})
