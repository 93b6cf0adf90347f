import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { newApiKey } from '../../src/accounts/keys/api-key.ts'
import { maxBodyBytes } from '../../src/contract/limits.ts'
import type { ProblemCode } from '../../src/contract/problems/problems.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { assertProblem } from '../../tooling/problem-document.ts'
import { callTool, type McpAnswer, mcpRequest, readAnswer, type Sending, sendMcp } from '../support/mcp/call-tool.ts'
import { eras } from '../support/mcp/mcp-client.ts'

let service: Service
/** At its limit after two requests. */
let busy: Service
before(async () => {
  ;[service, busy] = await Promise.all([
    startService({ apiServers: 2 }),
    startService({ requestsPerSecond: 1, burst: 1 }),
  ])
})
after(async () => {
  await Promise.all([service, busy].map((one) => one[Symbol.asyncDispose]()))
})

/** True for every response of the endpoint: it is never cached, and it has a request id. */
function assertStateless({ headers }: McpAnswer): void {
  assert.equal(headers.get('set-cookie'), null)
  assert.equal(headers.get('mcp-session-id'), null)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(String(headers.get('x-request-id')), /^[0-9a-f]{32}$/)
}

function assertRefused(answer: McpAnswer, code: ProblemCode): void {
  assertProblem({ ...answer, contentType: answer.headers.get('content-type') }, code)
  assertStateless(answer)
}

const statusRequest = (sending?: Sending) => mcpRequest('tools/call', { name: 'get_status' }, sending)

type Change = { body?: string | Buffer; method?: string; headers?: Record<string, string> }

/** A call of get_status with one change. */
async function send({ method = 'POST', headers = {}, ...change }: Change = {}): Promise<McpAnswer> {
  const sent = statusRequest({ headers })
  const body = change.body ?? sent.body
  const response = await fetch(`${service.baseUrl}/mcp`, {
    ...{ method, headers: sent.headers },
    ...(method !== 'GET' && method !== 'HEAD' && { body }),
  } as RequestInit)
  return readAnswer(response.status, response.headers, await response.text())
}

/** The same through a raw port: fetch would not send some of these headers. */
function sendTo(port: number, headers: Record<string, string>, sent = statusRequest()): Promise<McpAnswer> {
  const options = { host: '127.0.0.1', port, method: 'POST', path: '/mcp' }
  const { host } = new URL(service.baseUrl)
  return new Promise((resolve, reject) => {
    request({ ...options, headers: { host, ...sent.headers, ...headers } }, async (response) => {
      const body = (await response.setEncoding('utf8').toArray()).join('')
      resolve(readAnswer(Number(response.statusCode), new Headers(response.headers as Record<string, string>), body))
    })
      .on('error', reject)
      .end(sent.body)
  })
}
const gatewayPort = () => Number(new URL(service.baseUrl).port)

test('pages of the sites may call, and no other page', async () => {
  const own = Object.values(service.baseUrls)
  for (const origin of own) assert.equal((await sendTo(gatewayPort(), { origin })).status, 200, origin)
  const foreign = [
    ...['https://attacker.example', 'null', '', 'http://localhost', 'http://localhost.attacker.example'],
    ...own.flatMap((url) => [
      `${url}/`,
      `${url}.attacker.example`,
      url.replace('//', '//sub.'),
      url.replace('http', 'https'),
    ]),
    `${own[0]} ${own[1]}`,
  ]
  for (const origin of foreign) {
    const answer = await sendTo(gatewayPort(), { origin, authorization: 'Bearer wrong' })
    assertRefused(answer, 'origin_not_allowed')
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
  }
})

test('a host that is not a site is refused', async () => {
  for (const host of ['attacker.example', `attacker.example:${gatewayPort()}`])
    for (const port of [gatewayPort(), service.apiPort])
      assertProblem(await refusal(sendTo(port, { host })), 'unknown_site')
})

const refusal = async (answering: Promise<McpAnswer>) => {
  const answer = await answering
  return { ...answer, contentType: answer.headers.get('content-type') }
}

test('the endpoint accepts only POST', async () => {
  for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT', 'PATCH']) {
    const answer = await send({ method })
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'], method)
    if (method !== 'HEAD') assertRefused(answer, 'method_not_allowed')
  }
})

test('a body may have up to 256 KiB', async () => {
  const { body } = statusRequest()
  const fits = await send({ body: body.padEnd(maxBodyBytes, ' ') })
  assert.equal(fits.result?.isError, undefined)
  assert.equal(fits.status, 200)
  assertStateless(fits)
  assertRefused(await send({ body: body.padEnd(maxBodyBytes + 1, ' ') }), 'body_too_large')
})

test('a body must be JSON, declared as such, and not compressed', async () => {
  const typed = (type: string) => send({ headers: { 'content-type': type } })
  for (const type of ['application/json; charset=utf-8', 'Application/JSON'])
    assert.equal((await typed(type)).status, 200)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json-rpc', 'text/json'])
    assertRefused(await typed(type), 'unsupported_media_type')
  assertRefused(await send({ headers: { 'content-encoding': 'gzip' } }), 'unsupported_media_type')
})

test('a wrong key is refused before the body is read, for every method of the protocol', async () => {
  const authorization = `Bearer ${newApiKey()}`
  for (const body of ['{', '[]', statusRequest().body, mcpRequest('tools/list', {}).body]) {
    const answer = await send({ body, headers: { authorization } })
    assertRefused(answer, 'invalid_api_key')
    assert.match(String(answer.headers.get('www-authenticate')), /^Bearer realm="broadside", error="invalid_token"$/)
  }
})

