import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import type { PostStatus } from '../src/index.ts'
import { WaitTimeoutError } from '../src/index.ts'
import { clientOf, json, neverAnswer, type Reply, refuse, serve } from './misbehaving-server.ts'

const record = (status: string, more: object = {}) =>
  ({ id: 'post_1', kind: 'message', status, ...more }) as unknown as PostStatus
const soon = { 'retry-after': '0' }
const reply = (status: string, headers: Record<string, string> = soon): Reply => json(200, record(status), headers)
const apiKey = 'bsk_a'

test('it polls until the post is decided', async () => {
  await using server = await serve(reply('queued'), reply('queued'), reply('published'))
  const decided = await clientOf(server, { apiKey }).waitForDecision('post_1')
  assert.equal(decided.status, 'published')
  assert.equal(server.seen.length, 3)
})

test('it polls no earlier than the service says, in the header or in the record', async () => {
  await using server = await serve(
    json(200, { status: 'up' }),
    reply('queued', { 'retry-after': '1' }),
    reply('rejected'),
  )
  const startedAt = performance.now()
  const first = record('queued', { moderation: { state: 'running', retry_after_seconds: 1 } })
  await clientOf(server, { apiKey }).waitForDecision(first)
  const [, second, third] = server.seen
  // Timers differ by a few milliseconds.
  assert.ok(second && third && second.at - startedAt >= 950 && third.at - second.at >= 950)
})

test('a post in review is an outcome, unless the caller wants to wait for the person too', async () => {
  await using one = await serve(reply('queued'), reply('review'))
  assert.equal((await clientOf(one, { apiKey }).waitForDecision('post_1')).status, 'review')
  await using other = await serve(reply('queued'), reply('review'), reply('published'))
  const decided = await clientOf(other, { apiKey }).waitForDecision('post_1', { throughReview: true })
  assert.equal(decided.status, 'published')
})

test('it also waits for the decision on an edit', async () => {
  const edited = (status: string) => json(200, record('published', { edit: { status } }), soon)
  await using server = await serve(edited('queued'), edited('accepted'))
  const decided = await clientOf(server, { apiKey }).waitForDecision('post_1')
  assert.equal(decided.edit?.status, 'accepted')
  assert.equal(server.seen.length, 2)
})

test('a record that is decided is returned without a call', async () => {
  await using server = await serve(reply('queued'))
  const decided = record('removed')
  assert.equal(await clientOf(server, { apiKey }).waitForDecision(decided), decided)
  assert.equal(server.seen.length, 0)
})

test('the timeout is an error with the last record', async () => {
  await using server = await serve(reply('queued', { 'retry-after': '3600' }))
  const error = await clientOf(server, { apiKey })
    .waitForDecision('post_1', { timeoutMs: 50 })
    .catch((caught: unknown) => caught)
  assert.ok(error instanceof WaitTimeoutError)
  assert.deepEqual([error.post.status, error.message], ['queued', 'post_1 is still in queued after 0.05 seconds.'])
  assert.equal(server.seen.length, 1)
})

test('the timeout also ends a poll without an answer', async () => {
  await using server = await serve(reply('queued'), neverAnswer)
  const client = clientOf(server, { apiKey })
  const late = await client.waitForDecision('post_1', { timeoutMs: 500 }).catch((caught: unknown) => caught)
  assert.ok(late instanceof WaitTimeoutError)
  assert.equal(late.post.status, 'queued')
  // Without a record, it is the same as a call without an answer.
  await using mute = await serve(neverAnswer)
  await assert.rejects(clientOf(mute, { apiKey }).waitForDecision('post_1', { timeoutMs: 50 }), {
    name: 'BroadsideTimeoutError',
  })
})

test('a timeout that no timer can take is refused', async () => {
  for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])
    await assert.rejects(clientOf({ baseUrl: 'https://m.example' }).waitForDecision('post_1', { timeoutMs }), {
      name: 'ConfigurationError',
    })
})

test('a wait leaves no listener on the caller’s signal', async () => {
  const { signal } = new AbortController()
  await using server = await serve(reply('queued'), reply('published'))
  await clientOf(server, { apiKey }).waitForDecision('post_1', { signal })
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})

test('a signal ends the wait immediately', async () => {
  const controller = new AbortController()
  const reason = new Error('enough')
  await using server = await serve((response, request) => {
    reply('queued', { 'retry-after': '3600' })(response, request)
    setTimeout(() => controller.abort(reason), 20)
  })
  await assert.rejects(clientOf(server, { apiKey }).waitForDecision('post_1', { signal: controller.signal }), reason)
})

test('it keeps polling at the site where it found the post', async () => {
  await using elsewhere = await serve(reply('queued'), reply('published'))
  const sites = [{ kind: 'story', url: elsewhere.baseUrl }]
  await using here = await serve(refuse(404, 'post_not_found', {}, { kind: 'story' }), json(200, { sites }))
  await clientOf(here, { apiKey }).waitForDecision('post_1')
  assert.deepEqual([here.seen.length, elsewhere.seen.length], [2, 2])
})
