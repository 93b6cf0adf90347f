import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { usualLimits } from '../../src/bin/gateway/limit-values.ts'
import { streamLimits } from '../../src/contract/stream-limits.ts'
import { type OpenStream, openEventStream } from '../../tooling/clients/event-stream.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { assertProblem, refusalOf } from '../../tooling/problem-document.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { kindNamed } from '../support/posts/create-post.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'

let service: Service
let accountId: string
let apiKey: string

before(async () => {
  service = await startService({
    streamTiming: { lookMs: 20, ownLookMs: 20, careMs: 50, blockedMs: 1_000 },
    gatewayLimits: { ...usualLimits, streams: 20, streamOpeningsOfAddress: { perMinute: 100_000, burst: 10_000 } },
  })
  const account = await service.createCustomer()
  accountId = account.id
  apiKey = account.api_key
})
after(() => service[Symbol.asyncDispose]())

const publish = (changes: object = {}, account = accountId, kind = 'message') =>
  publishAsModel(service, { kind: kindNamed(kind), accountId: account, changes })
const told = ({ events }: OpenStream) => events.map(({ type, data }) => `${type} ${data.id}`)
const until = (isSo: () => boolean, what: string) => waitFor(async () => isSo(), what)
async function refusedWith(stream: OpenStream, code: string) {
  const refusal = await refusalOf(stream.response)
  assertProblem(refusal, code as never)
  return JSON.parse(refusal.body)
}

test('something that is no cursor, or one from the future, is an invalid query', async () => {
  const future = `zz-1-${(service.clock.now().getTime() + 3_600_000).toString(36)}`
  for (const after of ['nonsense', 'evt_01jcmzq8e5f7r9t2v4x6y8z0ab', future]) {
    await using stream = await openEventStream(service.baseUrl, { query: { after } })
    await refusedWith(stream, 'invalid_query')
    await using byHeader = await openEventStream(service.baseUrl, { lastEventId: after })
    const { errors } = await refusedWith(byHeader, 'invalid_query')
    assert.deepEqual(errors, [
      { pointer: '#/after', detail: 'Last-Event-ID must be the id of an event of this stream' },
    ])
  }
})

test('after a failover that lost the end of the log, readers get everything that is there, some of it again', async () => {
  const kept = await publish()
  const open = await openEventStream(service.baseUrl)
  const lost = await publish()
  await until(() => told(open).includes(`post.published ${lost}`), 'the post that will be lost')
  // What a standby without the latest commits has, and what it goes on with.
  await service.asOwner('delete from stream_entries where post_id = $1', [lost])
  const replacing = await publish()
  await open.ended
  await using resumed = await openEventStream(service.baseUrl, { lastEventId: open.lastId() })
  await until(() => told(resumed).includes(`post.published ${replacing}`), 'the post that took its position')
  assert.ok(told(resumed).includes(`post.published ${kept}`), 'repeats the last minute')
})

test('with scope=mine a key gets its own events, and resumes by their ids', async () => {
  await publish()
  await using stream = await openEventStream(service.baseUrl, { apiKey, query: { scope: 'mine' } })
  const stranger = await service.createAccount()
  // More than the account has, because each account counts its own events.
  for (let count = 0; count < 3; count++) await publish({}, stranger.id)
  const [own, other] = [await publish(), await publish({}, accountId, 'story')]
  await until(() => stream.events.length === 2, 'both events')
  const listed = await service.client(apiKey).listEvents({ limit: 100 })
  assert.deepEqual(
    stream.events.map(({ data }) => data),
    listed.body.data.slice(-2),
  )
  assert.deepEqual(
    stream.events.map(({ data }) => (data['data'] as { id: string }).id),
    [own, other],
  )
  await using again = await openEventStream(service.baseUrl, {
    ...{ apiKey, query: { scope: 'mine' } },
    lastEventId: String(stream.events[0]?.id),
  })
  await until(() => again.events.length === 1, 'the second event again')
  assert.equal(again.events[0]?.id, stream.events[1]?.id)
})

test('an account without events can resume, too', async () => {
  const account = await service.createCustomer()
  const options = { apiKey: account.api_key, query: { scope: 'mine' } }
  const first = await openEventStream(service.baseUrl, options)
  await until(() => first.lastId() !== undefined, 'the first id')
  await first.close()
  await publish({}, account.id)
  await using resumed = await openEventStream(service.baseUrl, { ...options, lastEventId: first.lastId() })
  await until(() => resumed.events.length === 1, 'the event')
})

test('scope=mine needs a key and has no filters, and ends when the key is revoked or the account closed', async () => {
  await using keyless = await openEventStream(service.baseUrl, { query: { scope: 'mine' } })
  const { expected } = await refusedWith(keyless, 'missing_api_key')
  assert.equal(expected, 'Authorization: Bearer <API key>')
  await using filtered = await openEventStream(service.baseUrl, { apiKey, query: { scope: 'mine', kind: 'all' } })
  await refusedWith(filtered, 'invalid_query')
  const [revoked, closed] = [await service.createAccount(), await service.createAccount()]
  const streams = await Promise.all(
    [revoked, closed].map((one) => openEventStream(service.baseUrl, { apiKey: one.api_key, query: { scope: 'mine' } })),
  )
  await service.asOwner('update api_keys set revoked_at = $2 where account_id = $1', [revoked.id, service.clock.now()])
  await service.asOwner('select close_account($1, $2)', [closed.id, service.clock.now()])
  await Promise.all(streams.map(({ ended }) => ended))
})

test('an account that opens more private streams than it may loses the oldest', async () => {
  const account = await service.createCustomer()
  const streams: OpenStream[] = []
  for (let number = 0; number <= streamLimits.perAccount; number++)
    streams.push(await openEventStream(service.baseUrl, { apiKey: account.api_key, query: { scope: 'mine' } }))
  await streams[0]?.ended
  await publish({}, account.id)
  await until(() => streams.slice(1).every(({ events }) => events.length === 1), 'the others to get the event')
  await Promise.all(streams.map((stream) => stream.close()))
})

test('the gateway lets one address keep a number of streams open, and other calls go on', async () => {
  const streams = await Promise.all(
    Array.from({ length: streamLimits.perAddress }, () => openEventStream(service.baseUrl)),
  )
  assert.deepEqual([...new Set(streams.map(({ response }) => response.status))], [200])
  await using refused = await openEventStream(service.baseUrl)
  await refusedWith(refused, 'platform_busy')
  assert.equal((await service.client().browsePosts()).status, 200)
  await Promise.all(streams.map((stream) => stream.close()))
})

test('HEAD is not offered, and a caller that accepts only JSON is refused', async () => {
  const head = await fetch(`${service.baseUrl}/v1/stream`, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('allow')], [405, 'GET'])
  await using json = await openEventStream(service.baseUrl, { headers: { accept: 'application/json' } })
  await refusedWith(json, 'not_acceptable')
})
