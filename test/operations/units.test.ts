import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiSettings } from '../../src/bin/commands/processes/api.ts'
import { cardsSettings } from '../../src/bin/commands/processes/cards.ts'
import { deskSettings } from '../../src/bin/commands/processes/desk.ts'
import { gatewayMetricsSettings } from '../../src/bin/commands/processes/gateway-metrics.ts'
import { modelServerSettings } from '../../src/bin/commands/processes/model.ts'
import { ownerPageSettings } from '../../src/bin/commands/processes/owner-page.ts'
import { workerSettings } from '../../src/bin/commands/processes/worker.ts'
import { secretSettings } from '../../src/platform/settings/secret-settings.ts'
import type { SettingName } from '../../src/platform/settings/settings.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { rules } from '../support/prometheus.ts'
import { read } from '../support/repository.ts'

const folder = join(repoDir, 'deploy/systemd')
const units = readdirSync(folder).filter((file) => file.endsWith('.service'))
/** Started by the target, or by `migrate`. The others are started by a timer and end. */
const processes = units.filter((file) => !existsSync(join(folder, file.replace('.service', '.timer'))))
const linesOf = (file: string) => readFileSync(join(folder, file), 'utf8').split('\n')
const valuesOf = (file: string, key: string) =>
  linesOf(file)
    .filter((line) => line.startsWith(`${key}=`))
    .map((line) => line.slice(key.length + 1))

/** The settings that each process reads: the same lists that the processes themselves use. */
const settingsOf: Record<string, readonly SettingName[]> = {
  'broadside-api@.service': apiSettings,
  'broadside-worker@.service': workerSettings,
  'broadside-owner-page.service': ownerPageSettings,
  'broadside-desk.service': deskSettings,
  'broadside-cards.service': cardsSettings,
  'broadside-model.service': modelServerSettings,
  'broadside-migrate.service': ['MIGRATOR_DATABASE_URL'],
  // Reads its secret at each reload, so that a rotation needs no restart.
  'broadside-gateway.service': [],
  'broadside-gateway-metrics.service': gatewayMetricsSettings,
}

test('each unit gets exactly the secrets that its process reads', () => {
  assert.deepEqual(Object.keys(settingsOf).sort(), processes)
  for (const [file, names] of Object.entries(settingsOf)) {
    const wanted = secretSettings.filter((name) => names.includes(name)).sort()
    const loaded = valuesOf(file, 'LoadCredential').sort()
    assert.deepEqual(
      loaded,
      wanted.map((name) => `${name}:/etc/broadside/secrets/${name}`),
      file,
    )
    const named = valuesOf(file, 'Environment').filter((value) => value.includes('_FILE=%d/'))
    assert.deepEqual(
      named.sort(),
      wanted.map((name) => `${name}_FILE=%d/${name}`),
      file,
    )
  }
})

test('without its file a secret is empty, so that the process can say in the journal which one is missing', () => {
  for (const file of units) {
    const names = valuesOf(file, 'LoadCredential').map((value) => value.split(':', 1)[0])
    assert.deepEqual(valuesOf(file, 'SetCredential').sort(), names.map((name) => `${name}:\\n`).sort(), file)
  }
})

test('every process is started with the target, restarted when it ends, and limited in memory', () => {
  const target = linesOf('broadside.target').join('\n')
  for (const file of processes.filter((name) => name !== 'broadside-migrate.service')) {
    assert.ok(target.includes(file.replace('@.service', '@1.service')), `${file} is not in broadside.target`)
    assert.deepEqual(valuesOf(file, 'Restart'), ['always'], file)
    assert.equal(valuesOf(file, 'MemoryMax').length, 1, file)
    assert.deepEqual(
      valuesOf(file, 'StartLimitIntervalSec'),
      ['0'],
      `${file} comes back however late the cause is mended`,
    )
  }
})

/** From coreutils, and from the packages that the guides install. */
const installed = [
  '/usr/bin/env',
  '/usr/bin/install',
  '/bin/sh',
  '/usr/sbin/nginx',
  '/usr/bin/pgbackrest',
  '/usr/bin/rsync',
]

test('the units run only programs that a minimal Debian has or the guides install', () => {
  const own = /^(?:\/opt\/broadside\/current\/node_modules\/\.bin\/node|\/usr\/local\/bin\/broadside)$/
  for (const file of units)
    for (const line of linesOf(file).filter((one) => one.startsWith('Exec'))) {
      const [, program = ''] = /^Exec\w+=[-+]*(\S+)/.exec(line) ?? []
      assert.ok(own.test(program) || installed.includes(program), `${file}: ${line}`)
    }
})

test('each check that an alert needs has a unit with a timer that the guides start', () => {
  const started = read('deploy/systemd/broadside.target') + read('docs/runbooks/backup.md')
  const text = (file: string) => linesOf(file).join('\n')
  const checks = new Set(
    rules.flatMap(({ expr }) =>
      [...expr.matchAll(/check=~?"([\w|]+)"/g)].flatMap(([, names = '']) => names.split('|')),
    ),
  )
  assert.ok(checks.has('ledger') && checks.has('backup'))
  for (const check of checks) {
    const own = units.filter((file) => text(file).includes(`check record ${check} `))
    const runs =
      own.length > 0
        ? own
        : units.filter((file) => text(file).includes('%i verify')).map((file) => file.replace('@', `@${check}`))
    assert.notDeepEqual(runs, [], check)
    for (const unit of runs) {
      const timer = unit.replace('.service', '.timer')
      assert.ok(existsSync(join(folder, timer.replace(`@${check}`, '@'))), timer)
      assert.ok(started.includes(timer), `nothing starts ${timer}`)
    }
  }
  for (const file of ['docs/install.md', 'deploy/Dockerfile'])
    assert.ok(read(file).includes('CHECKS_DIRECTORY=/var/lib/broadside/checks'), file)
})

test('systemd rates the exposure of each unit below 3.0', (context) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0)
    return context.skip('systemd-analyze is not installed: `apt-get install systemd`')
  const paths = units.map((file) => join(folder, file))
  const args = ['security', '--offline=true', '--threshold=29', '--no-pager']
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, ...paths], { encoding: 'utf8' })
  const levels = [...stdout.matchAll(/Overall exposure level for (\S+): (\d+\.\d)/g)]
  assert.equal(levels.length, units.length, stderr)
  for (const [, unit, level] of levels) assert.ok(Number(level) < 3, `${unit} has ${level}`)
  assert.equal(status, 0)
})
