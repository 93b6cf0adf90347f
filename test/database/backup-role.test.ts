import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import { migratedDatabase, type OwnDatabase } from '../../tooling/services/databases.ts'
import { denied, tryStatement } from '../support/database/try-statement.ts'

let database: OwnDatabase
before(async () => {
  database = await migratedDatabase('backup')
})
after(() => database[Symbol.asyncDispose]())

test('broadside_backup can dump every table', async () => {
  const { stdout } = await promisify(execFile)('pg_dump', [database.urls.backup], { maxBuffer: 256 << 20 })
  const { rows } = await asAdministrator(database.adminUrl, (admin) =>
    admin.query<{ name: string }>(
      "select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'pgboss')",
    ),
  )
  assert.ok(rows.length > 50)
  for (const { name } of rows) assert.ok(stdout.includes(`CREATE TABLE ${name} `), name)
})

test('broadside_backup reads everything, begins backups, and changes nothing', async () => {
  const attempts: [string, string | undefined][] = [
    ['select sealed from webhook_secrets', undefined],
    ['select last_value from page_versions', undefined],
    ['select pg_switch_wal()', undefined],
    ['update posts set listed = false', denied],
    ['delete from erasures', denied],
    ["select nextval('page_versions')", denied],
    ["select close_account('acct_01jcmzq8e5f7r9t2v4x6y8z0ab', '2026-01-01')", denied],
    ["select pg_read_file('postgresql.conf')", denied],
    ["select lock_post('post_01jcmzq8e5f7r9t2v4x6y8z0ab')", denied],
  ]
  for (const [sql, outcome] of attempts) assert.equal(await tryStatement(database.urls.backup, sql), outcome, sql)
  assert.equal(await tryStatement(database.urls.reader, 'select pg_switch_wal()'), denied)
  const { rows } = await asAdministrator(database.adminUrl, (admin) =>
    admin.query(
      "select rolsuper, rolreplication, rolcreaterole, rolcreatedb from pg_roles where rolname = 'broadside_backup'",
    ),
  )
  assert.deepEqual(Object.values(rows[0]), [false, false, false, false])
})
