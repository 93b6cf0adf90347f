import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { program } from '../../../../tooling/environment/processes.ts'
import { freePort, isRoot, stateDir, waitFor } from '../../../../tooling/services/state.ts'
import { isAnswering } from '../../../platform/outbound-http/configured-service.ts'

/** Compiling TypeScript takes half of the startup time. Node caches the result by content. */
const NODE_COMPILE_CACHE = join(stateDir(), 'compile-cache')

async function startModel(settings: NodeJS.ProcessEnv, ...flags: string[]) {
  const port = await freePort(randomInt(20_000, 30_000))
  const PATH = process.env['PATH']
  const env = { PATH, NODE_COMPILE_CACHE, BROADSIDE_ENVIRONMENT: 'test', MODEL_PORT: String(port), ...settings }
  const child = spawn(process.execPath, [program, 'model', ...flags], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    child,
    ended,
    untilUp: () => waitFor(() => isAnswering(`${url}/healthz`, 10_000), 'the model to listen'),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const moderate = (url: string, input: string) =>
  fetch(`${url}/v1/moderations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input }),
  })

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`the model runs without a database and ends immediately on ${signal}, even with a pending response`, async () => {
    await using model = await startModel({})
    await model.untilUp()
    const owed = moderate(model.url, 'verdict-slow').catch(() => null)
    await moderate(model.url, 'At nine.')
    model.child.kill(signal)
    assert.equal(await model.ended, 0)
    assert.notEqual((await owed)?.status, 200, 'it did not wait for the answer')
  })

test('with --until-stdin-closes the model ends with its parent process', async () => {
  await using model = await startModel({}, '--until-stdin-closes')
  await model.untilUp()
  model.child.stdin.end()
  assert.equal(await model.ended, 0)
})

test('without the option a closed standard input is ignored, and with it a signal still ends the model', async () => {
  await using closed = await startModel({})
  closed.child.stdin.end()
  await closed.untilUp()
  await using open = await startModel({}, '--until-stdin-closes')
  await open.untilUp()
  open.child.kill('SIGTERM')
  assert.equal(await open.ended, 0)
  assert.equal(closed.child.exitCode, null)
})

test('a model that starts with a lower priority than its own keeps it, without the right to raise it', async () => {
  const withoutRight = isRoot ? ['setpriv', '--bounding-set=-sys_nice', '--inh-caps=-sys_nice'] : []
  const [command = '', ...args] = [...withoutRight, 'nice', '-n', '19', process.execPath, program, 'model']
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE,
    BROADSIDE_ENVIRONMENT: 'test',
    MODEL_STARTUP_SECONDS: '600',
  }
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const [said] = await Promise.race([once(child.stdout, 'data'), ended.then((code) => [`ended with ${code}`])])
  assert.match(String(said), /starting/)
  child.kill('SIGTERM')
  assert.equal(await ended, 0)
})

test('a slow start can be simulated and interrupted', async () => {
  await using model = await startModel({ MODEL_STARTUP_SECONDS: '600' }, '--until-stdin-closes')
  await once(model.child.stdout, 'data')
  assert.equal(await isAnswering(`${model.url}/healthz`, 500), false)
  assert.equal(model.child.exitCode, null)
  model.child.stdin.end()
  assert.equal(await model.ended, 0)
})

test('in production test words in a post have no effect', async () => {
  await using model = await startModel({ BROADSIDE_ENVIRONMENT: 'production' })
  await model.untilUp()
  const { results } = (await (await moderate(model.url, 'At nine. verdict-reject-spam')).json()) as {
    results: { flagged: boolean }[]
  }
  assert.equal(results[0]?.flagged, false)
})
