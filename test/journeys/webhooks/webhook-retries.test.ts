import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import { attemptDelaysSeconds, jitterShare } from '../../../src/webhooks/delivery-policy.ts'
import { startInbox } from '../../../tooling/services/inbox.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { openWebhookFixture, type WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'
import { answering, receiverHost, slowHost, verifiedAtItsTime } from '../../support/webhooks/webhook-receiver.ts'

const stack = new AsyncDisposableStack()
let fixture: WebhookFixture
let inboxUrl: string
before(async () => {
  const inbox = stack.use(await startInbox({ smtpPort: 0, webPort: 0 }))
  inboxUrl = `http://127.0.0.1:${inbox.webPort}/email`
  fixture = stack.use(
    await openWebhookFixture({ settings: { SMTP_URL: `smtp://127.0.0.1:${inbox.smtpPort}` }, attemptMs: 5_000 }),
  )
})
after(() => stack.disposeAsync())

const hour = 3_600

test('the whole schedule: every attempt within the jitter, then failed, then replayed', async () => {
  const { account, webhook, deliveries } = await fixture.subscribe('/schedule')
  fixture.receiver.on('/schedule', answering(500))
  await fixture.announce(account)
  const at: number[] = []
  for (const [index, delay] of attemptDelaysSeconds.entries()) {
    if (index > 0) {
      // Real time also passes, so a margin of one second would be too small.
      const early = delay > 60 ? delay * (1 - jitterShare) - 20 : 0
      fixture.pass(early)
      await fixture.service.settle()
      assert.equal(fixture.receiver.at('/schedule').length, index, `attempt ${index + 1} came too early`)
      fixture.pass(delay * (1 + jitterShare) - early)
    }
    await fixture.receiver.untilReceived('/schedule', index + 1)
    await fixture.service.settle()
  }
  const [delivery] = await deliveries()
  assert.equal(delivery?.status, 'failed')
  assert.equal(delivery.next_attempt_at, null)
  for (const attempt of delivery.attempts) at.push(Date.parse(attempt.at))
  assert.equal(at.length, attemptDelaysSeconds.length)
  for (const [index, delay] of attemptDelaysSeconds.entries()) {
    if (index === 0) continue
    const waited = (Number(at[index]) - Number(at[index - 1])) / 1_000
    // The test clock jumps to when the latest attempt is due, so that each is late by at most the jitter.
    assert.ok(
      waited >= delay * (1 - jitterShare) && waited <= delay * (1 + jitterShare) + 5,
      `${waited} s for ${delay}`,
    )
  }
  const received = fixture.receiver.at('/schedule')
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.equal(new Set(received.map(({ body }) => body)).size, 1)
  const timestamps = new Set(received.map(({ headers }) => headers['webhook-timestamp']))
  assert.equal(timestamps.size, attemptDelaysSeconds.length, 'each has its own signature')
  for (const one of received) verifiedAtItsTime(webhook.secret, one)
  fixture.receiver.on('/schedule', answering(200))
  const { body: replay } = await account.client.replayDeliveries(webhook.id, { event_id: delivery.event_id })
  assert.deepEqual(replay, { queued: 1, next_since: null })
  await fixture.receiver.untilReceived('/schedule', attemptDelaysSeconds.length + 1)
  await fixture.service.settle()
  assert.equal((await deliveries())[0]?.status, 'delivered')
})

test('a range is replayed whatever its outcome, and waiting deliveries are not queued twice', async () => {
  const { account, webhook, deliveries } = await fixture.subscribe('/range')
  const since = fixture.service.clock.now().toISOString()
  for (let count = 0; count < 3; count++) await fixture.announce(account)
  await fixture.receiver.untilReceived('/range', 3)
  await fixture.service.settle()
  fixture.pass(1)
  const until = fixture.service.clock.now().toISOString()
  await fixture.announce(account)
  await fixture.receiver.untilReceived('/range', 4)
  await fixture.service.settle()
  const { client } = account
  assert.equal((await client.replayDeliveries(webhook.id, { since, until })).body.queued, 3)
  await fixture.receiver.untilReceived('/range', 7)
  await fixture.service.settle()
  assert.deepEqual(
    (await deliveries()).map(({ status }) => status),
    ['delivered', 'delivered', 'delivered', 'delivered'],
  )
  const empty = { since: '2020-01-01T00:00:00.000Z', until: '2020-01-02T00:00:00.000Z' }
  assert.equal((await client.replayDeliveries(webhook.id, empty)).body.queued, 0)
  for (const body of [{ since }, { event_id: 'evt_01jcmzq8e5f7r9t2v4x6y8z0ab' }, {}, { since: until, until: since }])
    await assert.rejects(client.replayDeliveries(webhook.id, body), (error) => isProblem(error, 'validation_failed'))
})

