import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import { maxWebhooksPerAccount } from '../../../src/contract/limits.ts'
import { webhookPurges } from '../../../src/webhooks/deliveries.ts'
import { openWebhookFixture, type WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'
import { answering, verified, verifiedAtItsTime } from '../../support/webhooks/webhook-receiver.ts'

let fixture: WebhookFixture
before(async () => {
  fixture = await openWebhookFixture()
})
after(() => fixture[Symbol.asyncDispose]())

const day = 86_400_000

test('a test event is delivered, signed and listed among the deliveries', async () => {
  const { account, webhook, deliveries } = await fixture.subscribe('/try')
  const { body: queued } = await account.client.testWebhook(webhook.id)
  const [delivery] = await fixture.receiver.untilReceived('/try', 1)
  assert.ok(delivery)
  assert.equal(delivery.headers['webhook-id'], queued.event_id)
  const event = verified(webhook.secret, delivery)
  assert.deepEqual([event['type'], event['data']], ['webhook.test', { endpoint_id: webhook.id }])
  await fixture.service.settle()
  const [shown] = await deliveries()
  assert.deepEqual([shown?.event_id, shown?.type, shown?.status], [queued.event_id, 'webhook.test', 'delivered'])
  assert.equal(shown?.attempts[0]?.status_code, 204)
  assert.deepEqual((await account.client.listEvents()).body.data, [], 'it is the endpoint’s, not the account’s')
})

test('every status change of a post is delivered with the same body that polling shows', async () => {
  const account = await fixture.service.createCustomer()
  const { webhook } = await fixture.create(account, '/posts')
  await account.client.submitPost({ text: 'The ferry leaves from pier four on Monday.', topics: ['ferries'] })
  const [delivery] = await fixture.receiver.untilReceived('/posts', 1)
  assert.ok(delivery)
  const [logged] = (await account.client.listEvents()).body.data
  assert.ok(logged)
  const { id, ...event } = logged
  assert.equal(delivery.headers['webhook-id'], id)
  assert.deepEqual(verified(webhook.secret, delivery), event)
})

test('an endpoint receives the events it subscribed to, or the outcomes of posts without a selection', async () => {
  const { account, webhook } = await fixture.subscribe('/rejections', ['post.rejected'])
  const all = await fixture.create(account, '/everything')
  assert.deepEqual(webhook.events, ['post.rejected'])
  assert.deepEqual(all.webhook.events, ['post.published', 'post.rejected', 'post.review', 'post.removed'])
  await fixture.announce(account, 'post.published')
  await fixture.announce(account, 'post.rejected')
  await fixture.receiver.untilReceived('/everything', 2)
  await fixture.service.settle()
  const types = fixture.receiver.at('/rejections').map(({ body }) => JSON.parse(body).type)
  assert.deepEqual(types, ['post.rejected'])
})

test('the secret is shown once, never listed, and is not in the database', async () => {
  const { account, webhook, record } = await fixture.subscribe('/secret')
  assert.match(webhook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.ok(!JSON.stringify(await record()).includes('whsec_'))
  const bytes = Buffer.from(webhook.secret.slice('whsec_'.length), 'base64')
  const rows = await fixture.service.asOwner<{ row: string }>(
    'select sealed::text || webhook_secrets::text as row from webhook_secrets where webhook_id = $1',
    [webhook.id],
  )
  assert.equal(rows.length, 1)
  for (const needle of [bytes.toString('hex'), bytes.toString('base64'), webhook.secret])
    assert.ok(!rows[0]?.row.includes(needle))
  await account.client.deleteWebhook(webhook.id)
  assert.equal(
    (await fixture.service.asOwner('select from webhook_secrets where webhook_id = $1', [webhook.id])).length,
    0,
  )
})

test('an account has at most five endpoints, even if twenty are requested at once', async () => {
  const account = await fixture.service.createAccount()
  const create = () => account.client.createWebhook({ url: fixture.receiver.url('/many') })
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, create))
  const refused = outcomes.filter((one) => one.status === 'rejected').map(({ reason }) => reason)
  assert.equal(outcomes.length - refused.length, maxWebhooksPerAccount)
  assert.ok(refused.every((error) => isProblem(error, 'too_many_webhooks')))
  const { data } = (await account.client.listWebhooks()).body
  assert.equal(data.length, maxWebhooksPerAccount)
  await account.client.deleteWebhook(String(data[0]?.id))
  await create()
  await assert.rejects(create(), (error) => isProblem(error, 'too_many_webhooks'))
})

