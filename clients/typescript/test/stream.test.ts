import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { isProblem } from '../src/index.ts'
import { clientOf, fine, hangUp, json, neverAnswer, type Reply, refuse, serve } from './misbehaving-server.ts'

const head = { 'content-type': 'text/event-stream; charset=utf-8' }
const frame = (id: number, type = 'post.published') => `id: ${id}\nevent: ${type}\ndata: {"id":"post_${id}"}\n\n`

/** Sends these pieces and ends the connection. */
const send =
  (...pieces: string[]): Reply =>
  (response) => {
    response.writeHead(200, head)
    for (const piece of pieces) response.write(piece)
    response.end()
  }
/** Sends these pieces and keeps the connection open. */
const keepOpen =
  (...pieces: string[]): Reply =>
  (response) => {
    response.writeHead(200, head).flushHeaders()
    for (const piece of pieces) response.write(piece)
  }

/** The ids of the first events. */
async function take(count: number, stream: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of stream) if (ids.push(id) === count) break
  return ids
}
const afterOf = ({ url }: { url: string }) => new URL(url, 'http://x').searchParams.get('after')

test('events have their id, type and parsed data, and the filters are sent', async () => {
  await using server = await serve(keepOpen(frame(1), frame(2, 'post.removed')))
  const events = []
  for await (const event of clientOf(server, { apiKey: 'bsk_a' }).stream({ kind: 'all', after: '0' }))
    if (events.push(event) === 2) break
  assert.deepEqual(events, [
    { id: '1', type: 'post.published', data: { id: 'post_1' } },
    { id: '2', type: 'post.removed', data: { id: 'post_2' } },
  ])
  const [seen] = server.seen
  assert.deepEqual([seen?.url, seen?.headers.accept], ['/v1/stream?kind=all&after=0', 'text/event-stream'])
  assert.equal(seen?.headers.authorization, 'Bearer bsk_a')
})

test('it reconnects after the last event, without repeats, also when an event was cut', async () => {
  await using server = await serve(
    send(frame(1), frame(2), frame(3).slice(0, -5)),
    hangUp,
    refuse(503, 'unavailable', { 'retry-after': '0' }),
    keepOpen(frame(2), frame(3), frame(4)),
  )
  assert.deepEqual(await take(4, clientOf(server).stream()), ['1', '2', '3', '4'])
  assert.deepEqual(server.seen.map(afterOf), [null, '2', '2', '2'])
})

test('the cursor at the end of the stream is read without waiting for an event', async () => {
  await using server = await serve(hangUp, keepOpen(': connected\nid: 7-a\n\n'))
  assert.equal(await clientOf(server).streamCursor({ kind: 'all' }), '7-a')
  assert.deepEqual(
    server.seen.map(({ url }) => url),
    ['/v1/stream?kind=all', '/v1/stream?kind=all'],
  )
})

test('once open, it reconnects after any 5xx or 429, also from a proxy', async () => {
  const html =
    (status: number): Reply =>
    (response) =>
      response.writeHead(status, { 'content-type': 'text/html', 'retry-after': '0' }).end('<h1>Busy</h1>')
  await using server = await serve(
    send(frame(1)),
    html(502),
    refuse(429, 'rate_limited', { 'retry-after': '0' }),
    html(429),
    keepOpen(frame(2)),
  )
  const client = clientOf(server, { maxRetries: 0 })
  assert.deepEqual(await take(2, client.stream()), ['1', '2'])
  assert.equal(server.seen.length, 5)
})

test('a refusal that would not go away ends the stream, also once it was open', async () => {
  for (const refusal of [refuse(409, 'invalid_state', { 'retry-after': '0' }), refuse(401, 'invalid_api_key')]) {
    await using server = await serve(send(frame(1)), refusal)
    await assert.rejects(take(2, clientOf(server).stream()), (error) => isProblem(error))
    assert.equal(server.seen.length, 2)
  }
})

test('it waits at most five minutes, whatever the service asks for', async (context) => {
  const waits: number[] = []
  const { setTimeout: real } = globalThis
  // The timers of requests are longer than a second, too, but none has this length.
  context.mock.method(globalThis, 'setTimeout', ((work: () => void, ms: number) => {
    if (ms < 300_000) return real(work, ms)
    waits.push(ms)
    return real(work, 0)
  }) as typeof setTimeout)
  const years = { 'retry-after': '99999999999' }
  await using server = await serve(
    send(frame(1)),
    refuse(503, 'unavailable', years),
    send('retry: 99999999999\n\n'),
    keepOpen(frame(2)),
  )
  assert.deepEqual(await take(2, clientOf(server).stream()), ['1', '2'])
  assert.deepEqual(waits, [300_000, 300_000])
})