test('an event from before the endpoint can be replayed to it; another account’s event cannot', async () => {
  const account = await fixture.service.createAccount()
  const stranger = await fixture.service.createAccount()
  await fixture.announce(account)
  await fixture.announce(stranger)
  const { webhook } = await fixture.create(account, '/before')
  const idOf = async ({ client }: typeof account) => String((await client.listEvents()).body.data[0]?.id)
  await account.client.replayDeliveries(webhook.id, { event_id: await idOf(account) })
  await fixture.receiver.untilReceived('/before', 1)
  const theirs = await idOf(stranger)
  await assert.rejects(account.client.replayDeliveries(webhook.id, { event_id: theirs }), (error) =>
    isProblem(error, 'validation_failed'),
  )
})

test('410 disables: events are held, a successful test enables again, and a replay sends the missed events', async () => {
  const { account, webhook, deliveries, record } = await fixture.subscribe('/gone')
  fixture.receiver.on('/gone', answering(410))
  const since = fixture.service.clock.now().toISOString()
  await fixture.announce(account)
  await fixture.receiver.untilReceived('/gone', 1)
  await fixture.service.settle()
  assert.equal((await record())?.disabled?.because, 'gone')
  await fixture.announce(account)
  fixture.pass(hour)
  await fixture.service.settle()
  assert.deepEqual(
    (await deliveries()).map(({ status }) => status),
    ['held', 'held'],
  )
  assert.equal(fixture.receiver.at('/gone').length, 1)
  await account.client.testWebhook(webhook.id)
  await fixture.receiver.untilReceived('/gone', 2)
  await fixture.service.settle()
  assert.equal((await record())?.status, 'disabled', 'it still answers 410')
  fixture.receiver.on('/gone', answering(200))
  await account.client.testWebhook(webhook.id)
  await fixture.receiver.untilReceived('/gone', 3)
  await fixture.service.settle()
  assert.deepEqual([(await record())?.status, (await record())?.failing_since], ['enabled', null])
  const until = new Date(fixture.service.clock.now().getTime() + 1).toISOString()
  await account.client.replayDeliveries(webhook.id, { since, until })
  await fixture.service.settle()
  assert.ok((await deliveries()).every(({ status }) => status === 'delivered'))
})

test('after a 410 nothing more is sent, even if deliveries wait', async () => {
  const { account, deliveries } = await fixture.subscribe('/gone-at-once')
  fixture.receiver.on('/gone-at-once', answering(410))
  await fixture.announceMany(account, 60)
  await fixture.receiver.untilReceived('/gone-at-once', 1)
  await fixture.service.settle()
  assert.ok(fixture.receiver.at('/gone-at-once').length <= 10, 'but for those that were on their way')
  const statuses = new Set((await deliveries()).map(({ status }) => status))
  assert.deepEqual(statuses, new Set(['held']))
})

test('five days of only failures disable the endpoint and email the owner; one success in between restarts the count', async () => {
  const { account, webhook, record } = await fixture.subscribe('/failing')
  let isWell = false
  fixture.receiver.on('/failing', (_received, response) => response.writeHead(isWell ? 200 : 503).end())
  const announceAndSettle = async () => {
    await fixture.announce(account)
    await fixture.service.settle()
  }
  const days = async (count: number) => {
    for (let day = 0; day < count; day++) {
      fixture.pass(24 * hour)
      await announceAndSettle()
    }
  }
  await announceAndSettle()
  await days(4)
  isWell = true
  await days(1)
  isWell = false
  assert.equal((await record())?.status, 'enabled')
  await announceAndSettle()
  await days(4)
  assert.equal((await record())?.status, 'enabled')
  await days(1)
  assert.equal((await record())?.disabled?.because, 'failing')
  const mails = async () => (await (await fetch(inboxUrl)).json()) as { to: string[]; subject: string; text: string }[]
  await waitFor(async () => (await mails()).length > 0, 'a mail to the owner')
  await fixture.service.settle()
  const [mail, ...more] = await mails()
  assert.deepEqual(more, [])
  assert.deepEqual(mail?.to, ['owner@example.com'])
  assert.match(String(mail?.text), new RegExp(`/account/webhooks/${webhook.id}`))
})

