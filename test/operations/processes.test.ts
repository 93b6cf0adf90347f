// Runs alone: it starts processes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem } from '../../clients/typescript/src/index.ts'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import {
  type ApiProcess,
  asProduction,
  childrenOf,
  holdAccount,
  openConnection,
  runOperator,
  settingsFor,
  spawnBroadside,
  startApi,
  startWire,
} from '../../tooling/environment/processes.ts'
import { newcomer } from '../../tooling/environment/service.ts'
import { assertProblem, refusalOf } from '../../tooling/problem-document.ts'
import { migratedDatabase, type OwnDatabase } from '../../tooling/services/databases.ts'
import { answers } from '../../tooling/services/stack.ts'
import { waitFor } from '../../tooling/services/state.ts'

let database: OwnDatabase
before(async () => {
  database = await migratedDatabase('processes')
})
after(() => database[Symbol.asyncDispose]())

const asAdmin = (sql: string, { adminUrl } = database) => asAdministrator(adminUrl, (admin) => admin.query(sql))
const timeOf = async (api: ApiProcess) => Date.parse((await api.client().getStatus()).body.time)
const statusOf = async (url: string) => (await fetch(url)).status
const turnOff = { auto_recharge: { enabled: false } }

test('a process refuses a schema newer than its code, with a one-line message', async () => {
  await using own = await migratedDatabase('schema')
  await asAdmin("insert into schema_migrations values (9999, 'to_come', 'x', '2026-01-01')", own)
  for (const command of ['api', 'start']) {
    const { code, stdout, stderr } = await runOperator(await settingsFor(own), command)
    assert.equal(code, 1)
    assert.match(stderr, /newer than this program/)
    assert.equal(stderr.trim().split('\n').length, 1, `one line, no stack: ${stderr}`)
    assert.equal(stdout, '')
  }
})

test('a start with missing and invalid settings ends with one message that lists them all', async () => {
  const settings = await settingsFor(database, { BROADSIDE_ENVIRONMENT: 'staging', API_PORT: 'ninety', SITES: '' })
  const { API_DATABASE_URL: _, ...incomplete } = settings
  for (const command of ['api', 'start']) {
    const { code, stderr } = await runOperator(incomplete, command)
    assert.equal(code, 1)
    for (const name of [
      'BROADSIDE_ENVIRONMENT: invalid',
      'API_PORT: invalid',
      'SITES: missing',
      'API_DATABASE_URL: missing',
    ])
      assert.ok(stderr.includes(name), `${name} is not in: ${stderr}`)
    assert.doesNotMatch(stderr, /staging|ninety|^ {4}at /m)
  }
})

test('a start with conflicting addresses or ports is refused with a message', async () => {
  const settings = await settingsFor(database)
  const [first = ''] = String(settings.SITES).split(' ')
  const wrong: [Partial<typeof settings>, RegExp][] = [
    [{ ACCOUNT_PAGE_URL: first.split('=')[1] ?? '' }, /ACCOUNT_PAGE_URL and DESK_URL must use different hosts/],
    [{ DESK_URL: String(settings.ACCOUNT_PAGE_URL) }, /ACCOUNT_PAGE_URL and DESK_URL must use different hosts/],
    // Cookies and passkeys ignore ports.
    [asProduction(settings), /ACCOUNT_PAGE_URL and DESK_URL must use different hosts/],
    [{ API_PROCESSES: '2', OWNER_PAGE_PORT: String(Number(settings.API_PORT) + 1) }, /ports .* overlap/],
    [{ SITES: `${settings.SITES} ${first}` }, /SITES: invalid/],
  ]
  for (const [change, says] of wrong) {
    const { code, stderr } = await runOperator({ ...settings, ...change }, 'start')
    assert.equal(code, 1)
    assert.match(stderr, says)
  }
})

test('a start that leaves a kind without a site is refused without a stack trace', async () => {
  const { code, stderr } = await runOperator(
    await settingsFor(database, { SITES: 'message=http://127.0.0.1:1' }),
    'api',
  )
  assert.equal(code, 1)
  assert.match(stderr, /SITES.*Missing: story, classified, event/)
  assert.doesNotMatch(stderr, /^ {4}at /m)
})

