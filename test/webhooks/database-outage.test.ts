import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWire } from '../../tooling/environment/processes.ts'
import { migratedDatabase } from '../../tooling/services/databases.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { openWebhookFixture } from '../support/webhooks/webhook-fixture.ts'
import { verified } from '../support/webhooks/webhook-receiver.ts'

test('a worker whose database goes down and comes back delivers everything, and leaves no lane behind', async () => {
  await using database = await migratedDatabase('outage')
  await using wire = await startWire(database.urls.worker)
  await using fixture = await openWebhookFixture({ database, settings: { WORKER_DATABASE_URL: wire.url } })
  const { service, receiver } = fixture
  const { account, webhook } = await fixture.subscribe('/outage')
  await fixture.announceMany(account, 20)
  await receiver.untilReceived('/outage', 20)

  // Cuts the connection while attempts are in progress, so that their results cannot be recorded.
  receiver.on('/outage', (_received, response) => void setTimeout(() => response.writeHead(204).end(), 300))
  await fixture.announceMany(account, 20)
  await receiver.untilReceived('/outage', 21)
  await wire.cut()
  await fixture.announceMany(account, 20)
  await wire.mend()

  const distinct = () => new Set(receiver.at('/outage').map(({ headers }) => headers['webhook-id'])).size
  await waitFor(async () => distinct() === 60, 'all sixty events')
  for (const one of receiver.at('/outage')) verified(webhook.secret, one)
  const left = () =>
    service.asOwner(`select from delivery_lanes where holder is not null or due_at is not null
      union all select from deliveries where status <> 'delivered'`)
  await waitFor(async () => (await left()).length === 0, 'all to be written down')
  assert.ok(receiver.at('/outage').length < 120, 'only what was on its way came twice')
})
