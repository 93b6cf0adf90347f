import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { createLogger } from '../../platform/observability/logger.ts'
import { readSettings, SettingsError } from '../../platform/settings/settings.ts'
import { driverFrom, driverSettings } from './drivers.ts'

const logger = createLogger('silent', 'test')
const driverWith = (environment: Record<string, string>) =>
  driverFrom(readSettings(environment, driverSettings), logger)

test('by default, someone else starts the model', async () => {
  await using driver = driverWith({})
  assert.equal(driver.canStart, false)
  await driver.start()
  await driver.stop()
})

test('a driver without its settings is rejected with a message that names them', () => {
  const refused = (environment: Record<string, string>, ...names: string[]) =>
    assert.throws(
      () => driverWith(environment),
      (error: Error) => error instanceof SettingsError && names.every((name) => error.message.includes(name)),
    )
  refused({ MODEL_DRIVER: 'command' }, 'MODEL_COMMAND')
  refused({ MODEL_DRIVER: 'webhooks' }, 'MODEL_START_URL', 'MODEL_STOP_URL', 'MODEL_DRIVER_TOKEN')
  refused({ MODEL_DRIVER: 'webhooks', MODEL_START_URL: 'http://a.example/' }, 'MODEL_STOP_URL')
  refused({ MODEL_DRIVER: 'guesswork' }, 'MODEL_DRIVER')
})

type Received = { path: string | undefined; authorization: string | undefined; body: unknown }

/** A server that starts machines on request. */
async function startReceiver(answers: { status: number; body: string }[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = await json(request)
    received.push({ path: request.url, authorization: request.headers.authorization, body })
    const answer = answers.shift() ?? { status: 200, body: '{}' }
    response.writeHead(answer.status).end(answer.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { url, received, [Symbol.asyncDispose]: close }
}

test('the webhooks receive the action and the credentials', async () => {
  await using receiver = await startReceiver([
    { status: 204, body: '' },
    { status: 202, body: 'on its way' },
  ])
  await using driver = driverWith({
    MODEL_DRIVER: 'webhooks',
    MODEL_START_URL: `${receiver.url}/up`,
    MODEL_STOP_URL: `${receiver.url}/down`,
    MODEL_DRIVER_TOKEN: 'token',
  })
  assert.equal(driver.isDown(), true)
  await driver.start()
  assert.equal(driver.isDown(), false)
  await driver.letGo()
  assert.equal(driver.isDown(), false, 'it does not end with the worker')
  await driver.stop()
  assert.equal(driver.isDown(), true)
  assert.deepEqual(receiver.received, [
    { path: '/up', authorization: 'Bearer token', body: { action: 'start' } },
    { path: '/down', authorization: 'Bearer token', body: { action: 'stop' } },
  ])
})

test('a failing webhook rejects and has no effect', async () => {
  await using receiver = await startReceiver([
    { status: 500, body: '{}' },
    { status: 200, body: '{}' },
    { status: 503, body: '{}' },
  ])
  await using driver = driverWith({
    MODEL_DRIVER: 'webhooks',
    MODEL_START_URL: receiver.url,
    MODEL_STOP_URL: receiver.url,
    MODEL_DRIVER_TOKEN: 'token',
  })
  await assert.rejects(driver.start(), /500/)
  assert.equal(driver.isDown(), true)
  await driver.start()
  await assert.rejects(driver.stop(), /503/)
  assert.equal(driver.isDown(), false)
})