test('a heartbeat timeout that no timer can take is refused', async () => {
  const client = clientOf({ baseUrl: 'https://m.example' })
  for (const heartbeatTimeoutMs of [0, 2 ** 31, Number.NaN])
    await assert.rejects(take(1, client.stream({ heartbeatTimeoutMs })), { name: 'ConfigurationError' })
})

test('a heartbeat moves the position on', async () => {
  await using server = await serve(send(frame(1), ':\nid: 9\n\n'), keepOpen(frame(10)))
  assert.deepEqual(await take(2, clientOf(server).stream()), ['1', '10'])
  assert.deepEqual(server.seen.map(afterOf), [null, '9'])
})

test('a character that is split between two pieces arrives whole', async () => {
  const bytes = Buffer.from('id: 1\ndata: {"id":"é🌊"}\n\n')
  await using server = await serve(async (response) => {
    response.writeHead(200, head).flushHeaders()
    for (const byte of bytes) {
      response.write(Buffer.of(byte))
      await new Promise(setImmediate)
    }
  })
  for await (const { data } of clientOf(server).stream()) {
    assert.equal(data.id, 'é🌊')
    break
  }
})

test('silence is a lost connection', async () => {
  await using server = await serve(keepOpen(frame(1)), keepOpen(frame(2)))
  assert.deepEqual(await take(2, clientOf(server).stream({ heartbeatTimeoutMs: 100 })), ['1', '2'])
  assert.equal(server.seen.length, 2)
})

test('a cursor that has expired ends the stream, at once or after a reconnection', async () => {
  const expired = refuse(409, 'cursor_expired', { 'retry-after': '0' })
  const isExpired = (error: unknown) => isProblem(error) && String(error.code) === 'cursor_expired'
  await using server = await serve(expired)
  await assert.rejects(take(1, clientOf(server).stream({ after: 'old' })), isExpired)
  await using later = await serve(send(frame(1)), expired)
  await assert.rejects(take(2, clientOf(later).stream()), isExpired)
  assert.deepEqual([server.seen.length, later.seen.length], [1, 2])
})

test('before the first connection, it gives up after maxRetries', async () => {
  await using server = await serve(hangUp)
  await assert.rejects(take(1, clientOf(server, { maxRetries: 1 }).stream()), { name: 'BroadsideConnectionError' })
  assert.equal(server.seen.length, 2)
  await using mute = await serve(neverAnswer)
  const client = clientOf(mute, { maxRetries: 0, timeoutMs: 50 })
  await assert.rejects(take(1, client.stream()), { name: 'BroadsideTimeoutError' })
  await using other = await serve(fine)
  await assert.rejects(take(1, clientOf(other).stream()), /without an event stream/)
})

test('the signal ends the stream with its reason: while it waits, and while it connects', async () => {
  const reason = new Error('enough')
  for (const reply of [keepOpen(frame(1)), neverAnswer]) {
    const controller = new AbortController()
    await using server = await serve((response, request) => {
      reply(response, request)
      setTimeout(() => controller.abort(reason), 50)
    })
    await assert.rejects(take(2, clientOf(server).stream({ signal: controller.signal })), reason)
    await assert.rejects(take(2, clientOf(server).stream({ signal: controller.signal })), reason)
    assert.equal(server.seen.length, 1)
  }
})

test('leaving the loop closes the connection', async () => {
  let open: ServerResponse | undefined
  await using server = await serve((response, request) => {
    open = response
    keepOpen(frame(1))(response, request)
  })
  const closed = Promise.withResolvers<unknown>()
  for await (const _ of clientOf(server).stream()) {
    closed.resolve(once(open as ServerResponse, 'close'))
    break
  }
  await closed.promise
})

test('a kind is followed at its own site with its filters, and your own events at any', async () => {
  await using events = await serve(keepOpen(frame(1)))
  await using server = await serve(
    json(200, { status: 'up', sites: [{ kind: 'event', url: events.baseUrl }] }),
    keepOpen('id: evt_1\nevent: post.published\ndata: {"id":"evt_1","type":"post.published"}\n\n'),
  )
  const client = clientOf(server)
  await take(1, client.stream({ kind: 'event', country: 'PT' }))
  await take(1, client.stream({ scope: 'mine' }))
  assert.deepEqual(
    [events.seen[0]?.url, server.seen[1]?.url],
    ['/v1/stream?kind=event&country=PT', '/v1/stream?scope=mine'],
  )
})
