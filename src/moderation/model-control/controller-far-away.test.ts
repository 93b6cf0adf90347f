import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { openPostsFixture } from '../../../test/support/posts/queued-posts.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { offsetClock } from '../../platform/clock.ts'
import { createLogger } from '../../platform/observability/logger.ts'
import { readSettings } from '../../platform/settings/settings.ts'
import { controllerSettings, startController } from './controller.ts'
import { readModelStatus } from './model-status.ts'

/** A model on another machine, and the webhooks that turn that machine on and off. */
async function startMachine() {
  const machine = { isUp: false, refusals: 0, asked: [] as string[] }
  const server = createServer((request, response) => {
    if (request.url === '/healthz') return response.writeHead(machine.isUp ? 200 : 503).end()
    machine.asked.push(String(request.url))
    if (machine.refusals-- > 0) return response.writeHead(500).end()
    machine.isUp = request.url === '/start'
    return response.writeHead(202).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  return Object.assign(machine, { url, [Symbol.asyncDispose]: close })
}

async function setStage(driver: 'webhooks' | 'always-on') {
  await using starting = new AsyncDisposableStack()
  const machine = starting.use(await startMachine())
  const posts = starting.use(await openPostsFixture())
  const environment = {
    MODEL_DRIVER: driver,
    MODEL_URL: machine.url,
    MODEL_START_URL: `${machine.url}/start`,
    MODEL_STOP_URL: `${machine.url}/stop`,
    MODEL_DRIVER_TOKEN: 'token',
  }
  const clock = offsetClock()
  const stack = starting.move()
  return {
    ...posts,
    machine,
    clock,
    controller: () =>
      startController({
        databaseUrl: posts.database.urls.worker,
        clock,
        logger: createLogger('silent', 'test'),
        settings: readSettings(environment, controllerSettings),
        tickMs: 50,
      }),
    until: (state: string) =>
      waitFor(async () => (await readModelStatus(posts.db)).state === state, `the model to be ${state}`),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

suite('a model on another machine', { concurrency: true }, () => {
  test('is started and stopped by webhooks, and a refused start is retried', async () => {
    await using stage = await setStage('webhooks')
    await using _controller = stage.controller()
    stage.machine.refusals = 1
    const ids = await stage.queuePosts(1)
    await stage.until('running')
    assert.deepEqual(stage.machine.asked, ['/start', '/start'])
    await stage.decidePosts(ids)
    let hours = 0
    const isIdleAnHourLater = async () => {
      stage.clock.setOffset(++hours * 3_600_000)
      return (await readModelStatus(stage.db)).state === 'idle'
    }
    await waitFor(isIdleAnHourLater, 'the model to be idle')
    await waitFor(async () => stage.machine.asked.length === 3, 'the stop')
    assert.deepEqual([stage.machine.asked.at(-1), stage.machine.isUp], ['/stop', false])
  })

  test('keeps running when its controller exits, and the next one finds it', async () => {
    await using stage = await setStage('webhooks')
    const first = stage.controller()
    await stage.queuePosts(1)
    await stage.until('running')
    await first[Symbol.asyncDispose]()
    await using second = stage.controller()
    await waitFor(async () => second.isElected(), 'the second to be elected')
    assert.equal((await readModelStatus(stage.db)).state, 'running')
    assert.deepEqual(stage.machine.asked, ['/start'])
  })

  test('that is briefly unreachable is not stopped', async () => {
    await using stage = await setStage('webhooks')
    await using _controller = stage.controller()
    await stage.queuePosts(1)
    await stage.until('running')
    stage.machine.isUp = false
    // It is back as soon as it is requested: a busy test may miss the state in between.
    await waitFor(async () => stage.machine.asked.length === 2, 'the second start')
    await stage.until('running')
    assert.deepEqual(stage.machine.asked, ['/start', '/start'])
  })

  test('that is always on is only watched', async () => {
    await using stage = await setStage('always-on')
    await using _controller = stage.controller()
    await stage.queuePosts(1)
    await stage.until('starting')
    stage.machine.isUp = true
    await stage.until('running')
    stage.machine.isUp = false
    await stage.until('starting')
    stage.machine.isUp = true
    await stage.until('running')
    stage.clock.setOffset(86_400_000)
    assert.deepEqual(stage.machine.asked, [])
  })
})
