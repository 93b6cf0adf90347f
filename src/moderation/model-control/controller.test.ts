import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import type { ModelState } from '../../../generated/database-types.ts'
import { openPostsFixture } from '../../../test/support/posts/queued-posts.ts'
import { program } from '../../../tooling/environment/processes.ts'
import { freePort, isRunning, waitFor } from '../../../tooling/services/state.ts'
import { offsetClock } from '../../platform/clock.ts'
import { asAdministrator } from '../../platform/database/database-setup.ts'
import { createLogger } from '../../platform/observability/logger.ts'
import { readSettings } from '../../platform/settings/settings.ts'
import { controllerSettings, startController } from './controller.ts'
import { reportModelError } from './measure.ts'
import { readModelStatus } from './model-status.ts'
import { watchModelState } from './watch-state.ts'

/** A database, a clock and the bundled model, which any number of controllers start by command. */
async function setStage({ startupSeconds = 0, timeoutSeconds = 1 } = {}) {
  await using starting = new AsyncDisposableStack()
  const posts = starting.use(await openPostsFixture())
  const folder = await mkdtemp(join(tmpdir(), 'broadside-controller-'))
  starting.defer(() => rm(folder, { recursive: true, force: true }))
  const pidFile = join(folder, 'model.pid')
  const port = await freePort()
  const clock = offsetClock()
  const lines: string[] = []
  const logger = createLogger('info', 'test', { write: (line: string) => void lines.push(line) })
  const settings = readSettings(
    {
      MODEL_DRIVER: 'command',
      MODEL_URL: `http://127.0.0.1:${port}`,
      MODEL_COMMAND:
        `echo $$ >> ${pidFile}; BROADSIDE_ENVIRONMENT=test LOG_LEVEL=silent MODEL_PORT=${port} ` +
        `MODEL_STARTUP_SECONDS=${startupSeconds} exec ${process.execPath} ${program} model`,
      MODEL_IDLE_SECONDS: '900',
      MODEL_TIMEOUT_SECONDS: String(timeoutSeconds),
    },
    controllerSettings,
  )
  const stack = starting.move()
  const status = () => readModelStatus(posts.db)
  return {
    ...posts,
    settings,
    clock,
    logger,
    lines,
    status,
    until: (state: ModelState) => waitFor(async () => (await status()).state === state, `the model to be ${state}`),
    /** The processes that the command has started. */
    modelPids: async () => (await readFile(pidFile, 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number),
    controller: (tickMs = 50) =>
      startController({ databaseUrl: posts.database.urls.worker, clock, logger, settings, tickMs }),
    /** Breaks the connection of the elected controller. */
    cutController: () =>
      asAdministrator(posts.database.adminUrl, (admin) =>
        admin.query(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
          and database = (select oid from pg_database where datname = current_database())`),
      ),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('the model starts with the first post, its start is measured, and it stops after a long idle time', async () => {
  await using stage = await setStage({ startupSeconds: 2 })
  const seen: ModelState[] = []
  await using _watch = watchModelState({
    db: stage.db,
    logger: stage.logger,
    onChange: (state) => void seen.push(state),
    intervalMs: 20,
  })
  await using controller = stage.controller()
  await waitFor(async () => controller.isElected() && seen.length === 1, 'the election')

  const queuedAt = performance.now()
  const ids = await stage.queuePosts(3)
  await stage.until('starting')
  await stage.until('running')
  const { startSeconds, plannedStartSeconds } = await stage.status()
  const elapsed = (performance.now() - queuedAt) / 1_000
  assert.ok(startSeconds && startSeconds > 2 && startSeconds < elapsed, `${startSeconds} s of ${elapsed}`)
  assert.equal(plannedStartSeconds, 1_200)

  stage.clock.setOffset(10 * 3_600_000)
  await waitFor(async () => (await stage.status()).busyAt > new Date(Date.now() + 1_000), 'the new time')
  assert.equal((await stage.status()).state, 'running', 'while a post waits, no time is too long')

  await stage.decidePosts(ids)
  let hours = 10
  const isIdleAnHourLater = async () => {
    stage.clock.setOffset(++hours * 3_600_000)
    return (await stage.status()).state === 'idle'
  }
  await waitFor(isIdleAnHourLater, 'the model to be idle')
  const [model = 0, ...others] = await stage.modelPids()
  await waitFor(async () => !isRunning(model), 'the model to end')
  assert.deepEqual(others, [])
  assert.equal(stage.lines.filter((line) => line.includes('"level":40')).length, 0)
  await waitFor(async () => seen.length === 4, 'the watch')
  assert.deepEqual(seen, ['idle', 'starting', 'running', 'idle'])
})

suite('a model that is lost is brought back', { concurrency: 2 }, () => {
  test('when it was killed', async () => {
    await using stage = await setStage()
    await using _controller = stage.controller()
    await stage.queuePosts(1)
    await stage.until('running')
    const [first = 0] = await stage.modelPids()
    process.kill(first, 'SIGKILL')
    await stage.until('starting')
    await stage.until('running')
    assert.equal((await stage.modelPids()).length, 2)
  })

  test('when it hangs', async () => {
    await using stage = await setStage()
    await using _controller = stage.controller()
    await stage.queuePosts(1)
    await stage.until('running')
    const [first = 0] = await stage.modelPids()
    process.kill(first, 'SIGSTOP')
    await stage.until('starting')
    await stage.until('running')
    const [, second = 0] = await stage.modelPids()
    assert.deepEqual([isRunning(first), isRunning(second)], [false, true])
  })

  test('when it passes health checks but answers no worker', async () => {
    await using stage = await setStage()
    await using _controller = stage.controller()
    const [decided = ''] = await stage.queuePosts(2)
    await stage.until('running')
    await stage.decidePosts([decided])
    for (let fault = 0; fault < 3; fault += 1) await reportModelError(stage.db)
    await stage.until('starting')
    await stage.until('running')
    assert.equal((await stage.modelPids()).length, 2)
    assert.equal((await stage.status()).faults, 0)
  })

  test('but not when it is only busy: it makes progress even if calls fail', async () => {
    // A call must not take twice as long on a busy machine.
    await using stage = await setStage({ timeoutSeconds: 3 })
    await using _controller = stage.controller()
    await stage.queuePosts(1)
    await stage.until('running')
    for (let fault = 0; fault < 10; fault += 1) await reportModelError(stage.db)
    // More than twice the request timeout passes.
    const url = `${stage.settings.MODEL_URL}/v1/moderations`
    for (const begun = performance.now(); performance.now() - begun < 8_000; )
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ input: `The ferry leaves at ${performance.now()}.` }),
      }).then((response) => response.arrayBuffer())
    assert.deepEqual([(await stage.status()).state, (await stage.modelPids()).length], ['running', 1])
  })

  test('when it exits during its start', async () => {
    await using stage = await setStage({ startupSeconds: 3 })
    await using _controller = stage.controller()
    await stage.queuePosts(1)
    await waitFor(async () => (await stage.modelPids()).length === 1, 'the command')
    const [first = 0] = await stage.modelPids()
    process.kill(first, 'SIGKILL')
    await stage.until('running')
    assert.equal((await stage.modelPids()).length, 2)
  })
})

test('throughput is measured while posts are waiting', async () => {
  await using stage = await setStage()
  await using _controller = stage.controller()
  await stage.queuePosts(1)
  await stage.until('running')
  const ids = await stage.queuePosts(500)
  assert.equal((await stage.status()).windowsPerSecond.short, null)
  const begun = performance.now()
  const decideSome = async () => {
    await stage.decidePosts(ids.splice(0, 5))
    return ids.length === 0
  }
  await waitFor(decideSome, 'the decisions')
  const truth = (4 * 500) / ((performance.now() - begun) / 1_000)
  const measured = (await stage.status()).windowsPerSecond.short ?? 0
  assert.ok(measured > truth / 3 && measured < truth * 1.5, `${measured} windows a second, in truth ${truth}`)
})

test('a controller that shuts down reports the model as idle before stopping it', async () => {
  await using stage = await setStage()
  const controller = stage.controller()
  await stage.queuePosts(1)
  await stage.until('running')
  await controller[Symbol.asyncDispose]()
  assert.equal((await stage.status()).state, 'idle')
  const [model = 0] = await stage.modelPids()
  assert.equal(isRunning(model), false)
})

test('one of two controllers acts; if it loses its connection, the other takes over, and there is one model', async () => {
  await using stage = await setStage()
  await using first = stage.controller()
  await waitFor(async () => first.isElected(), 'the first to be elected')
  await using second = stage.controller()
  await stage.queuePosts(1)
  await stage.until('running')
  assert.equal(second.isElected(), false)
  assert.equal((await stage.modelPids()).length, 1)

  // Either controller may win the election, so the test disconnects the first one whenever it wins. A controller that
  // was just disconnected may not know it yet, so only a model that the second one started proves that it won.
  const takeFromFirst = async () => {
    if (first.isElected() && !second.isElected()) await stage.cutController()
    return (await stage.modelPids()).length === 2
  }
  await waitFor(takeFromFirst, 'the second to be elected and to start its model')
  await stage.until('running')
  const [old = 0, young = 0] = await stage.modelPids()
  assert.deepEqual([isRunning(old), isRunning(young)], [false, true])
})
