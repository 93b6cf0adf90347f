// Runs alone: it starts processes.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort, isRunning, waitFor } from '../../../tooling/services/state.ts'
import { createLogger } from '../../platform/observability/logger.ts'
import { commandDriver } from './drivers.ts'

const logger = createLogger('silent', 'test')
const unanswered = async () => `http://127.0.0.1:${await freePort()}`

/** A folder in which commands record their process ids. */
async function notebook() {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-driver-'))
  const path = (name: string) => join(folder, name)
  const pids = async (name: string) => {
    const text = await readFile(path(name), 'utf8').catch(() => '')
    return text.split('\n').filter(Boolean).map(Number)
  }
  return {
    path,
    pids,
    /** The last recorded process that is still alive. */
    alive: async (name: string) => {
      let pid = 0
      const isThere = async () => {
        pid = (await pids(name)).at(-1) ?? 0
        return pid > 0 && isRunning(pid)
      }
      await waitFor(isThere, `a command to write ${name}`)
      return pid
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

const untilGone = (pid: number) => waitFor(async () => !isRunning(pid), `process ${pid} to end`)

test('the command runs once, however often it is started, and ends when it is stopped', async () => {
  await using notes = await notebook()
  await using driver = commandDriver({
    command: `echo $$ >> ${notes.path('model')}; exec sleep 600`,
    healthUrl: await unanswered(),
    logger,
  })
  assert.equal(driver.isDown(), true)
  await driver.start()
  const pid = await notes.alive('model')
  await driver.start()
  assert.equal(driver.isDown(), false)
  await driver.stop()
  await untilGone(pid)
  assert.equal(driver.isDown(), true)
  await driver.stop()
  assert.deepEqual(await notes.pids('model'), [pid])
  await driver.start()
  assert.notEqual(await notes.alive('model'), pid, 'it can be started again')
})

test('a command that exits by itself is noticed, and leaves nothing behind', async () => {
  await using notes = await notebook()
  await using driver = commandDriver({
    command: `sleep 600 & echo $! > ${notes.path('child')}; echo $$ > ${notes.path('model')}; wait`,
    healthUrl: await unanswered(),
    logger,
  })
  await driver.start()
  const [child, model] = [await notes.alive('child'), await notes.alive('model')]
  process.kill(model, 'SIGKILL')
  await waitFor(async () => driver.isDown(), 'the driver to notice')
  await untilGone(child)
})

test('a command that ignores SIGTERM is killed after five seconds, with everything it started', async () => {
  await using notes = await notebook()
  await using driver = commandDriver({
    command: `trap '' TERM; sleep 600 & echo $! > ${notes.path('child')}; echo $$ > ${notes.path('model')}; while :; do sleep 1; done`,
    healthUrl: await unanswered(),
    logger,
  })
  await driver.start()
  const [child, model] = [await notes.alive('child'), await notes.alive('model')]
  const begun = performance.now()
  await driver.stop()
  const seconds = (performance.now() - begun) / 1_000
  assert.ok(seconds > 4.5, `it took ${seconds} s`)
  await Promise.all([untilGone(child), untilGone(model)])
})

test('a suspended command, which handles no signal, also ends', async () => {
  await using notes = await notebook()
  await using driver = commandDriver({
    command: `echo $$ > ${notes.path('model')}; exec sleep 600`,
    healthUrl: await unanswered(),
    logger,
  })
  await driver.start()
  const model = await notes.alive('model')
  process.kill(model, 'SIGSTOP')
  await driver.stop()
  await untilGone(model)
})

for (const signal of ['SIGKILL', 'SIGTERM'] as const)
  test(`the command ends when its worker ends by ${signal}, without any code of its own`, async () => {
    await using notes = await notebook()
    const worker = await startWorker(notes, 'exec sleep 600')
    const model = await notes.alive('model')
    worker.kill(signal)
    await untilGone(model)
  })

test('the command ends with its worker even if it ignores SIGTERM', async () => {
  await using notes = await notebook()
  const worker = await startWorker(notes, `trap '' TERM; while :; do sleep 1; done`)
  const model = await notes.alive('model')
  worker.kill('SIGKILL')
  await untilGone(model)
})

/** A process that only runs a model. */
async function startWorker(notes: Awaited<ReturnType<typeof notebook>>, command: string) {
  const program = `
    import { commandDriver } from ${JSON.stringify(new URL('./drivers.ts', import.meta.url).href)}
    const driver = commandDriver({
      command: ${JSON.stringify(`echo $$ > ${notes.path('model')}; ${command}`)},
      healthUrl: ${JSON.stringify(await unanswered())},
      logger: { warn() {}, error() {} },
    })
    await driver.start()
    setInterval(() => {})`
  await writeFile(notes.path('worker.ts'), program)
  return spawn(process.execPath, [notes.path('worker.ts')], { stdio: 'inherit' })
}

test('a model that someone else started is left alone', async () => {
  await using notes = await notebook()
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await using driver = commandDriver({
    command: `echo $$ >> ${notes.path('model')}; exec sleep 600`,
    healthUrl: `http://127.0.0.1:${port}`,
    logger,
  })
  await driver.start()
  assert.equal(driver.isDown(), true, 'nothing of ours runs')
  await driver.stop()
  server.closeAllConnections()
  server.close()
  await driver.start()
  await notes.alive('model')
})

test('the model does not get the worker’s secrets', async (t) => {
  await using notes = await notebook()
  const own = process.env
  t.after(() => {
    process.env = own
  })
  process.env = {
    ...own,
    WORKER_DATABASE_URL: 'postgres://secret@localhost/x',
    SMTP_URL: 'smtp://secret@localhost',
    MODEL_DRIVER_TOKEN: 'secret',
    MODEL_API_KEY: 'its-own',
  }
  await using driver = commandDriver({
    command: `env > ${notes.path('environment')}; echo $$ > ${notes.path('model')}; exec sleep 600`,
    healthUrl: await unanswered(),
    logger,
  })
  await driver.start()
  await notes.alive('model')
  const environment = await readFile(notes.path('environment'), 'utf8')
  assert.doesNotMatch(environment, /secret/)
  assert.match(environment, /MODEL_API_KEY=its-own/)
  assert.match(environment, /PATH=/)
})
