import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import { connect, inTransaction } from '../../../src/platform/database/database.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service[Symbol.asyncDispose]())

const words = 'amber basalt cedar delta ember fjord glacier harbour island juniper kelp lagoon meadow'.split(' ')
const text = () => `Notice ${crypto.randomUUID()}: ${words.toSorted(() => Math.random() - 0.5).join(' ')}.`

test('the same key and body get the same response and one charge', async () => {
  const { client } = await service.createCustomer(100_000)
  const body = { text: text(), topics: ['tides'] }
  const first = await client.submitPost(body, {}, { idempotencyKey: 'retry-0001' })
  const again = await client.submitPost({ topics: body.topics, text: body.text }, {}, { idempotencyKey: 'retry-0001' })
  assert.equal(again.status, 202)
  assert.deepEqual(again.body, first.body)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.headers.get('retry-after'), first.headers.get('retry-after'))
  assert.equal(again.headers.get('location'), first.headers.get('location'))
  assert.equal((await client.getAccount()).body.balance_micros, 80_000)
})

test('the same key with another body is refused', async () => {
  const { client } = await service.createCustomer()
  await client.submitPost({ text: text() }, {}, { idempotencyKey: 'retry-0002' })
  await assert.rejects(client.submitPost({ text: text() }, {}, { idempotencyKey: 'retry-0002' }), (error) =>
    isProblem(error, 'idempotency_key_reused'),
  )
})

test('a key belongs to its account and its site', async () => {
  const [one, other] = [await service.createCustomer(), await service.createCustomer()]
  const options = { idempotencyKey: 'shared-key-1' }
  await one.client.submitPost({ text: text() }, {}, options)
  assert.equal((await other.client.submitPost({ text: text() }, {}, options)).headers.get('idempotent-replayed'), null)
  const ads = service.client(one.api_key, 'classified')
  const ad = { title: 'Two oars', body: 'Ash wood, used for one summer only.', category: 'for-sale' as const }
  assert.equal((await ads.submitPost(ad, {}, options)).headers.get('idempotent-replayed'), null)
})

test('a 402 is not stored: after a top-up the same key succeeds', async () => {
  const account = await service.createAccount()
  const options = { idempotencyKey: 'no-money-yet' }
  const body = { text: text() }
  await assert.rejects(account.client.submitPost(body, {}, options), (error) =>
    isProblem(error, 'insufficient_balance'),
  )
  await service.credit(account.id, 20_000)
  assert.equal((await account.client.submitPost(body, {}, options)).status, 202)
})

test('a dry run neither uses up a key nor repeats its response', async () => {
  const { client } = await service.createCustomer()
  const options = { idempotencyKey: 'dry-then-wet' }
  const body = { text: text() }
  assert.equal((await client.submitPost(body, { dry_run: 'true' }, options)).status, 200)
  const first = await client.submitPost(body, {}, options)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.equal((await client.submitPost(body, {}, options)).headers.get('idempotent-replayed'), 'true')
})

test('a response is stored for 24 hours, and then the key is free', async () => {
  const { client } = await service.createCustomer()
  const options = { idempotencyKey: 'tomorrow-again' }
  const body = { text: text() }
  const first = await client.submitPost(body, {}, options)
  service.clock.setOffset(24 * 3_600_000 - 1_200_000)
  const kept = await client.submitPost(body, {}, options)
  assert.deepEqual(kept.body, first.body)
  service.clock.setOffset(24 * 3_600_000 + 1)
  const next = await client.submitPost({ text: text() }, {}, options)
  service.clock.setOffset(0)
  assert.equal(next.headers.get('idempotent-replayed'), null)
})

