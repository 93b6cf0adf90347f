import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type ServedWithDoors, serveWithDoors } from '../../../test/support/http/gateway.ts'
import { type Running, spawnBroadside } from '../../../tooling/environment/processes.ts'
import { answers } from '../../../tooling/services/stack.ts'
import { quietPort, runningPid, waitFor } from '../../../tooling/services/state.ts'

let gateway: ServedWithDoors
let metrics: Running
let port: number
let log: string

before(async () => {
  gateway = await serveWithDoors({ accessLog: 'access.log' })
  log = join(gateway.folder, 'nginx', 'access.log')
  port = await quietPort()
  metrics = spawnBroadside({ GATEWAY_ACCESS_LOG: log, GATEWAY_METRICS_PORT: String(port) }, 'gateway-metrics')
  await waitFor(() => answers(`http://127.0.0.1:${port}/readyz`).catch(() => false), 'gateway-metrics to be ready')
})
after(async () => {
  await metrics?.[Symbol.asyncDispose]()
  await gateway?.[Symbol.asyncDispose]()
})

const linesOf = () =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** The number of requests that the metrics have for a route and status. */
async function counted(route: string, status: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return [...text.matchAll(/^http_server_request_duration_seconds_count\{(.*)\} (\d+)$/gm)]
    .filter(([, labels = '']) => labels.includes(`http_route="${route}"`))
    .filter(([, labels = '']) => labels.includes(`http_response_status_code="${status}"`))
    .reduce((sum, [, , count]) => sum + Number(count), 0)
}

const client = '127.0.0.77'
const ask = (where: 'site' | 'owner' | 'desk', path: string, method = 'GET') =>
  gateway.ask(client, where, path, { method, headers: { 'user-agent': 'secret-agent', referer: 'https://secret/' } })

test('each request is one line of JSON without anything that the caller wrote', async () => {
  const asked = [
    ['site', '/', 'GET', '/'],
    ['site', '/?q=secret-search', 'GET', '/'],
    ['site', '/p/post_secret', 'GET', '/p/{id}'],
    ['site', '/p/post_secret/report?q=secret', 'POST', '/p/{id}/report'],
    ['site', '/p/post_secret/contact/secret-token', 'GET', '/p/{id}/contact'],
    ['site', '/secret/path', 'GET', '/{path}'],
    ['site', '/search?q=secret', 'GET', '/search'],
    ['site', '/v1/posts?q=secret', 'POST', '/v1/{path}'],
    ['site', '/v1/fails', 'POST', '/v1/{path}'],
    ['site', '/mcp', 'POST', '/mcp'],
    ['site', '/topics/secret/', 'GET', '/topics/{path}'],
    ['site', '/feed.xml', 'GET', '/{feed}'],
    // The gateway answers these two by an error page, which nginx asks for with GET.
    ['site', '/', 'POST', '/'],
    ['site', '/', 'SECRET', '/'],
    ['owner', '/mcp', 'POST', '/mcp'],
    ['owner', '/o/secret-token', 'GET', 'owner-page'],
    ['desk', '/secret', 'GET', 'desk'],
  ] as const
  for (const [where, path, method] of asked) await ask(where, path, method)
  await waitFor(async () => linesOf().length === asked.length, 'the log to be written')
  const lines = linesOf()
  // Each worker of nginx writes blocks of its own.
  assert.deepEqual(
    lines.map(({ method, route }) => `${method} ${route}`).sort(),
    asked.map(([, , method, route]) => `${method === 'SECRET' ? '_OTHER' : method} ${route}`).sort(),
  )
  const text = readFileSync(log, 'utf8')
  assert.doesNotMatch(text, /secret/i)
  assert.ok(!text.includes(client), 'no address')
  assert.equal(lines.filter(({ status }) => status === '503').length, 1)
  for (const { trace_id, seconds } of lines) {
    assert.match(String(trace_id), /^[0-9a-f]{32}$/)
    assert.equal(typeof seconds, 'number')
  }
})

test('the metrics count requests by route and status, and mark errors of the server', async () => {
  await waitFor(async () => (await counted('/v1/{path}', '503')) === 1, 'the failed request to be counted')
  assert.equal(await counted('/', '200'), 2)
  assert.equal(await counted('owner-page', '200'), 1)
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  assert.match(text, /^http_server_request_duration_seconds_count\{.*error_type="503".*\} 1$/m)
  assert.match(text, /^target_info\{[^}]*service_name="broadside-gateway"/m)
})

test('nothing is lost or counted twice if the log is truncated or replaced', async () => {
  truncateSync(log)
  await ask('site', '/feed.xml')
  await waitFor(async () => (await counted('/{feed}', '404')) === 2, 'a request after the truncation to be counted')
  renameSync(log, `${log}.1`)
  await ask('site', '/feed.xml')
  await waitFor(async () => (await counted('/{feed}', '404')) === 3, 'a request to the old file to be counted')
  process.kill(Number(runningPid(join(gateway.folder, 'nginx', 'nginx.pid'), 'nginx')), 'SIGUSR1')
  await waitFor(async () => existsSync(log), 'nginx to open a new file')
  await ask('site', '/feed.xml')
  await waitFor(async () => (await counted('/{feed}', '404')) === 4, 'a request to the new file to be counted')
})
