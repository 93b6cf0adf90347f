import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import { allowances, unprovenDeliveriesForTests } from '../../../src/contract/limits.ts'
import { secondsToMidnight } from '../../../src/contract/time/utc-day.ts'
import { openWebhookFixture, type WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'
import { answering } from '../../support/webhooks/webhook-receiver.ts'

const perDay = allowances['deliveries-to-unproven-endpoints'].max
const eventsPerDay = perDay - unprovenDeliveriesForTests
const day = 86_400

let fixture: WebhookFixture
before(async () => {
  fixture = await openWebhookFixture({ provesEndpoints: false })
  // Noon of the next day, so that no test crosses midnight.
  fixture.pass(secondsToMidnight(fixture.service.clock.now()) + day / 2)
})
after(() => fixture[Symbol.asyncDispose]())

async function receivedAt(path: string): Promise<number> {
  await fixture.service.settle()
  return fixture.receiver.at(path).length
}

function isRefusedUntilMidnight(error: unknown): boolean {
  assert.ok(isProblem(error, 'rate_limited'))
  assert.match(String(error.document.detail), /never answered a test event/)
  const seconds = Number(error.headers.get('retry-after'))
  assert.ok(Math.abs(seconds - secondsToMidnight(fixture.service.clock.now())) <= 60, String(seconds))
  return true
}

const subscribed = async (path: string) => {
  const subscription = await fixture.subscribe(path)
  const { account, webhook } = subscription
  const since = fixture.service.clock.now().toISOString()
  const later = () => new Date(fixture.service.clock.now().getTime() + 1).toISOString()
  return {
    ...subscription,
    testOnce: () => account.client.testWebhook(webhook.id),
    replayAll: async () => (await account.client.replayDeliveries(webhook.id, { since, until: later() })).body.queued,
    statuses: async () => Object.groupBy(await subscription.deliveries(), ({ status }) => status),
  }
}

test('an endpoint that never answered a test gets 15 events a day; further ones are held and stay in the log', async () => {
  const { account, record, statuses } = await subscribed('/unproven')
  await fixture.announceMany(account, eventsPerDay + 3)
  await fixture.receiver.untilReceived('/unproven', eventsPerDay)
  assert.equal(await receivedAt('/unproven'), eventsPerDay)
  const { delivered, held } = await statuses()
  assert.deepEqual([delivered?.length, held?.length], [eventsPerDay, 3])
  assert.equal((await account.client.listEvents({ limit: 100 })).body.data.length, eventsPerDay + 3)
  assert.equal((await record())?.proven_at, null, 'only a test proves an endpoint')
  fixture.pass(day)
  await fixture.announce(account)
  await fixture.receiver.untilReceived('/unproven', eventsPerDay + 1)
})

test('a test that succeeds proves the endpoint: no limit applies, and what was held can be replayed', async () => {
  const { account, testOnce, replayAll, record, statuses } = await subscribed('/proving')
  await fixture.announceMany(account, eventsPerDay + 3)
  await fixture.receiver.untilReceived('/proving', eventsPerDay)
  await assert.rejects(replayAll(), isRefusedUntilMidnight)
  const at = fixture.service.clock.now().getTime()
  await testOnce()
  await fixture.receiver.untilReceived('/proving', eventsPerDay + 1)
  await fixture.service.settle()
  const { proven_at } = (await record()) ?? {}
  assert.ok(Math.abs(Date.parse(String(proven_at)) - at) < 60_000, String(proven_at))
  assert.equal((await statuses()).held?.length, 3, 'nothing is sent that nobody asked for')
  await fixture.announceMany(account, perDay + 1)
  const before = eventsPerDay + 1 + perDay + 1
  assert.equal(await receivedAt('/proving'), before)
  assert.equal(await replayAll(), before + 3)
  assert.equal(await receivedAt('/proving'), before + before + 3)
  assert.equal((await statuses()).held, undefined)
})

test('tests that fail do not prove an endpoint and count towards its deliveries', async () => {
  const { account, testOnce, record } = await subscribed('/failing-tests')
  fixture.receiver.on('/failing-tests', answering(404))
  await fixture.announceMany(account, eventsPerDay + 1)
  for (let count = 0; count < unprovenDeliveriesForTests; count++) await testOnce()
  await assert.rejects(testOnce(), isRefusedUntilMidnight)
  await fixture.service.settle()
  const events = new Set(fixture.receiver.at('/failing-tests').map(({ headers }) => headers['webhook-id']))
  assert.equal(events.size, perDay)
  assert.equal((await record())?.proven_at, null)
})

test('an endpoint that is deleted and registered again gets no new deliveries', async () => {
  const { account, webhook } = await subscribed('/cycled')
  fixture.receiver.on('/cycled', answering(404))
  for (let count = 0; count < perDay; count++) await account.client.testWebhook(webhook.id)
  await account.client.deleteWebhook(webhook.id)
  const again = await fixture.create(account, '/cycled-again')
  await assert.rejects(account.client.testWebhook(again.webhook.id), isRefusedUntilMidnight)
  await fixture.announce(account)
  assert.equal(await receivedAt('/cycled-again'), 0)
  assert.deepEqual(
    (await again.deliveries()).map(({ status }) => status),
    ['held'],
  )
})
