import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { webhookVector } from '../documents/pages/guides/webhooks.ts'
import { newSecret, sign } from './secrets.ts'

const keyOf = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64')

test('the documented test vector is signed exactly', () => {
  const { secret, id, timestamp, body, signature } = webhookVector
  const at = new Date(Number(timestamp) * 1_000 + 999)
  assert.deepEqual(sign([keyOf(secret)], { eventId: id, at, body: Buffer.from(body) }), {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  })
})

test('the official package verifies every payload with each of the secrets, and not with any other', () => {
  const [one, other, stranger] = [newSecret(), newSecret(), newSecret()]
  fc.assert(
    fc.property(fc.json(), (text) => {
      const signed = sign([one.key, other.key], { eventId: 'evt_1', at: new Date(), body: Buffer.from(text) })
      for (const { shown } of [one, other]) new Webhook(shown).verify(text, signed)
      assert.throws(() => new Webhook(stranger.shown).verify(text, signed))
    }),
    { numRuns: 50 },
  )
})