test('a stored response is returned even if the post would be invalid today', async () => {
  const account = await service.createCustomer()
  const events = service.client(account.api_key, 'event')
  const hour = (offset: number) => new Date(Math.ceil(Date.now() / 1000) * 1000 + offset * 3_600_000).toISOString()
  const body = {
    title: 'Low tide walk',
    body: 'Boots are needed; the guide waits at the slipway.',
    timezone: 'UTC',
    starts_at: hour(1),
    ends_at: hour(2),
  }
  const options = { idempotencyKey: 'walk-of-today' }
  const first = await events.submitPost(body, {}, options)
  service.clock.setOffset(3 * 3_600_000)
  const again = await events.submitPost(body, {}, options)
  await assert.rejects(events.submitPost(body, {}, { idempotencyKey: 'another-key' }), (error) =>
    isProblem(error, 'validation_failed'),
  )
  service.clock.setOffset(0)
  assert.deepEqual(again.body, first.body)
})

test('a second request waits for the response of the first, and gets a problem if that takes too long', async () => {
  const account = await service.createCustomer()
  await using holder = connect(service.database.urls.migrator, { poolMax: 1, applicationName: 'test holder' })
  const body = { text: text() }
  await inTransaction(holder.db, async (tx) => {
    await tx
      .insertInto('idempotent_answers')
      .values({
        account_id: account.id,
        site: 'message',
        path: '/v1/posts',
        key: 'still-running',
        fingerprint: Buffer.alloc(32),
        status: 202,
        headers: '{}',
        body: '{}',
        created_at: service.clock.now(),
      })
      .execute()
    await assert.rejects(account.client.submitPost(body, {}, { idempotencyKey: 'still-running' }), (error) =>
      isProblem(error, 'idempotency_in_progress'),
    )
    throw new Error('the first request fails after all')
  }).catch(() => {})
  assert.equal((await account.client.submitPost(body, {}, { idempotencyKey: 'still-running' })).status, 202)
})

test('a key may be bare or quoted, and a malformed one is refused', async () => {
  const account = await service.createCustomer()
  const body = JSON.stringify({ text: text() })
  const send = (key: string) =>
    fetch(`${service.baseUrl}/v1/posts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.api_key}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body,
    })
  const first = await (await send('quoted-or-bare')).text()
  const quoted = await send('"quoted-or-bare"')
  assert.equal(await quoted.text(), first, 'the very same bytes')
  for (const wrong of ['short', 'x'.repeat(129), 'tab\there!', '"spaces "', 'ümlaut-key'])
    assert.equal((await send(wrong)).status, 400, wrong)
})

test('Invariant 2: twenty identical submissions at once give one post, one charge and one response', async () => {
  const account = await service.createCustomer(1_000_000)
  // Without a word: no repeat is refused as a near-duplicate, so that only the key makes them one.
  const body = { text: '🌊 ⚓ 🐟' }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => account.client.submitPost(body, {}, { idempotencyKey: 'all-at-once' })),
  )
  assert.equal(new Set(answers.map((answer) => JSON.stringify(answer.body))).size, 1)
  assert.equal(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null).length, 1)
  assert.equal((await account.client.getAccount()).body.balance_micros, 980_000)
  const [row] = await service.asOwner<{ count: number }>('select count(*) from posts where account_id = $1', [
    account.id,
  ])
  assert.equal(row?.count, 1)
})

test('a key belongs to the call, whatever the spelling of its path', async () => {
  const account = await service.createCustomer(1_000_000)
  const send = (path: string, body: object) =>
    fetch(service.baseUrl + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.api_key}`,
        'content-type': 'application/json',
        'idempotency-key': 'spelled-twice',
      },
      body: JSON.stringify(body),
    })
  assert.equal((await send('/v1/posts', { text: text() })).status, 202)
  assert.equal((await send('/v1/post%73', { text: text() })).status, 422)
  assert.equal((await account.client.getAccount()).body.balance_micros, 980_000)
})

test('a dry run refuses a malformed key as the real call would', async () => {
  const { client } = await service.createCustomer()
  await assert.rejects(client.submitPost({ text: text() }, { dry_run: 'true' }, { idempotencyKey: 'short' }), (error) =>
    isProblem(error, 'invalid_idempotency_key'),
  )
})