test('health and metrics have their own port, and the API port does not serve them', async () => {
  await using api = await startApi(database, { SHUTDOWN_GRACE_SECONDS: '60' })
  assert.equal(await statusOf(`${api.healthUrl}/healthz`), 200)
  assert.equal(await statusOf(`${api.healthUrl}/readyz`), 200)
  assert.equal(await statusOf(`${api.healthUrl}/v1/status`), 404)
  for (const path of ['/healthz', '/readyz', '/metrics'])
    assertProblem(await refusalOf(await fetch(`${api.baseUrl}${path}`)), 'not_found')
  await api.client().getStatus()
  const metrics = await fetch(`${api.healthUrl}/metrics`)
  assert.match(String(metrics.headers.get('content-type')), /^text\/plain/)
  const text = await metrics.text()
  assert.match(text, /^# TYPE http_server_request_duration_seconds histogram$/m)
  assert.match(text, /^http_server_request_duration_seconds_bucket\{.*operation="getStatus".*le="0\.1"\} \d$/m)
  assert.match(text, /^http_server_request_duration_seconds_count\{.*operation="getStatus".*\} 1$/m)
  assert.match(text, /^http_server_request_duration_seconds_count\{.*operation="none",status="404".*\} 3$/m)
  api.signal('SIGTERM')
  assert.equal(await api.ended, 0, 'a process that has nothing in flight is gone before its grace time ends')
})

test('without its database the API answers 503, is alive but not ready, and recovers by itself', async () => {
  await using wire = await startWire(database.urls.api)
  await using api = await startApi(database, { API_DATABASE_URL: wire.url })
  const { body: account } = await api.client().createAccount(newcomer)
  const client = api.client(account.api_key)
  await using held = await holdAccount(database, account.id)
  const inFlight = assert.rejects(client.updateAccount(turnOff), (error) => isProblem(error, 'unavailable'))
  await held.untilAwaited()
  await wire.cut()
  await inFlight
  for (const request of [
    new Request(`${api.baseUrl}/v1/account`, { headers: { authorization: `Bearer ${account.api_key}` } }),
    new Request(`${api.baseUrl}/v1/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(newcomer),
    }),
  ]) {
    const response = await fetch(request)
    assert.match(String(response.headers.get('retry-after')), /^[1-9]\d*$/)
    assertProblem(await refusalOf(response), 'unavailable')
  }
  assert.equal(await statusOf(`${api.healthUrl}/readyz`), 503)
  assert.equal(await statusOf(`${api.healthUrl}/healthz`), 200)
  await held.release()
  await wire.mend()
  await waitFor(() => answers(`${api.healthUrl}/readyz`), 'the process to be ready again')
  assert.equal((await client.updateAccount(turnOff)).status, 200)
  assert.ok(api.isRunning())
})

test('after every outage of the database a process listens for the clock again, on one connection', async () => {
  await using own = await migratedDatabase('clock')
  await using wire = await startWire(own.urls.api)
  await using api = await startApi(own, { API_DATABASE_URL: wire.url })
  const listeners = async () => {
    const { rows } = await asAdmin(
      "select pid from pg_stat_activity where datname = current_database() and query like 'listen %'",
      own,
    )
    return rows.length
  }
  await waitFor(async () => (await listeners()) === 1, 'the first listener')
  await asAdmin(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()",
    own,
  )
  await waitFor(async () => (await listeners()) === 1, 'a listener after its connection was ended')
  await wire.cut()
  await waitFor(async () => (await listeners()) === 0, 'the listener to be gone')
  await wire.mend()
  await waitFor(async () => (await listeners()) >= 1, 'a listener after the outage')
  await runOperator(api.settings, 'clock', 'advance', '25h')
  await waitFor(async () => (await timeOf(api)) > Date.now() + 24 * 3_600_000, 'the clock to move')
  assert.equal(await listeners(), 1)
})

test('on shutdown, requests in progress finish, new ones are refused, and the exit code is 0', async () => {
  await using api = await startApi(database)
  const { body: account } = await api.client().createAccount(newcomer)
  await using held = await holdAccount(database, account.id)
  const inFlight = api.client(account.api_key).updateAccount(turnOff)
  using connection = await openConnection(api.port)
  const body = JSON.stringify(turnOff)
  connection.send(
    `PATCH /v1/account HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\nAuthorization: Bearer ${account.api_key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await held.untilAwaited(2)
  api.signal('SIGTERM')
  await waitFor(() => isRefused(api.port), 'new connections to be refused')
  assert.equal(await statusOf(`${api.healthUrl}/readyz`), 503)
  connection.send(`GET /v1/status HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\n\r\n`)
  await held.release()
  assert.equal((await inFlight).status, 200)
  const answer = await connection.ended
  assert.match(answer, /^HTTP\/1\.1 200 /)
  assert.match(answer, /^connection: close\r$/im, 'nobody is told to send more on this connection')
  assert.doesNotMatch(answer, /"status":"up"/, 'what comes after the signal is not served')
  assert.equal(await api.ended, 0)
})

test('a request that never finishes does not keep a process beyond its grace period', async () => {
  await using api = await startApi(database, { SHUTDOWN_GRACE_SECONDS: '1' })
  const { body: account } = await api.client().createAccount(newcomer)
  await using held = await holdAccount(database, account.id)
  const inFlight = assert.rejects(api.client(account.api_key).updateAccount(turnOff))
  await held.untilAwaited()
  const toldAt = performance.now()
  api.signal('SIGTERM')
  assert.equal(await api.ended, 1)
  const seconds = (performance.now() - toldAt) / 1_000
  assert.ok(seconds >= 0.9, `it took ${seconds} s`)
  await inFlight
})

test('a process stops gracefully while its database is down', async () => {
  await using wire = await startWire(database.urls.api)
  await using api = await startApi(database, { API_DATABASE_URL: wire.url, SHUTDOWN_GRACE_SECONDS: '60' })
  await wire.cut()
  await waitFor(async () => (await statusOf(`${api.healthUrl}/readyz`)) === 503, 'the outage to be noticed')
  api.signal('SIGTERM')
  assert.equal(await api.ended, 0)
})

test('the development clock moves in every process at once, and never in production', async () => {
  const hour = 3_600_000
  await using own = await migratedDatabase('clock')
  await using stack = new AsyncDisposableStack()
  const start = async (BROADSIDE_ENVIRONMENT: string) => stack.use(await startApi(own, { BROADSIDE_ENVIRONMENT }))
  const isAt = async (api: ApiProcess, offset: number) => Math.abs((await timeOf(api)) - Date.now() - offset) < hour / 3
  const [one, other] = await Promise.all([start('test'), start('development')])
  const bothAt = async (offset: number) => (await isAt(one, offset)) && (await isAt(other, offset))
  const clock = (...args: string[]) => runOperator(one.settings, 'clock', ...args)

  assert.equal((await clock('advance', '25h')).json?.['offset_ms'], 25 * hour)
  await waitFor(() => bothAt(25 * hour), 'both clocks to move')
  const production = await start('production')
  assert.ok(await isAt(production, 0), 'what was moved before the start changes nothing in production')
  await Promise.all([clock('advance', '1h'), clock('advance', '2h')])
  await waitFor(() => bothAt(28 * hour), 'two moves at the same moment to add up')
  assert.ok(await isAt(production, 0), 'nor does what is moved while it runs')
  const refusals = [
    runOperator(production.settings, 'clock', 'advance', '1h'),
    runOperator(production.settings, 'clock', 'reset'),
  ]
  for (const { code, stderr } of await Promise.all(refusals)) {
    assert.equal(code, 1)
    assert.match(stderr, /cannot be changed in production/)
  }
  assert.ok(await bothAt(28 * hour))
  const tooFar = await clock('advance', '999999999d')
  assert.equal(tooFar.code, 1)
  assert.match(tooFar.stderr, /^That is more than a hundred years ahead\. Nothing was changed\.$/m)
  assert.equal((await clock('reset')).json?.['offset_ms'], 0)
  await waitFor(() => bothAt(0), 'both clocks to be back')
})

test('a killed process is restarted, and the others keep running', async () => {
  const settings = await settingsFor(database)
  await using all = spawnBroadside(settings, 'start')
  const healthOf = (port: string | undefined) => `http://127.0.0.1:${port}/readyz`
  const ports = (['API', 'OWNER_PAGE', 'DESK', 'CARDS', 'WORKER'] as const).map(
    (name) => settings[`${name}_HEALTH_PORT`],
  )
  const allReady = async () => (await Promise.all(ports.map((port) => answers(healthOf(port))))).every(Boolean)
  await waitFor(allReady, 'all processes to be ready')
  const before = childrenOf(all.pid)
  const killed = before.find(({ command }) => command.endsWith(' api'))
  assert.equal(before.length, 5)
  assert.ok(killed)
  process.kill(killed.pid, 'SIGKILL')
  const isReplaced = async () => {
    const now = childrenOf(all.pid)
    return now.length === 5 && now.every(({ pid }) => pid !== killed.pid) && (await allReady())
  }
  await waitFor(isReplaced, 'another API process to be ready')
  const pageOf = (children: typeof before) => children.find(({ command }) => command.endsWith(' owner-page'))
  assert.deepEqual(pageOf(childrenOf(all.pid)), pageOf(before))
  all.signal('SIGTERM')
  assert.equal(await all.ended, 0)
  assert.equal(await isRefused(Number(settings.API_PORT)), true)
  assert.equal(await isRefused(Number(settings.OWNER_PAGE_PORT)), true)
})

async function isRefused(port: number): Promise<boolean> {
  try {
    using _connection = await openConnection(port)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'
  }
}
