import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { settings } from '../../src/platform/settings/settings.ts'
import { quietPort, repoDir } from '../../tooling/services/state.ts'

const program = join(repoDir, 'deploy/container/health.ts')
const ports = [
  'API_HEALTH_PORT',
  'OWNER_PAGE_HEALTH_PORT',
  'DESK_HEALTH_PORT',
  'CARDS_HEALTH_PORT',
  'WORKER_HEALTH_PORT',
  'MODEL_PORT',
] as const

/** Ports on which nothing listens, as in a container of one process. */
async function closedPorts(): Promise<Record<string, string>> {
  const closed = await Promise.all([...ports, 'GATEWAY_LISTEN'].map(async (name) => [name, String(await quietPort())]))
  return Object.fromEntries(closed)
}

/** A busy machine can take a hundred times as long. */
const patience = { HEALTH_TIMEOUT_SECONDS: '480' }

const check = (environment: Record<string, string>) =>
  promisify(execFile)(process.execPath, [program], {
    env: { LISTEN_HOST: '0.0.0.0', ...patience, ...environment },
  }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout, stderr }) => ({ code, said: `${stdout}${stderr}` }),
  )

test('a container is healthy if its process is ready, whichever it is', async () => {
  let status = 200
  const server = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = String((server.address() as AddressInfo).port)
  try {
    const worker = { ...(await closedPorts()), WORKER_HEALTH_PORT: port }
    assert.deepEqual(await check(worker), { code: 0, said: `/readyz on port ${port}: 200\n` })
    assert.equal((await check({ ...(await closedPorts()), MODEL_PORT: port })).said, `/healthz on port ${port}: 200\n`)
    status = 503
    assert.deepEqual(await check(worker), { code: 1, said: `/readyz on port ${port}: 503\n` })
  } finally {
    server.close()
  }
})

test('a container without a process is not healthy', async () => {
  const { code, said } = await check(await closedPorts())
  assert.deepEqual([code, said], [1, 'No process of Broadside listens in this container.\n'])
})

test('the health check knows the default ports of the settings', () => {
  const text = readFileSync(program, 'utf8')
  for (const name of ports) assert.match(text, new RegExp(`${name}'?[:,] ${settings[name].parse(undefined)}`), name)
})
