import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backupsKeptDays, erasureLogKeptDays } from '../../src/contract/retention/backups.ts'
import { read } from '../support/repository.ts'

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
