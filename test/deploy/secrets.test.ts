import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { databaseRoles } from '../../src/platform/database/database-setup.ts'
import { readSettings, type SettingName } from '../../src/platform/settings/settings.ts'
import { repoDir } from '../../tooling/services/state.ts'

const deploy = join(repoDir, 'deploy')

test('make-secrets writes every secret of the compose file, each with a valid value, and keeps them when repeated', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-secrets-'))
  const make = () =>
    execFileSync(join(deploy, 'container/make-secrets'), [folder.path, 'db.example'], { stdio: 'pipe' })
  const read = () =>
    Object.fromEntries(readdirSync(folder.path).map((name) => [name, readFileSync(join(folder.path, name), 'utf8')]))
  make()
  const written = read()
  const { secrets } = parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8')) as { secrets: Record<string, object> }
  assert.deepEqual(Object.keys(written).sort(), Object.keys(secrets).sort())
  const { POSTGRES_PASSWORD: _, ...own } = written
  assert.doesNotThrow(() => readSettings(own, Object.keys(own) as SettingName[]))
  for (const role of databaseRoles) {
    const { username, hostname } = new URL(written[`${role.toUpperCase()}_DATABASE_URL`] ?? '')
    assert.deepEqual([username, hostname], [`broadside_${role}`, 'db.example'])
  }
  make()
  assert.deepEqual(read(), written)
})
