import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { asAdministrator, createDatabase, urlFor } from '../../src/platform/database/database-setup.ts'
import { runOperator, settingsFor, spawnBroadside, startWire } from '../../tooling/environment/processes.ts'
import { emptyDatabase, migratedDatabase } from '../../tooling/services/databases.ts'
import { startPostgres } from '../../tooling/services/postgres.ts'
import { waitFor } from '../../tooling/services/state.ts'

test('a process says what is missing at the database, and is ready as soon as it is there', async () => {
  const { adminUrl } = await startPostgres()
  // Roles belong to the whole server, so the test has one of its own, with the rights of broadside_api.
  const name = `broadside_missing_${randomBytes(4).toString('hex')}`
  await using other = await emptyDatabase('roles')
  const own = { adminUrl: urlFor(adminUrl, name), urls: other.urls, [Symbol.asyncDispose]: async () => {} }
  const migrator = new URL(other.urls.migrator)
  migrator.pathname = `/${name}`
  const url = new URL(adminUrl)
  ;[url.username, url.password, url.pathname] = [name, 'secret', `/${name}`]
  await using wire = await startWire(url.href)
  await wire.cut()
  const settings = await settingsFor(own, { API_DATABASE_URL: wire.url, MIGRATOR_DATABASE_URL: migrator.href })
  const asAdmin = (sql: string) => asAdministrator(adminUrl, (admin) => admin.query(sql))
  await using _cleaning = {
    [Symbol.asyncDispose]: async () => {
      await asAdmin(`drop database if exists ${name} with (force)`)
      await asAdmin(`drop role if exists ${name}`)
    },
  }
  await using api = spawnBroadside(settings, 'api')
  const health = `http://127.0.0.1:${settings.API_HEALTH_PORT}`
  const reason = async () => {
    const response = await fetch(`${health}/readyz`).catch(() => undefined)
    return response ? `${response.status} ${((await response.json()) as { reason?: string }).reason ?? ''}` : ''
  }
  const until = async (pattern: RegExp) => {
    await waitFor(async () => pattern.test(await reason()), `/readyz to match ${pattern}`)
    const metrics = await (await fetch(`${health}/metrics`)).text()
    assert.equal(/^process_ready\{.*\} (\d)$/m.exec(metrics)?.[1], pattern.source.includes('200') ? '1' : '0')
  }

  await until(/503 PostgreSQL cannot be reached \(ECONN(REFUSED|RESET)\)\. Run `/)
  assert.equal((await fetch(`${health}/healthz`)).status, 200)
  await wire.mend()
  await until(/503 The database role is missing or has another password: .*\. Run `/)
  await asAdmin(`create role ${name} login password 'secret' in role broadside_api`)
  await until(/503 The database is missing: .*\. Run `/)
  await createDatabase(adminUrl, name)
  await until(/503 The schema lacks migration 1 .*run `npm run broadside -- migrate`/)
  assert.equal((await runOperator(settings, 'migrate')).code, 0)
  await until(/^200/)

  const lines = api.output.stdout.trim().split('\n')
  const warnings = lines.filter((line) => /Trying again until it works/.test(line))
  assert.ok(warnings.length >= 4 && warnings.length < 20, `one line for each cause, not for each try: ${lines.length}`)
  assert.equal(api.output.stderr, '')
  assert.ok(!api.output.stdout.includes('secret'))
})

test('a process that waits for the database ends at once when it is told to', async () => {
  await using database = await emptyDatabase('stopping')
  const settings = await settingsFor(database)
  await using worker = spawnBroadside(settings, 'worker')
  const url = `http://127.0.0.1:${settings.WORKER_HEALTH_PORT}/readyz`
  await waitFor(async () => (await fetch(url).catch(() => undefined))?.status === 503, 'the worker to wait')
  worker.signal('SIGTERM')
  assert.equal(await worker.ended, 0)
})

test('operator commands name the missing part in one line', async () => {
  await using database = await migratedDatabase('operator')
  const settings = await settingsFor(database)
  const withUrl = (change: (url: URL) => void) => {
    const url = new URL(String(settings.OPERATOR_DATABASE_URL))
    change(url)
    return { ...settings, OPERATOR_DATABASE_URL: url.href }
  }
  const broken: [NodeJS.ProcessEnv, RegExp][] = [
    [withUrl((url) => Object.assign(url, { port: '1' })), /^PostgreSQL cannot be reached \(ECONNREFUSED\)\. Run/],
    [
      withUrl((url) => Object.assign(url, { password: 'wrong' })),
      /^The database role is missing or has another password/,
    ],
    [withUrl((url) => Object.assign(url, { pathname: '/nowhere' })), /^The database is missing/],
  ]
  for (const [environment, says] of broken) {
    const { code, stderr } = await runOperator(environment, 'account', 'show', 'acct_00000000000000000000000000')
    assert.equal(code, 1)
    assert.match(stderr, says)
    assert.equal(stderr.trim().split('\n').length, 1, stderr)
  }
})
