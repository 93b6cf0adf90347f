import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError, isProblem } from '../src/index.ts'
import { clientOf, fine, json, type Reply, refuse, serve } from './misbehaving-server.ts'

test('a method returns the body; withResponse also has the status, the headers and the request id', async () => {
  await using server = await serve(fine)
  const answer = await clientOf(server).withResponse.getStatus()
  assert.deepEqual([answer.status, answer.body.status, answer.requestId], [200, 'up', 'a'.repeat(32)])
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.deepEqual(await clientOf(server).getStatus(), answer.body)
})

test('the API key is sent if there is one; otherwise there is no Authorization header', async () => {
  await using server = await serve(fine)
  await clientOf(server).getStatus()
  await clientOf(server, { apiKey: 'bsk_a' }).getStatus()
  const [without, with_] = server.seen
  assert.equal(without?.headers.authorization, undefined)
  assert.equal(with_?.headers.authorization, 'Bearer bsk_a')
  assert.deepEqual([with_?.headers.accept, with_?.headers['content-type']], ['application/json', undefined])
})

test('an error response becomes a typed problem, with the account URL if only the owner can continue', async () => {
  const account_url = 'https://account.b.example/o/token'
  await using server = await serve(
    refuse(402, 'insufficient_balance', { 'x-a': 'b' }, { account_url, required_micros: 5 }),
  )
  const error = await clientOf(server)
    .submitPost({ text: 'a' })
    .catch((caught: unknown) => caught)
  assert.ok(isProblem(error, 'insufficient_balance', 'owner_required'))
  assert.deepEqual([error.code, error.status, error.accountUrl], ['insufficient_balance', 402, account_url])
  assert.deepEqual(
    [error.name, error.message],
    ['InsufficientBalanceError', `insufficient_balance: D (POST /v1/posts, request ${'a'.repeat(32)})`],
  )
  assert.deepEqual([error.requestId, error.type], ['a'.repeat(32), 'https://b.example/problems/insufficient_balance'])
  assert.deepEqual([error.document.required_micros, error.headers.get('x-a')], [5, 'b'])
  assert.ok(isProblem(error))
  assert.ok(!isProblem(error, 'rate_limited'))
  assert.ok(!isProblem(new Error('no'), 'insufficient_balance'))
})

test('an error response without a problem document becomes a BroadsideError with the status', async () => {
  const html: Reply = (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Nothing')
  const replies = [
    html,
    json(404, { code: 'E1' }),
    json(404, null),
    json(404, [], { 'content-type': 'application/problem+json' }),
  ]
  for (const reply of replies) {
    await using server = await serve(reply)
    const error = await clientOf(server)
      .getStatus()
      .catch((caught: unknown) => caught)
    assert.ok(error instanceof Error && !isProblem(error))
    assert.match(error.message, /404/)
  }
})

test('a success response without JSON becomes an Error with the status', async () => {
  await using server = await serve((response) => response.end('<p>Hello'))
  await assert.rejects(clientOf(server).getStatus(), /responded with 200 and no JSON/)
  assert.equal(server.seen.length, 1)
})

test('a redirect fails immediately, and the key is not sent to another server', async () => {
  await using elsewhere = await serve(fine)
  for (const status of [301, 302, 303, 307, 308]) {
    await using server = await serve((response) => response.writeHead(status, { location: elsewhere.baseUrl }).end())
    await assert.rejects(clientOf(server, { apiKey: 'bsk_a' }).getStatus(), /redirect/)
    assert.equal(server.seen.length, 1)
  }
  assert.equal(elsewhere.seen.length, 0)
})

test('the caller’s signal ends an attempt immediately, with the signal’s reason', async () => {
  const controller = new AbortController()
  const reason = new Error('enough')
  await using server = await serve(() => controller.abort(reason))
  await assert.rejects(clientOf(server).getStatus({ signal: controller.signal }), reason)
  await assert.rejects(clientOf(server).getStatus({ signal: controller.signal }), reason)
  assert.equal(server.seen.length, 1)
})

test('parameters and query values arrive unchanged, whatever they contain', async () => {
  await using server = await serve(fine)
  const id = 'a/b?c#d é%2F'
  await clientOf(server).listDeliveries(id, { q: 'a&b=c d+é%', limit: 5, flag: false, none: undefined } as object)
  const url = new URL(String(server.seen[0]?.url), server.baseUrl)
  assert.equal(url.pathname, '/v1/webhooks/a%2Fb%3Fc%23d%20%C3%A9%252F/deliveries')
  assert.deepEqual(Object.fromEntries(url.searchParams), { q: 'a&b=c d+é%', limit: '5', flag: 'false' })
})

test('a parameter that would change the path is rejected before anything is sent', async () => {
  await using server = await serve(fine)
  for (const id of ['', '.', '..']) await assert.rejects(clientOf(server).listDeliveries(id), ConfigurationError)
  assert.equal(server.seen.length, 0)
})

test('a base URL can end with a slash and have a path', async () => {
  await using server = await serve(fine)
  await clientOf({ baseUrl: `${server.baseUrl}/` }).getStatus()
  await clientOf({ baseUrl: `${server.baseUrl}/under/` }).getStatus()
  assert.deepEqual(
    server.seen.map(({ url }) => url),
    ['/v1/status', '/under/v1/status'],
  )
})

test('a custom fetch is called as a plain function and can return its own type of Response', async () => {
  let receiver: unknown
  const own = function (this: unknown) {
    receiver = this
    const response = { ok: true, status: 200, headers: new Headers(), text: async () => '{"status":"up"}' }
    return Promise.resolve(response as Response)
  }
  const { status } = await clientOf({ baseUrl: 'https://b.example' }, { fetch: own }).getStatus()
  assert.deepEqual([status, receiver], ['up', undefined])
})
