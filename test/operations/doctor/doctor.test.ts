import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { renderReport } from '../../../src/bin/doctor/report.ts'
import { runProbes } from '../../../src/bin/doctor/run.ts'
import { probes } from '../../../src/bin/doctor/table.ts'
import { openProcess } from '../../../src/bin/run-process.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { openCounter, openHistogram } from '../../../src/platform/observability/instruments.ts'
import {
  definitionOf,
  failuresOf,
  type MetricName,
  metricTable,
} from '../../../src/platform/observability/metric-table.ts'
import { secretSettings } from '../../../src/platform/settings/secret-settings.ts'
import { program, runOperator } from '../../../tooling/environment/processes.ts'
import { asUser, quietPort } from '../../../tooling/services/state.ts'
import { read } from '../../support/repository.ts'
import { brokenDatabases } from './broken-databases.ts'
import { brokenFiles } from './broken-files.ts'
import { brokenServices } from './broken-services.ts'
import { answering, type Installation, openInstallation } from './installation.ts'

let installation: Installation
const resources = new AsyncDisposableStack()
before(async () => {
  installation = await openInstallation(resources)
})
after(() => resources.disposeAsync())

const clockLater = (days: number) => ({ now: () => new Date(systemClock.now().getTime() + days * 86_400_000) })

type Change = { changes?: NodeJS.ProcessEnv; timeoutSeconds?: number; daysLater?: number }

const examine = (only: string, { changes = {}, timeoutSeconds = 1, daysLater = 0 }: Change = {}) =>
  runProbes(
    probes.filter(({ name }) => only.split(',').includes(name)),
    { environment: { ...installation.environment, ...changes }, clock: clockLater(daysLater), timeoutSeconds },
  )

suite('a broken installation gets the cause and the fix', () => {
  for (const { what, probe, says, breaks, daysLater } of [...brokenDatabases, ...brokenServices, ...brokenFiles])
    test(what, async () => {
      await using stack = new AsyncDisposableStack()
      const changes = await breaks(installation, stack)
      const results = await examine(probe, { changes, ...(daysLater && { daysLater }) })
      const report = renderReport(results)
      assert.match(report, says)
      for (const { fix } of results.flatMap(({ findings }) => findings)) assert.ok(fix.length > 10, fix)
      for (const secret of secretsOf(changes)) assert.ok(!report.includes(secret), `the report contains ${secret}`)
    })
})

/** Passwords shorter than this are words that a report may contain. */
const shortest = 12

const secretsOf = (changes: NodeJS.ProcessEnv) =>
  secretSettings
    .map((name) => changes[name] ?? installation.environment[name] ?? '')
    .flatMap((value) => URL.parse(value)?.password || (value.includes('/') ? [] : value.split(/[\s,:]+/)))
    .filter((secret) => secret.length >= shortest)

test('a sound database has no finding', async () => {
  const results = await examine('roles,grants,schema,clock,log')
  const found = results.flatMap(({ findings }) => findings.filter(({ level }) => level !== 'warning'))
  assert.deepEqual(found, [])
})

test('a clock that differs from that of the database is a problem, because scheduled jobs stop', async () => {
  const [result] = await examine('clock', { daysLater: 1 })
  assert.match(renderReport(result ? [result] : []), /problem: .* 86\d{3} seconds ahead.*\n.*timedatectl set-ntp true/)
})

test('a privilege that a migration for after the deploy withdraws is no problem while that waits', async () => {
  const { sql } = installation
  const tables = ['schema_migrations', 'applied_migrations']
  for (const table of tables)
    await sql(`create table kept_${table} as table ${table}`, `delete from ${table} where version = 66`)
  await sql('grant select on post_proofs to broadside_operator')
  const waiting = renderReport(await examine('grants,schema'))
  for (const table of tables)
    await sql(`insert into ${table} select * from kept_${table} where version = 66`, `drop table kept_${table}`)
  const applied = renderReport(await examine('grants'))
  await sql('revoke select on post_proofs from broadside_operator')
  await sql('grant select (post_id) on post_proofs to broadside_operator')
  assert.match(
    waiting,
    /^ok +grants.*^warning +schema.*from 0066_narrow_log_grants.*broadside migrate --after-deploy/ms,
  )
  assert.match(applied, /broadside_operator must not have select on table public\.post_proofs/)
})

test('a process that answers while doctor itself gets no processor time does not hang', async () => {
  // In a thread of its own, because the test blocks this one for longer than the limit.
  const source = `require('node:http').createServer((_, response) => response.end('{"status":"up"}'))
    .listen(0, '127.0.0.1', function () { require('node:worker_threads').parentPort.postMessage(this.address().port) })`
  const server = new Worker(source, { eval: true })
  const port = await new Promise((resolve) => server.once('message', resolve))
  const blocked = setInterval(() => {
    const until = performance.now() + 1_500
    while (performance.now() < until);
  }, 1)
  const [result] = await examine('processes', { changes: { MODEL_URL: `http://127.0.0.1:${port}` } })
  clearInterval(blocked)
  await server.terminate()
  assert.doesNotMatch(JSON.stringify(result), /model process/)
})

