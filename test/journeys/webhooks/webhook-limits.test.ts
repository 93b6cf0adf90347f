import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import { secondsToMidnight } from '../../../src/contract/time/utc-day.ts'
import { openWebhookFixture, type WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'

const perDay = 6
const day = 86_400

let fixture: WebhookFixture
before(async () => {
  fixture = await openWebhookFixture({ requestedDeliveriesPerAccount: perDay })
  // Noon of the next day, so that no test crosses midnight.
  fixture.pass(secondsToMidnight(fixture.service.clock.now()) + day / 2)
})
after(() => fixture[Symbol.asyncDispose]())

/** An account whose endpoint has received this many events, and the range that has all of them. */
async function subscribed(path: string, events: number) {
  const subscription = await fixture.subscribe(path)
  const { account, webhook } = subscription
  const since = fixture.service.clock.now().toISOString()
  for (let count = 0; count < events; count++) {
    await fixture.announce(account)
    fixture.pass(1)
  }
  await fixture.receiver.untilReceived(path, events)
  await fixture.service.settle()
  const range = { since, until: fixture.service.clock.now().toISOString() }
  return {
    ...subscription,
    range,
    testOnce: async () => (await account.client.testWebhook(webhook.id)).body,
    replay: async (body: { since: string; until: string } | { event_id: string } = range) =>
      (await account.client.replayDeliveries(webhook.id, body)).body,
  }
}

/** Waits for all deliveries and returns how many the receiver has. */
async function receivedAt(path: string): Promise<number> {
  await fixture.service.settle()
  return fixture.receiver.at(path).length
}

function isRefusedUntilMidnight(error: unknown): boolean {
  assert.ok(isProblem(error, 'rate_limited'))
  const seconds = Number(error.headers.get('retry-after'))
  assert.ok(Math.abs(seconds - secondsToMidnight(fixture.service.clock.now())) <= 60, String(seconds))
  return true
}

test('tests and replays share one daily allowance, and a replay counts by its deliveries', async () => {
  const { testOnce, replay } = await subscribed('/shared', 4)
  await testOnce()
  assert.deepEqual(await replay(), { queued: 4, next_since: null })
  assert.equal(await receivedAt('/shared'), 4 + 1 + 4)
  await testOnce()
  await assert.rejects(testOnce(), isRefusedUntilMidnight)
  await assert.rejects(replay(), isRefusedUntilMidnight)
  assert.equal(await receivedAt('/shared'), 4 + perDay)
  fixture.pass(day)
  assert.equal((await replay()).queued, 4)
})

test('a replay of a range queues what is left of the allowance, and says where to continue', async () => {
  const { testOnce, replay, range, deliveries } = await subscribed('/partly', 5)
  for (let count = 0; count < perDay - 2; count++) await testOnce()
  await fixture.service.settle()
  const events = (await deliveries()).filter(({ type }) => type !== 'webhook.test').reverse()
  assert.deepEqual(await replay(), { queued: 2, next_since: events[2]?.created_at })
  assert.equal(await receivedAt('/partly'), 5 + perDay)
  fixture.pass(day)
  assert.deepEqual(await replay({ ...range, since: String(events[2]?.created_at) }), { queued: 3, next_since: null })
})

test('each event that is replayed by its id counts, also after it was delivered', async () => {
  const { replay, deliveries } = await subscribed('/again', 1)
  const [event] = await deliveries()
  for (let count = 0; count < perDay; count++) {
    assert.equal((await replay({ event_id: String(event?.event_id) })).queued, 1)
    await fixture.service.settle()
  }
  await assert.rejects(replay({ event_id: String(event?.event_id) }), isRefusedUntilMidnight)
  assert.equal(await receivedAt('/again'), 1 + perDay)
})
