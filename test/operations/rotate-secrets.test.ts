import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOperator, settingsFor } from '../../tooling/environment/processes.ts'
import { newSecretsKey } from '../../tooling/environment/service.ts'
import { openWebhookFixture } from '../support/webhooks/webhook-fixture.ts'
import { verified } from '../support/webhooks/webhook-receiver.ts'

test('secrets are re-encrypted during deliveries, and every delivery keeps a valid signature', async () => {
  const [old, next] = [newSecretsKey('old'), newSecretsKey('next')]
  await using fixture = await openWebhookFixture({ settings: { SECRETS_KEYS: `${old} ${next}` } })
  const { service } = fixture
  const { account, webhook } = await fixture.subscribe('/flow')
  for (let count = 0; count < 4; count++) await fixture.create(account, '/others')
  await account.client.rotateWebhookSecret(webhook.id)
  const sealedWith = async () =>
    (await service.asOwner<{ key_id: string }>('select distinct key_id from webhook_secrets order by key_id')).map(
      ({ key_id }) => key_id,
    )
  assert.deepEqual(await sealedWith(), ['old'])

  const settings = await settingsFor(service.database, { SECRETS_KEYS: `${next} ${old}` })
  let isRotated = false
  const flowing = (async () => {
    let sent = 0
    for (; !isRotated; sent++) await fixture.announce(account)
    return sent
  })()
  const rotated = await runOperator(settings, 'secrets', 'rotate')
  isRotated = true
  assert.deepEqual([rotated.code, rotated.json], [0, { key: 'next', resealed: 6, left: 0 }], rotated.stderr)
  assert.deepEqual(await sealedWith(), ['next'])
  const received = await fixture.receiver.untilReceived('/flow', await flowing)
  for (const one of received) verified(webhook.secret, one)

  await fixture.announce(account)
  const after = await fixture.receiver.untilReceived('/flow', received.length + 1)
  verified(webhook.secret, after.at(-1) ?? assert.fail())
  const again = await runOperator(settings, 'secrets', 'rotate')
  assert.deepEqual(again.json, { key: 'next', resealed: 0, left: 0 })
})

test('a missing key is named, and nothing is lost', async () => {
  await using fixture = await openWebhookFixture({ settings: { SECRETS_KEYS: newSecretsKey('lost') } })
  await fixture.subscribe('/sealed')
  const settings = await settingsFor(fixture.service.database, { SECRETS_KEYS: newSecretsKey('new') })
  const { code, stderr } = await runOperator(settings, 'secrets', 'rotate')
  assert.equal(code, 1)
  assert.match(stderr, /key lost.*Add that key to SECRETS_KEYS/)
})
