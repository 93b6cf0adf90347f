import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { attempt, newListenSecret, signDelivery } from '../../src/cli/listen/delivery.ts'
import { verifyWebhook } from '../../src/index.ts'
import { fine, hangUp, neverAnswer, serve } from '../misbehaving-server.ts'

const event = { id: 'evt_a', type: 'post.published', timestamp: '2026-11-18T12:00:00.000Z', data: { id: 'post_ä' } }

test('a delivery passes the verification of the standard and of this client', async () => {
  const secret = newListenSecret()
  const { body, headers } = signDelivery(secret, event, new Date())
  const { id: _, ...sent } = event
  assert.deepEqual(new Webhook(secret).verify(body, headers), sent)
  assert.deepEqual(await verifyWebhook(body, headers, secret), event)
})

test('an attempt reports the status, a receiver that hangs up and one that does not answer in time', async () => {
  await using server = await serve(fine, hangUp, neverAnswer)
  const { signal } = new AbortController()
  const delivery = signDelivery(newListenSecret(), event, new Date())
  const send = async () => {
    const { duration_ms: _, ...result } = await attempt(server.baseUrl, delivery, signal, 300)
    return result
  }
  assert.deepEqual(await send(), { status: 200, error: null, isDelivered: true })
  assert.deepEqual(await send(), { status: null, error: 'UND_ERR_SOCKET', isDelivered: false })
  assert.deepEqual(await send(), { status: null, error: 'timeout', isDelivered: false })
})

test('an attempt that Ctrl-C ends is no failed attempt', async () => {
  await using server = await serve(neverAnswer)
  const stop = new AbortController()
  const sending = attempt(server.baseUrl, signDelivery(newListenSecret(), event, new Date()), stop.signal)
  stop.abort()
  await assert.rejects(sending, { name: 'AbortError' })
})
