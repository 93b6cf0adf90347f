import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../../src/platform/database/database.ts'
import { openOutbound } from '../../src/platform/outbound-http/open-outbound.ts'
import { openSealing } from '../../src/platform/sealing.ts'
import { settings } from '../../src/platform/settings/settings.ts'
import { startDispatcher } from '../../src/webhooks/delivery/dispatcher.ts'
import { startWire } from '../../tooling/environment/processes.ts'
import { newSecretsKey } from '../../tooling/environment/service.ts'
import { receiverRange } from '../../tooling/network/https-receiver.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { openWebhookFixture } from '../support/webhooks/webhook-fixture.ts'
import { verified } from '../support/webhooks/webhook-receiver.ts'

test('a worker whose database goes down and comes back delivers everything, and leaves no lane behind', async () => {
  const secretsKeys = newSecretsKey('test')
  await using fixture = await openWebhookFixture({ settings: { SECRETS_KEYS: secretsKeys }, delivers: false })
  const { service, receiver } = fixture
  await using wire = await startWire(service.database.urls.worker)
  await using connection = connect(wire.url, { poolMax: 6, applicationName: 'test worker behind a wire' })
  await using closing = new AsyncDisposableStack()
  const outbound = openOutbound({
    testRanges: [receiverRange],
    dnsServers: [service.dns.server],
    certificateAuthorities: receiver.authorities,
  })
  closing.defer(() => outbound.close())
  await using _dispatcher = await startDispatcher({
    ...{ db: connection.db, clock: service.clock, logger: { warn: () => {}, error: () => {} } as never, outbound },
    sealing: openSealing(settings.SECRETS_KEYS.parse(secretsKeys)),
  })
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
