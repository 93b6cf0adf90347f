import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { quietPort, waitFor } from '../../../tooling/services/state.ts'
import type { Command } from '../command.ts'
import { commands } from '../commands/processes/rolling-restart.ts'
import { restartOneAtATime } from './one-at-a-time.ts'
import { supervise } from './supervise.ts'

const [rollingRestart] = commands as [Command]

/** Stands for the health servers of all processes. `sick` lists the ports that are not ready. */
async function startHealth(count: number, sick: ReadonlySet<number>) {
  const stack = new AsyncDisposableStack()
  const ports: number[] = []
  for (let first = await quietPort(); ports.length < count; first = await quietPort()) {
    const server = createServer((_, response) => response.writeHead(sick.has(first) ? 503 : 200).end())
    server.listen(first, '127.0.0.1')
    await once(server, 'listening')
    stack.defer(() => {
      server.closeAllConnections()
      server.close()
    })
    ports.push(first)
  }
  return { ports, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

async function restart(isSick: (index: number) => boolean, restartCommand?: string) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-restart-'))
  const list = join(folder.path, 'units')
  writeFileSync(list, '')
  const sick = new Set<number>()
  await using health = await startHealth(6, sick)
  for (const [index, port] of health.ports.entries()) if (isSick(index)) sick.add(port)
  const [api, worker, model, ownerPage, desk, cards] = health.ports.map(String)
  const environment = {
    ...{ API_PROCESSES: '1', API_HEALTH_PORT: api, WORKER_PROCESSES: '1', WORKER_HEALTH_PORT: worker },
    ...{ MODEL_PORT: model, OWNER_PAGE_HEALTH_PORT: ownerPage, DESK_HEALTH_PORT: desk, CARDS_HEALTH_PORT: cards },
    ...{ BROADSIDE_ENVIRONMENT: 'test' },
  }
  const flags = { 'restart-command': restartCommand ?? `echo "$UNIT" >> '${list}'`, 'wait-seconds': '1' }
  const failure = await rollingRestart.run({ values: {}, flags, environment }).catch((error: Error) => error)
  return { failure, units: readFileSync(list, 'utf8').trim().split('\n') }
}

const order = ['api@1', 'worker@1', 'model', 'owner-page', 'desk', 'cards'].map((name) => `broadside-${name}.service`)

test('a rolling restart takes the units one by one, API processes first', async () => {
  const { failure, units } = await restart(() => false)
  assert.equal(failure, undefined)
  assert.deepEqual(units, order)
})

test('it stops at the first unit that is not ready, and says how to return to the previous release', async () => {
  const { failure, units } = await restart((index) => index === 1)
  assert.deepEqual(units, order.slice(0, 2))
  assert.match(String(failure), /worker@1\.service was not ready within 1 s.*were not restarted/)
  assert.match(String(failure), /journalctl -u broadside-worker@1\.service.*ln -sfn .*current/)
})

test('it stops if a unit cannot be restarted', async () => {
  const { failure } = await restart(() => false, 'exit 5')
  assert.match(String(failure), /The restart of broadside-api@1\.service failed/)
})

test('an instance that is not ready is restarted before its healthy neighbour', async () => {
  const sick = new Set<number>()
  await using health = await startHealth(2, sick)
  const [first = 0, second = 0] = health.ports
  sick.add(second)
  const restarted: string[] = []
  const instance = (name: string, port: number) => ({
    name,
    readyUrl: `http://127.0.0.1:${port}/readyz`,
    restart: async () => {
      restarted.push(name)
      sick.delete(port)
    },
  })
  const { signal: stop } = new AbortController()
  const options = { waitSeconds: 60, stop, report: () => {} }
  await restartOneAtATime([[instance('first', first), instance('second', second)]], options)
  assert.deepEqual(restarted, ['second', 'first'])
})

test('the supervisor starts a process again at once when it is restarted', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-supervise-'))
  const list = join(folder.path, 'pids')
  writeFileSync(list, '')
  const script = `require('fs').appendFileSync(process.argv[1], process.pid + '\\n'); setInterval(() => {}, 1000)`
  const stop = new AbortController()
  const supervised = supervise(['-e', script, list], {}, stop.signal)
  const starts = () => readFileSync(list, 'utf8').split('\n').length - 1
  await waitFor(async () => starts() === 1, 'the first start')
  await supervised.restart()
  await waitFor(async () => starts() === 2, 'the second start')
  stop.abort()
  await supervised.ended
  assert.equal(starts(), 2)
})