test('an invalid message gets a protocol error that quotes nothing', async () => {
  const words = 'what-somebody-wrote'
  const notJson = ['', '{', `{"${words}":}`, Buffer.from([0x22, 0xff, 0x22])]
  const batches = ['[]', `[${statusRequest().body}]`, `[${statusRequest().body},${statusRequest().body}]`]
  const notMessages = ['null', '5', `"${words}"`, '{}', `{"jsonrpc":"2.0","id":1,"method":"${words}"}`, '{"id":{}}']
  const tell = async (body: string | Buffer) => {
    const answer = await send({ body })
    assertStateless(answer)
    assert.ok(!answer.body.includes(words), answer.body)
    assert.ok(answer.status >= 400 && answer.status < 500, `${body}: ${answer.status}`)
    return answer.error?.code
  }
  for (const body of notJson) assert.equal(await tell(body), -32_700)
  for (const body of batches) assert.equal(await tell(body), -32_600)
  for (const body of notMessages) assert.ok(Number(await tell(body)) < 0, body)
})

test('an unknown tool gets a protocol error that does not repeat its name', async () => {
  for (const era of eras)
    for (const name of ['publish_story', 'toString', 'a-name-of-the-caller']) {
      const { status, error, body } = await callTool(service.baseUrl, name, {}, { era })
      assert.deepEqual([status, error?.code], [200, -32_602])
      assert.ok(!body.includes(name))
    }
})

test('a client can continue at another server, because servers are stateless', async () => {
  const [one, other] = service.apiPorts as [number, number]
  const legacy = { era: 'legacy' as const }
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } }
  const begun = await sendTo(one, {}, mcpRequest('initialize', hello, legacy))
  assert.equal((begun.result as { protocolVersion?: string } | undefined)?.protocolVersion, hello.protocolVersion)
  assertStateless(begun)
  const { client: _, ...account } = await service.createAccount()
  const asked = mcpRequest('tools/call', { name: 'get_account' }, { ...legacy, apiKey: account.api_key })
  const answered = await sendTo(other, {}, asked)
  assert.equal(answered.result?.structuredContent?.['id'], account.id)
  assertStateless(answered)
  for (const era of eras)
    for (const _ of service.apiPorts) {
      const { result } = await callTool(service.baseUrl, 'get_account', {}, { era, apiKey: account.api_key })
      assert.equal(result?.structuredContent?.['id'], account.id)
    }
})

/** The lines that the service logs meanwhile, once the answered requests are logged. */
async function linesOf(work: () => Promise<McpAnswer>) {
  const { length } = service.logLines
  const answer = await work()
  const id = answer.headers.get('x-request-id')
  const mine = () => service.logLines.slice(length).filter((line) => JSON.parse(line).request_id === id)
  // The line is written just after the response, and the next response comes later still.
  while (!mine().some((line) => line.includes('"answered"'))) await send()
  return { answer, text: service.logLines.slice(length).join(''), lines: mine().map((line) => JSON.parse(line)) }
}

test('the log records which tool was called and its outcome, but no arguments', async () => {
  const { api_key: apiKey, id } = await service.createAccount()
  const words = 'zq7-what-the-caller-sent'
  const calls: [string, unknown, object][] = [
    ['search_posts', { q: words }, { operation: 'mcp:search_posts', status: 200 }],
    [
      'check_message',
      { text: words },
      { operation: 'mcp:check_message', status: 402, problem: 'insufficient_balance' },
    ],
    ['get_post', { id: words }, { operation: 'mcp:get_post', status: 404, problem: 'post_not_found' }],
    [words, { [words]: words }, { operation: 'mcp', status: 200 }],
  ]
  for (const era of eras)
    for (const [name, given, expected] of calls) {
      const { text, lines } = await linesOf(() => callTool(service.baseUrl, name, given, { apiKey, era }))
      const [{ operation, status, problem, account_id, method }] = lines
      assert.deepEqual({ operation, status, ...(problem && { problem }) }, expected, era)
      assert.deepEqual([account_id, method, lines.length], [id, 'POST', 1])
      assert.ok(!text.includes(words) && !text.includes(apiKey), 'what was sent is in the log')
    }
})

test('an internal error inside a tool is reported without its cause, which is in the log', async () => {
  await service.asOwner('revoke select on posts from broadside_api')
  const { answer, lines } = await linesOf(() => callTool(service.baseUrl, 'browse_posts', {}))
  await service.asOwner('grant select on posts to broadside_api')
  assert.equal(answer.status, 200)
  assert.equal(answer.result?.isError, true)
  assert.equal(answer.problem?.code, 'internal_error')
  assert.doesNotMatch(answer.body, /42501|permission|rejected by the database/i)
  const [failed, answered] = lines
  // 42501: insufficient privilege.
  assert.equal(failed.error.code, '42501')
  assert.deepEqual([failed.msg, answered.problem, answered.status], ['failed', 'internal_error', 500])
})

test('the gateway refuses too many requests with a problem document', async () => {
  const burst = await Promise.all(Array.from({ length: 6 }, () => sendMcp(busy.baseUrl, 'tools/list', {})))
  const refused = burst.filter(({ status }) => status === 429)
  assert.ok(refused.length > 0)
  for (const answer of refused) assertProblem(await refusal(Promise.resolve(answer)), 'platform_busy')
})

test('a process that is stopping refuses new requests', async () => {
  service.refuseNewRequests()
  const answer = await send()
  assertProblem(await refusal(Promise.resolve(answer)), 'unavailable')
  assert.equal(answer.status, 503)
  assert.equal(answer.headers.get('retry-after'), '1')
})
