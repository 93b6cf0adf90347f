import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { backupsKeptDays, erasureLogKeptDays } from '../../src/contract/retention/backups.ts'
import { readGuide } from '../../tooling/guide.ts'
import { read, tracked } from '../support/repository.ts'

const config = read('deploy/pgbackrest/pgbackrest.conf')
const optionOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(config)?.[1]
const scheduleOf = (unit: string) => /^OnCalendar=(.*)$/m.exec(read(`deploy/systemd/${unit}.timer`))?.[1]

test('erased data leaves the backups within the promised period', () => {
  assert.equal(optionOf('repo1-retention-full-type'), 'time')
  assert.match(String(scheduleOf('broadside-backup-full')), /^Sun /)
  assert.match(String(scheduleOf('broadside-backup-incremental')), /^Mon\.\.Sat /)
  const [betweenFullBackups, untilNextBackup] = [7, 1]
  // A full backup is deleted by the first backup after its successor has reached this age.
  const oldestDays = Number(optionOf('repo1-retention-full')) + betweenFullBackups + untilNextBackup
  assert.ok(oldestDays <= backupsKeptDays, `${oldestDays} days`)
  assert.ok(read('docs/erasure.md').includes(`at most ${backupsKeptDays} days`))
  assert.ok(read('docs/erasure.md').includes(`for ${erasureLogKeptDays} days`))
  assert.ok(erasureLogKeptDays > oldestDays, 'the erasure log must outlive the backups')
})

test('the repository is encrypted, and the shipped pass is no real one', () => {
  assert.equal(optionOf('repo1-cipher-type'), 'aes-256-cbc')
  assert.equal(optionOf('repo1-cipher-pass'), 'CHANGE-ME')
  assert.equal(optionOf('pg1-user'), 'broadside_backup')
})

test('the drill takes the steps that the runbook tells the operator to take', () => {
  const runbook = read('docs/runbooks/backup.md')
  const drill = read('scripts/drill/restore/restore.ts') + read('scripts/drill/restore/cluster.ts')
  const steps = ['ledger verify', 'audit verify --expect', 'erasures replay --since', 'rebuild']
  for (const step of steps) {
    assert.ok(runbook.includes(`broadside ${step}`), `the runbook lacks ${step}`)
    assert.ok(
      drill.includes(
        step
          .split(' ')
          .map((word) => `'${word}'`)
          .join(', '),
      ),
      `the drill lacks ${step}`,
    )
  }
  assert.ok(runbook.includes('deploy/pgbackrest/restore-beside "$time"'))
  assert.ok(drill.includes('deploy/pgbackrest/restore-beside'))
})

/**
 * Debian's units: `postgresql` and the target only pass a stop on and do not wait for it. `postgresql@15-main` stops the
 * cluster, which then needs some time. Nothing may move a data directory or pages before that. Nothing else runs: there is
 * no PATH.
 */
const debian = `
PATH=/nonexistent cluster=online workers=running
runuser() { :; }; sudo() { :; }; cp() { :; }; rm() { :; }
sleep() { cluster=down; }
pg_lsclusters() { echo "15 main 5432 $cluster postgres"; }
grep() { read -r line && [[ $line = *" down "* ]]; }
systemctl() {
  if [[ $* = stop*postgresql@15-main* ]]; then cluster=stopping; fi
  if [[ $* = stop*broadside-\\*.service* ]]; then workers=stopped; fi
}
mv() { [[ $cluster$workers = downstopped ]] || { echo "PostgreSQL is $cluster, workers are $workers: mv $*"; exit 3; }; }
`

test('a restore moves directories only after PostgreSQL and the processes have stopped', () => {
  const blocks = readGuide('docs/runbooks/backup.md').filter(({ commands }) => /^mv /m.test(commands))
  assert.equal(blocks.length, 1)
  const script = `set -euo pipefail\n${debian}${blocks[0]?.commands}`
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
})

test('an upgrade has its secrets before the switch, and a gateway that finds the new pages before workers write them', () => {
  const blocks = readGuide('docs/runbooks/upgrade.md').filter(({ heading }) => heading === 'Upgrade')
  const text = blocks.map(({ commands }) => commands).join('')
  const order = ['secrets create', 'ln -sfn', 'reload broadside-gateway', 'rolling-restart']
  const places = order.map((step) => text.indexOf(step))
  assert.deepEqual(
    [-1, ...places],
    [-1, ...places].toSorted((one, other) => one - other),
  )
  assert.ok(!places.includes(-1), String(places))
})

test('the guides use no sudo, which a minimal Debian lacks', () => {
  const guides = tracked.filter((path) => /^(?:docs\/(?!decisions)|deploy\/).*/.test(path))
  assert.deepEqual(
    guides.filter((path) => /\bsudo\b/.test(read(path))),
    [],
  )
})
