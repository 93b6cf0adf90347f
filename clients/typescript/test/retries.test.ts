import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { BroadsideConnectionError, isProblem } from '../src/index.ts'
import { pause, pauseBefore, retryAfterMs } from '../src/retry.ts'
import { clientOf, fine, hangUp, neverAnswer, newcomer, type Reply, refuse, serve } from './misbehaving-server.ts'

test('a GET is retried after a 503, not earlier than Retry-After says, in seconds or as a date', async () => {
  const inTwoSeconds = Math.ceil(Date.now() / 1_000) * 1_000 + 1_000
  const earliest: Record<string, (firstAt: number) => number> = {
    '1': (firstAt) => firstAt + 1_000,
    // A date is compared with the system clock, however long the first attempt took.
    [new Date(inTwoSeconds).toUTCString()]: () => inTwoSeconds - performance.timeOrigin,
  }
  const waits = Object.entries(earliest).map(async ([value, after]) => {
    await using server = await serve(refuse(503, 'unavailable', { 'retry-after': value }), fine)
    assert.equal((await clientOf(server).getStatus()).status, 'up')
    const [first, second] = server.seen
    // Timers and the two clocks differ by a few milliseconds.
    assert.ok(first && second && second.at >= after(first.at) - 100, `${value}: ${first?.at}, ${second?.at}`)
  })
  await Promise.all(waits)
})

test('Retry-After is read in seconds or as a date, and ignored if it is neither', () => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  const read = (value: string) => retryAfterMs(new Headers({ 'retry-after': value }), now)
  assert.equal(read('0'), 0)
  assert.equal(read('120'), 120_000)
  assert.equal(read('Sun, 15 Nov 2026 12:00:05 GMT'), 5_000)
  assert.equal(read('Sun, 15 Nov 2026 11:00:00 GMT'), 0)
  assert.equal(read('soon'), undefined)
  assert.equal(retryAfterMs(new Headers(), now), undefined)
})

