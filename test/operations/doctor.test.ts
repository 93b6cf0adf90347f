import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { renderReport } from '../../src/bin/doctor/report.ts'
import { runChecks } from '../../src/bin/doctor/run-checks.ts'
import { checkTable } from '../../src/bin/doctor/table.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { secretSettings } from '../../src/platform/settings/secret-settings.ts'
import { brokenSetups } from '../../tooling/broken-installations/index.ts'
import { type Installation, openInstallation } from '../../tooling/broken-installations/installation.ts'
import { program, runOperator } from '../../tooling/environment/processes.ts'
import { asUser, patienceMs } from '../../tooling/services/state.ts'
import { nightly } from '../../tooling/test-length.ts'
import { read } from '../support/repository.ts'

let installation: Installation
const resources = new AsyncDisposableStack()
before(async () => {
  installation = await openInstallation(resources)
})
after(() => resources.disposeAsync())

/** A busy machine takes far longer than the default. */
const patient = patienceMs / 1_000

type Change = { timeoutSeconds?: number; clock?: typeof systemClock }

function examine(
  environment: NodeJS.ProcessEnv,
  only: string,
  { timeoutSeconds = patient, clock = systemClock }: Change = {},
) {
  const chosen = checkTable.filter(({ name }) => only.split(',').includes(name))
  return runChecks(chosen, { environment, clock, timeoutSeconds })
}

suite('a broken installation gets the cause and the fix', () => {
  // A third with each change, because each needs a second.
  for (const [index, { name, only, breaks, cause, fix, timeoutSeconds }] of brokenSetups.entries())
    test(name, index % 3 === 0 ? {} : nightly, async () => {
      await using stack = new AsyncDisposableStack()
      const environment = await breaks(installation, stack)
      const report = renderReport(await examine(environment, only, { ...(timeoutSeconds && { timeoutSeconds }) }))
      assert.match(report, cause)
      assert.match(report, fix)
      for (const secret of secretsOf(environment)) assert.ok(!report.includes(secret), `the report contains ${secret}`)
    })

  test('there are at least twenty', () => assert.ok(brokenSetups.length >= 20))
})

/** Passwords shorter than this are words that a report may contain. */
const shortest = 12

const secretsOf = (environment: NodeJS.ProcessEnv) =>
  secretSettings
    .map((name) => environment[name] ?? '')
    .flatMap((value) => URL.parse(value)?.password || (value.includes('/') ? [] : value.split(/[\s,:]+/)))
    .filter((secret) => secret.length >= shortest)

test('a sound database, its roles, schema and clock have no finding', async () => {
  const results = await examine(installation.environment, 'roles,schema,clock')
  assert.deepEqual(
    results.map(({ check, status, findings }) => ({ check, status, findings })),
    ['roles', 'schema', 'clock'].map((check) => ({ check, status: 'ok', findings: [] })),
  )
})

test('a clock that differs from that of the database is a problem, because scheduled jobs stop', async () => {
  const clock = { now: () => new Date(systemClock.now().getTime() + 300_000) }
  const [result] = await examine(installation.environment, 'clock', { clock })
  assert.equal(result?.status, 'problem')
  assert.match(String(result?.findings[0]?.cause), /(299|300) seconds ahead of the clock of the database/)
  assert.match(String(result?.findings[0]?.fix), /timedatectl set-ntp true/)
})

test('a check that does not end counts as not made, and the others are made', async () => {
  const hanging = { name: 'hanging', subject: '', seconds: 0.01, load: async () => () => new Promise<never>(() => {}) }
  const others = checkTable.filter(({ name }) => name === 'patroni')
  const results = await runChecks([hanging, ...others], {
    environment: installation.environment,
    clock: systemClock,
    timeoutSeconds: 5,
  })
  assert.deepEqual(
    results.map(({ status }) => status),
    ['unchecked', 'ok'],
  )
  assert.match(String(results[0]?.findings[0]?.cause), /did not end within 0.01 seconds/)
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
  const { stdout, status } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...installation.environment, ...changes },
  })
  assert.equal(status, 1)
  assert.match(stdout, /not checked: DESK_SECRET: cannot read the file \S+ of DESK_SECRET_FILE \(EACCES\)/)
  assert.match(stdout, /not checked: This user cannot enter \S+only-for-root\.\n +fix: sudo broadside doctor/)
})

test('the runbook lists every check', () => {
  const [, section = ''] = /^## The checks$(.*?)^## /ms.exec(read('docs/runbooks/doctor.md')) ?? []
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.+?) \|$/gm)].map(([, name, subject]) => ({ name, subject }))
  assert.deepEqual(
    rows,
    checkTable.map(({ name, subject }) => ({ name, subject })),
  )
})