test('a Retry-After of up to an hour is honoured: for the delivery, and with 429 for the whole endpoint', async () => {
  const { account, deliveries } = await fixture.subscribe('/busy')
  fixture.receiver.on('/busy', answering(429, { 'retry-after': '1800' }))
  await fixture.announce(account)
  await fixture.receiver.untilReceived('/busy', 1)
  await fixture.service.settle()
  fixture.pass(20 * 60)
  await fixture.announce(account)
  await fixture.service.settle()
  assert.equal(fixture.receiver.at('/busy').length, 1)
  fixture.receiver.on('/busy', answering(204))
  fixture.pass(11 * 60)
  await fixture.receiver.untilReceived('/busy', 3)
  await fixture.service.settle()
  assert.ok((await deliveries()).every(({ status }) => status === 'delivered'))
})

test('a longer Retry-After is ignored', async () => {
  const { account } = await fixture.subscribe('/rude')
  fixture.receiver.on('/rude', answering(503, { 'retry-after': '3601' }))
  await fixture.announce(account)
  await fixture.receiver.untilReceived('/rude', 1)
  await fixture.service.settle()
  fixture.pass(6)
  await fixture.receiver.untilReceived('/rude', 2)
})

/** The name server never answers for IPv6, so each lookup takes a second, in which the state can change. */
for (const [how, host] of Object.entries({ quick: receiverHost, slow: slowHost }))
  test(`after the response to a deletion no connection is opened, not even for retries (${how} names)`, async () => {
    // Deliveries left by other tests would open their own connections.
    await fixture.service.settle()
    await fixture.service.asOwner('delete from webhooks')
    const [path, later] = [`/doomed-${how}`, `/doomed-later-${how}`]
    const { account, webhook } = await fixture.subscribe(path, undefined, host)
    // Each delivery needs its own connection.
    fixture.receiver.on(path, answering(204, { connection: 'close' }))
    const retried = await fixture.subscribe(later)
    fixture.receiver.on(later, answering(500))
    await fixture.announce(retried.account)
    await fixture.receiver.untilReceived(later, 1)
    await fixture.service.settle()
    await retried.account.client.deleteWebhook(retried.webhook.id)
    await fixture.announceMany(account, 300)
    await fixture.receiver.untilReceived(path, 5)
    await account.client.deleteWebhook(webhook.id)
    const connections = fixture.receiver.connections()
    fixture.pass(hour)
    await fixture.service.settle()
    assert.ok(fixture.receiver.at(path).length < 300, 'the deletion came while deliveries waited')
    assert.equal(fixture.receiver.connections(), connections)
    assert.equal(fixture.receiver.at(later).length, 1)
    await assert.rejects(account.client.testWebhook(webhook.id), (error) => isProblem(error, 'webhook_not_found'))
  })

test('during a rotation, events after its response carry the new signature, and nothing is sent twice', async () => {
  const { account, webhook, deliveries } = await fixture.subscribe('/turning')
  fixture.receiver.on('/turning', (_received, response) => void setTimeout(() => response.writeHead(204).end(), 50))
  await fixture.announceMany(account, 200)
  await fixture.receiver.untilReceived('/turning', 5)
  const { body: rotated } = await account.client.rotateWebhookSecret(webhook.id)
  await fixture.announceMany(account, 20)
  const received = await fixture.receiver.untilReceived('/turning', 220)
  await fixture.service.settle()
  for (const one of received) verifiedAtItsTime(webhook.secret, one)
  const newest = (await deliveries({ limit: 20 })).map(({ event_id }) => event_id)
  const later = received.filter(({ headers }) => newest.includes(String(headers['webhook-id'])))
  assert.equal(later.length, 20)
  for (const one of later) verifiedAtItsTime(rotated.secret, one)
  assert.equal(fixture.receiver.at('/turning').length, 220)
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 220)
})