test('delays double from a quarter of a second to eight seconds, and half of each is random', () => {
  const longest = Array.from({ length: 8 }, (_, retry) => pauseBefore(retry, () => 1))
  assert.deepEqual(longest, [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
  assert.equal(
    pauseBefore(0, () => 0),
    125,
  )
})

test('a Retry-After longer than maxRetryWaitMs ends the call, and the limit does not affect the usual delay', async () => {
  await using busy = await serve(refuse(429, 'platform_busy', { 'retry-after': '2' }))
  await assert.rejects(clientOf(busy, { maxRetryWaitMs: 1_999 }).getStatus(), (error) =>
    isProblem(error, 'platform_busy'),
  )
  assert.equal(busy.seen.length, 1)
  await using inAnHour = await serve(
    refuse(503, 'unavailable', { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }),
  )
  await assert.rejects(clientOf(inAnHour).getStatus(), (error) => isProblem(error, 'unavailable'))
  assert.equal(inAnHour.seen.length, 1)
  await using soon = await serve(refuse(503, 'unavailable'), fine)
  assert.equal((await clientOf(soon, { maxRetryWaitMs: 0 }).getStatus()).status, 'up')
})

test('a call is retried at most maxRetries times, and then throws the last error', async () => {
  await using server = await serve(refuse(500, 'internal_error'), refuse(503, 'unavailable'))
  await assert.rejects(clientOf(server, { maxRetries: 2 }).getStatus(), (error) => isProblem(error, 'unavailable'))
  assert.equal(server.seen.length, 3)
  await using once_ = await serve(hangUp)
  await assert.rejects(clientOf(once_, { maxRetries: 0 }).getStatus(), BroadsideConnectionError)
  assert.equal(once_.seen.length, 1)
})

test('a POST without an idempotency key is not retried if it may have succeeded', async () => {
  for (const reply of [hangUp, refuse(500, 'internal_error'), refuse(503, 'unavailable', { 'retry-after': '0' })]) {
    await using server = await serve(reply, fine)
    await assert.rejects(clientOf(server).createAccount(newcomer))
    // If the operation does not support a key, the key has no effect.
    await using other = await serve(reply, fine)
    await assert.rejects(clientOf(other).createAccount(newcomer, { idempotencyKey: 'mine-mine' }))
    assert.deepEqual([server.seen.length, other.seen.length], [1, 1])
  }
})

test('a 429 without Retry-After is not retried', async () => {
  await using server = await serve(refuse(429, 'rate_limited'), fine)
  await assert.rejects(clientOf(server).getStatus(), (error) => isProblem(error, 'rate_limited'))
  assert.equal(server.seen.length, 1)
})

test('a POST that got a 429 with Retry-After is sent again with its body', async () => {
  await using server = await serve(refuse(429, 'platform_busy', { 'retry-after': '0' }), fine)
  assert.equal((await clientOf(server).withResponse.createAccount(newcomer)).status, 200)
  assert.deepEqual(
    server.seen.map(({ body }) => JSON.parse(body)),
    [newcomer, newcomer],
  )
})

test('an error that would not go away is not retried', async () => {
  for (const [status, code] of [
    [400, 'malformed_json'],
    [404, 'not_found'],
    [409, 'invalid_state'],
  ] as const) {
    await using server = await serve(refuse(status, code), fine)
    await assert.rejects(clientOf(server).getStatus(), (error) => isProblem(error, code))
    assert.equal(server.seen.length, 1)
  }
})

test('all attempts of a call use the same idempotency key, and each call has a different one', async () => {
  await using server = await serve(hangUp, refuse(500, 'internal_error'), fine)
  await clientOf(server, { maxRetries: 2 }).submitPost({ text: 'a' })
  await clientOf(server).submitPost({ text: 'a' })
  const keys = server.seen.map(({ headers }) => headers['idempotency-key'])
  assert.equal(keys.length, 4)
  assert.match(String(keys[0]), /^[0-9a-f-]{36}$/)
  assert.equal(new Set(keys.slice(0, 3)).size, 1)
  assert.notEqual(keys[3], keys[0])
})

test('the caller’s own idempotency key is used, and a request still in progress is retried', async () => {
  await using server = await serve(refuse(409, 'idempotency_in_progress', { 'retry-after': '0' }), fine)
  await clientOf(server).submitPost({ text: 'a' }, {}, { idempotencyKey: 'my-own-key' })
  assert.deepEqual(
    server.seen.map(({ headers }) => headers['idempotency-key']),
    ['my-own-key', 'my-own-key'],
  )
})

test('the caller’s signal ends a delay immediately, even if it is aborted just before', async () => {
  // The delay is an hour, so the test would time out if the signal did not end it.
  await using server = await serve(refuse(503, 'unavailable', { 'retry-after': '3600' }))
  const maxRetryWaitMs = 3_600_000
  for (const delayMs of [0, 50]) {
    const controller = new AbortController()
    const reason = new Error('enough')
    const fetchAndAbort: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      const whole = new Response(await response.text(), response)
      if (delayMs === 0) controller.abort(reason)
      else setTimeout(() => controller.abort(reason), delayMs)
      return whole
    }
    const client = clientOf(server, { fetch: fetchAndAbort, maxRetryWaitMs })
    await assert.rejects(client.getStatus({ signal: controller.signal }), reason)
  }
})

test('a pause that no timer can take is shortened, so that it does not end at once', async () => {
  const stop = new AbortController()
  let isOver = false
  const waiting = pause(1e12, stop.signal).finally(() => {
    isOver = true
  })
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.ok(!isOver)
  stop.abort()
  await assert.rejects(waiting)
})

test('a delay leaves no listener on the caller’s signal', async () => {
  const { signal } = new AbortController()
  await using server = await serve(hangUp, fine)
  await clientOf(server).getStatus({ signal })
  assert.equal(server.seen.length, 2)
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})

test('each attempt has its own timeout, which includes the body', async () => {
  const stall: Reply = (response) => void response.writeHead(200, { 'content-length': '100' }).write('{"status":')
  const checks = [neverAnswer, stall].map(async (reply) => {
    await using server = await serve(reply, fine)
    // On a busy machine, an attempt can time out before the server has read it; only more attempts would be wrong.
    assert.equal((await clientOf(server, { timeoutMs: 5_000 }).getStatus()).status, 'up')
    assert.ok(server.seen.length >= 2)
    await using unsafe = await serve(reply, fine)
    await assert.rejects(clientOf(unsafe, { timeoutMs: 1_000 }).createAccount(newcomer), {
      name: 'BroadsideTimeoutError',
    })
    assert.ok(unsafe.seen.length <= 1)
  })
  await Promise.all(checks)
})

test('an incomplete response is a failed attempt, retried only if that cannot repeat an effect', async () => {
  const breakOff: Reply = (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"status":', () => response.destroy())
  }
  await using server = await serve(breakOff, fine)
  assert.equal((await clientOf(server).getStatus()).status, 'up')
  await using unsafe = await serve(breakOff, fine)
  await assert.rejects(clientOf(unsafe).createAccount(newcomer))
  assert.deepEqual([server.seen.length, unsafe.seen.length], [2, 1])
})