test('a process that answers the second question does not hang', async () => {
  await using stack = new AsyncDisposableStack()
  let questions = 0
  const port = await answering(stack, (_, response) => {
    questions += 1
    if (questions > 1) response.end('{"status":"up"}')
  })
  const [result] = await examine('processes', { changes: { MODEL_URL: `http://127.0.0.1:${port}` } })
  assert.doesNotMatch(JSON.stringify(result), /model process/)
  assert.equal(questions, 2)
})

test('every failure that a running process has counted is reported with its runbook, and nothing else', async () => {
  const counted = (Object.keys(metricTable) as MetricName[]).filter(
    (name) => /^(?:counter|histogram)$/.test(definitionOf(name).type) && !/^(?:process|nodejs)\./.test(name),
  )
  const count = async () => {
    for (const name of counted) {
      const { failures, type } = definitionOf(name)
      const labels = typeof failures === 'object' ? { [failures.label]: failures.values?.[0] ?? 'one' } : {}
      for (const each of typeof failures === 'object' ? [labels, {}] : [labels])
        type === 'counter' ? openCounter(name).add(3, each) : openHistogram(name).record(3, each)
    }
    return {}
  }
  const healthPort = await quietPort()
  const settings = { LISTEN_HOST: '127.0.0.1', LOG_LEVEL: 'silent' } as const
  await using _api = await openProcess(
    { name: 'api', settings, healthPort },
    { stop: new AbortController().signal },
    count,
  )
  const [result] = await examine('counters', { changes: { API_HEALTH_PORT: String(healthPort) } })
  const failing = counted.filter((name) => failuresOf(name))
  assert.equal(result?.findings.length, failing.length, JSON.stringify(result, null, 1))
  for (const name of failing) {
    const finding = result?.findings.find(({ cause }) => cause.includes(String(failuresOf(name)?.series)))
    assert.match(String(finding?.fix), /^See docs\/(?:runbooks\/)?[\w-]+\.md#/, name)
  }
})

test('a probe that does not end counts as not made, and the others are made', async () => {
  const hanging = { name: 'hanging', expects: '', look: () => new Promise<never>(() => {}) }
  const { environment } = installation
  const options = { environment, clock: systemClock, timeoutSeconds: 0.01 }
  const others = probes.filter(({ name }) => name === 'patroni')
  const results = await runProbes([hanging, ...others], options)
  assert.deepEqual(
    results.map(({ status }) => status),
    ['unchecked', 'ok'],
  )
})

test('the command exits with 0, 1 or 2, and prints JSON for programs', async () => {
  const { environment } = installation
  const [fine, wrong, unknown, flag] = await Promise.all([
    runOperator(environment, 'doctor', '--only', 'patroni,payments', '--json'),
    runOperator({ ...environment, BACKUP_STANZA: 'no;stanza' }, 'doctor', '--only', 'backup', '--json'),
    runOperator(environment, 'doctor', '--only', 'databse'),
    runOperator(environment, 'doctor', '--ony', 'database'),
  ])
  assert.deepEqual([fine.code, wrong.code, unknown.code, flag.code], [0, 1, 2, 2])
  assert.equal(fine.json?.['ok'], true)
  const { checks } = wrong.json as { checks: { check: string; status: string; findings: object[] }[] }
  const [check] = checks
  assert.deepEqual([wrong.json?.['ok'], check?.check, check?.status], [false, 'backup', 'unchecked'])
  assert.deepEqual(check?.findings, [
    { level: 'unchecked', cause: 'BACKUP_STANZA: missing or invalid.', fix: 'broadside doctor --only settings' },
  ])
  assert.match(unknown.stderr, /There is no check named 'databse'. The checks are: settings, database/)
})

test('without rights, doctor says what it could not check and how to run it', async (t) => {
  const [command = '', ...args] = asUser('www-data', [process.execPath, program, 'doctor', '--only', 'settings,pages'])
  const canRun = asUser('www-data', ['test', '-r', program, '-a', '-x', process.execPath])
  if (spawnSync(canRun[0] ?? '', canRun.slice(1)).status !== 0)
    return t.diagnostic('Not tried: www-data cannot read this checkout.')
  const closed = join(installation.folder, 'only-for-root')
  mkdirSync(closed, { mode: 0o700 })
  writeFileSync(join(closed, 'secret'), String(installation.environment['DESK_SECRET']), { mode: 0o600 })
  const changes = { DESK_SECRET: '', DESK_SECRET_FILE: join(closed, 'secret'), PAGES_DIRECTORY: join(closed, 'pages') }
  const env = { ...installation.environment, ...changes }
  const { stdout, status } = spawnSync(command, args, { encoding: 'utf8', env })
  assert.equal(status, 1)
  assert.match(stdout, /not checked: DESK_SECRET: cannot read the file \S+ of DESK_SECRET_FILE \(EACCES\)/)
  assert.match(stdout, /not checked: This user cannot enter the folder above \S+\.\n +fix: As root: broadside doctor/)
})

test('the runbook lists every probe', () => {
  const [, section = ''] = /^## The checks$(.*?)^## /ms.exec(read('docs/runbooks/doctor.md')) ?? []
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.+?) \|$/gm)].map(([, name, expects]) => ({ name, expects }))
  assert.deepEqual(
    rows,
    probes.map(({ name, expects }) => ({ name, expects })),
  )
})
