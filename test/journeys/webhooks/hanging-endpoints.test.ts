// Runs alone: it waits for attempts that time out.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { openWebhookFixture } from '../../support/webhooks/webhook-fixture.ts'
import { answering } from '../../support/webhooks/webhook-receiver.ts'

test('timeouts open the circuit: nothing is sent for half a minute, then one at a time, and success closes it', async () => {
  await using hanging = await openWebhookFixture({ attemptMs: 2_000 })
  const { account, deliveries } = await hanging.subscribe('/hangs')
  let hangs = true
  hanging.receiver.on('/hangs', (_received, response) => {
    if (!hangs) response.writeHead(204).end()
  })
  await hanging.announceMany(account, 40)
  await hanging.receiver.untilReceived('/hangs', 3)
  await hanging.service.settle()
  const sent = hanging.receiver.at('/hangs').length
  // Three timeouts open it, so none of the eight slots can begin a third attempt.
  assert.ok(sent <= 2 * 8, `${sent} were sent before the circuit opened`)
  hanging.pass(20)
  await hanging.service.settle()
  assert.equal(hanging.receiver.at('/hangs').length, sent, 'the circuit is open')
  hanging.pass(11)
  await hanging.receiver.untilReceived('/hangs', sent + 1)
  await hanging.service.settle()
  const probes = hanging.receiver.at('/hangs').length - sent
  assert.ok(probes <= 2, `${probes} trials, one of each queue at most`)
  hangs = false
  hanging.pass(130)
  await hanging.service.settle()
  hanging.pass(6 * 60)
  await hanging.service.settle()
  assert.ok((await deliveries()).every(({ status }) => status === 'delivered'))
})

test('a hanging endpoint does not delay another one of the same account', async () => {
  await using patient = await openWebhookFixture({ attemptMs: 3_600_000 })
  const { account, deliveries } = await patient.subscribe('/stuck')
  await patient.create(account, '/quick')
  const stuck: ServerResponse[] = []
  patient.receiver.on('/stuck', (_received, response) => void stuck.push(response))
  await patient.announceMany(account, 20)
  assert.equal((await patient.receiver.untilReceived('/quick', 20)).length, 20)
  assert.ok(
    (await deliveries()).every(({ attempts }) => attempts.length === 0),
    'none of those that hang has ended yet',
  )
  // The worker would otherwise wait for them when it closes.
  patient.receiver.on('/stuck', answering(204))
  for (const response of stuck) response.writeHead(204).end()
})
