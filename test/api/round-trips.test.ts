import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { Batch } from '../../src/platform/database/statements/batch.ts'
import { PreparingClient } from '../../src/platform/database/statements/prepared-statements.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { seedListedPost } from '../support/posts/create-post.ts'

/**
 * The most messages to the database that a call waits for, one after the other. Each costs the caller the way to the
 * database and back, and the API process two system calls. The lookup of the key is one of them, and so is the reading of
 * the model's state, which all calls within a tenth of a second share.
 */
const maxRoundTrips = {
  'get the status': 1,
  'get the account': 7,
  'submit a post': 4,
  'submit a post with an Idempotency-Key': 4,
  'repeat a submission': 4,
  'try a submission': 10,
  'get a post': 1,
  'get the status of an own post': 3,
  'list posts': 1,
  'list own posts': 5,
  search: 4,
  'find a place': 0,
  'edit a post': 19,
  'delete a post': 15,
  'list events': 2,
}

let service: Service
let sent: string[] = []
const plain = PreparingClient.prototype.query

before(async () => {
  PreparingClient.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    const [query] = args
    const text = query instanceof Batch ? query.statements.map((one) => one.text).join(';\n') : String(query)
    // Workers are woken after the response.
    if (!text.includes('pg_notify')) sent.push(text)
    return (plain as (...given: unknown[]) => unknown).apply(this, args)
  } as typeof plain
  service = await startService()
})
after(async () => {
  PreparingClient.prototype.query = plain
  await service[Symbol.asyncDispose]()
})

type Sent = { method?: string; apiKey?: string; body?: object; idempotencyKey?: string }

async function roundTripsOf(path: string, { method = 'GET', apiKey, body, idempotencyKey }: Sent = {}) {
  const request = {
    method,
    headers: {
      ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }
  sent = []
  const response = await fetch(`${service.baseUrls['message']}${path}`, request)
  const { length } = sent
  assert.ok(response.ok, await response.text())
  return length
}

const message = () => ({ text: `The ferry to the northern islands leaves at ${randomUUID()} and takes about an hour.` })

test('no operation has more round trips to the database than its limit', async () => {
  const { id: accountId, api_key: apiKey } = await service.createCustomer()
  const own = await seedListedPost(service, {
    kind: 'message',
    body: message(),
    publishedAt: service.clock.now(),
    accountId,
  })
  const idempotencyKey = randomUUID()
  const body = message()
  const submission = { method: 'POST', apiKey, body, idempotencyKey }
  // The first call of a key also notes its use, and the first call of a process reads what it then keeps.
  await roundTripsOf('/v1/posts', { method: 'POST', apiKey, body: message() })
  await roundTripsOf('/v1/status')
  const counted: Record<keyof typeof maxRoundTrips, number> = {
    'get the status': await roundTripsOf('/v1/status'),
    'get the account': await roundTripsOf('/v1/account', { apiKey }),
    'submit a post': await roundTripsOf('/v1/posts', { method: 'POST', apiKey, body: message() }),
    'submit a post with an Idempotency-Key': await roundTripsOf('/v1/posts', submission),
    'repeat a submission': await roundTripsOf('/v1/posts', submission),
    'try a submission': await roundTripsOf('/v1/posts?dry_run=true', { method: 'POST', apiKey, body: message() }),
    'get a post': await roundTripsOf(`/v1/posts/${own}`),
    'get the status of an own post': await roundTripsOf(`/v1/posts/${own}`, { apiKey }),
    'list posts': await roundTripsOf('/v1/posts'),
    'list own posts': await roundTripsOf('/v1/account/posts', { apiKey }),
    search: await roundTripsOf('/v1/search?q=ferry', { apiKey }),
    'find a place': await roundTripsOf('/v1/places?q=Oslo'),
    'edit a post': await roundTripsOf(`/v1/posts/${own}`, { method: 'PATCH', apiKey, body: message() }),
    'delete a post': await roundTripsOf(`/v1/posts/${own}`, { method: 'DELETE', apiKey }),
    'list events': await roundTripsOf('/v1/events', { apiKey }),
  }
  const over = Object.entries(counted).filter(([name, count]) => count > maxRoundTrips[name as keyof typeof counted])
  assert.deepEqual(over, [], JSON.stringify(counted, null, 1))
})