test('an address that is not public or does not exist is refused at registration with instructions', async () => {
  const { client } = await fixture.service.createAccount()
  for (const url of ['http://hooks.example.test/', 'https://127.0.0.1/', 'https://missing.example.test/'])
    await assert.rejects(client.createWebhook({ url }), (error) => {
      assert.ok(isProblem(error, 'validation_failed'))
      assert.equal(error.document.errors?.[0]?.pointer, '#/url')
      return true
    })
})

test('a redirect is a failure and is not followed', async () => {
  const { account, webhook, deliveries } = await fixture.subscribe('/moved')
  fixture.receiver.on('/moved', answering(302, { location: fixture.receiver.url('/elsewhere') }))
  await account.client.testWebhook(webhook.id)
  await fixture.receiver.untilReceived('/moved', 1)
  await fixture.service.settle()
  assert.equal((await deliveries())[0]?.status, 'pending')
  assert.equal(fixture.receiver.at('/elsewhere').length, 0)
})

test('after a rotation both secrets sign for 24 hours, and then only the new one', async () => {
  const { account, webhook } = await fixture.subscribe('/rotated')
  const { body: rotated } = await account.client.rotateWebhookSecret(webhook.id)
  assert.notEqual(rotated.secret, webhook.secret)
  await fixture.announce(account)
  const [both] = await fixture.receiver.untilReceived('/rotated', 1)
  assert.ok(both)
  for (const secret of [webhook.secret, rotated.secret]) verified(secret, both)
  const at = fixture.service.clock.now()
  fixture.service.clock.setOffset(day + 1_000)
  await fixture.announce(account)
  const [, alone] = await fixture.receiver.untilReceived('/rotated', 2)
  assert.ok(alone)
  fixture.service.clock.setOffset(0)
  assert.ok(Number(alone.headers['webhook-timestamp']) * 1_000 - at.getTime() > day - 2_000)
  verifiedAtItsTime(rotated.secret, alone)
  assert.throws(() => verifiedAtItsTime(webhook.secret, alone))
})

test('at most four secrets sign, however often a secret is rotated', async () => {
  const { account, webhook } = await fixture.subscribe('/spun')
  const secrets = [webhook.secret]
  for (let round = 0; round < 6; round++)
    secrets.push((await account.client.rotateWebhookSecret(webhook.id)).body.secret)
  await fixture.announce(account)
  const [delivery] = await fixture.receiver.untilReceived('/spun', 1)
  assert.ok(delivery)
  assert.equal(String(delivery.headers['webhook-signature']).split(' ').length, 4)
  for (const secret of secrets.slice(-4)) verified(secret, delivery)
})

test('deliveries are paged, newest first, and can be filtered by status', async () => {
  const { account, webhook } = await fixture.subscribe('/listed')
  for (let count = 0; count < 5; count++) await fixture.announce(account)
  await fixture.receiver.untilReceived('/listed', 5)
  await fixture.service.settle()
  const { client } = account
  const first = (await client.listDeliveries(webhook.id, { limit: 3 })).body
  const second = (await client.listDeliveries(webhook.id, { limit: 3, cursor: String(first.next_cursor) })).body
  assert.equal(second.next_cursor, null)
  const ids = [...first.data, ...second.data].map(({ event_id }) => event_id)
  assert.deepEqual(ids, [...new Set(ids)].sort().reverse())
  assert.equal(ids.length, 5)
  assert.equal((await client.listDeliveries(webhook.id, { status: 'failed' })).body.data.length, 0)
})

async function purge(at: Date): Promise<void> {
  for (const step of Object.values(webhookPurges)) await step(fixture.service.workerDb, at)
}

test('deliveries are deleted after 30 days, and a deleted endpoint with all its data', async () => {
  const { account, webhook } = await fixture.subscribe('/forgotten')
  await fixture.announce(account)
  await fixture.receiver.untilReceived('/forgotten', 1)
  await fixture.service.settle()
  const count = async (table: string, column: string) =>
    (await fixture.service.asOwner(`select from ${table} where ${column} = $1`, [webhook.id])).length
  const at = fixture.service.clock.now().getTime()
  await purge(new Date(at + 30 * day - 1_200_000))
  assert.equal(await count('deliveries', 'webhook_id'), 1)
  await account.client.deleteWebhook(webhook.id)
  await purge(new Date(at + 120_000))
  assert.equal(await count('deliveries', 'webhook_id'), 0)
  assert.equal(await count('webhooks', 'id'), 0)
  const other = await fixture.subscribe('/aged')
  await fixture.announce(other.account)
  await fixture.receiver.untilReceived('/aged', 1)
  await fixture.service.settle()
  await purge(new Date(at + 31 * day))
  assert.equal((await other.deliveries()).length, 0)
})
