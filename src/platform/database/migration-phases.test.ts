import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { migratedDatabase, type OwnDatabase } from '../../../tooling/services/databases.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { connect } from './database.ts'
import { asAdministrator } from './database-setup.ts'
import { type Migration, parseMigration, readMigrations } from './migration-files.ts'
import { assertSchemaIsCurrent, migrate, programName, readSchemaStatus, SchemaError } from './migrations.ts'

let database: OwnDatabase
let table: Migration
before(async () => {
  database = await migratedDatabase('phases')
  table = (await readMigrations()).find(({ version }) => version === 41) as Migration
})
after(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  await asAdmin('drop schema if exists public, pgboss cascade')
  await asAdmin('create schema public authorization pg_database_owner')
  await asAdmin('grant usage on schema public to public')
})

const asAdmin = (sql: string) => asAdministrator(database.adminUrl, async (admin) => (await admin.query(sql)).rows)
const at = new Date('2026-11-17T12:00:00Z')
const file = (name: string, sql: string) => parseMigration(`${name}.sql`, sql)
const old = file('0040_old', 'create table first (id integer, was integer); insert into first values (1), (2)')
const add = file('0042_add', '-- works with: 0040\nalter table first add column becomes integer')
const drop = file('0043_drop', '-- works with: 0042\n-- phase: after\nalter table first drop column was')

const pace = { lockTimeoutMs: 200, firstPauseMs: 20, maxTries: 500 }
const apply = (migrations: readonly Migration[], through: 'before' | 'after' = 'after') =>
  migrate(database.urls.migrator, migrations, at, { through, pace })
async function assertStarts(...migrations: Migration[]): Promise<void> {
  await using connection = connect(database.urls.migrator, { poolMax: 1, applicationName: 'test' })
  await assertSchemaIsCurrent(connection.pool, migrations)
}
const status = (...migrations: Migration[]) => readSchemaStatus(database.urls.migrator, migrations)
const refuses = (says: RegExp) => (error: unknown) => error instanceof SchemaError && says.test(error.message)

test('migrations of the phase after the deploy wait, and the new program starts without them', async () => {
  await apply([old])
  const all = [old, table, add, drop]
  assert.deepEqual(await apply(all, 'before'), ['0041_applied_migrations', '0042_add'])
  await assertStarts(...all)
  const waiting = await status(...all)
  assert.deepEqual(waiting.waiting_after_deploy, ['0043_drop'])
  assert.deepEqual([waiting.program, waiting.schema, waiting.works_with], [43, 42, 40])
  assert.deepEqual(await apply(all), ['0043_drop'])
  assert.equal((await status(...all)).works_with, 42)
  await assertStarts(...all)
})

test('an empty database gets both phases at once', async () => {
  assert.equal((await apply([old, table, add, drop], 'before')).length, 4)
})

test('an older program starts on a newer schema as long as every newer migration works with it', async () => {
  await apply([old])
  await apply([old, table, add, drop], 'before')
  await assertStarts(old)
  await assertStarts(old, table)
  await apply([old, table, add, drop])
  await assert.rejects(
    assertStarts(old, table),
    refuses(/at 43 \(drop\), newer than this program.*schema 42 and newer/),
  )
  await assertStarts(old, table, add)
  assert.deepEqual(await apply([old, table, add]), [], 'its own migrate command has nothing to do')
})

test('schema_migrations, which programs up to 0040 compare, has only the rows that they must refuse', async () => {
  const rows = () => asAdmin('select version from schema_migrations order by 1')
  await apply([old, table, add])
  assert.deepEqual(await rows(), [{ version: 40 }])
  await apply([old, table, add, drop])
  assert.deepEqual(await rows(), [{ version: 40 }, { version: 43 }])
})

test('a migration does not run while a process is connected that it would break', async () => {
  await apply([old])
  const all = [old, table, add, drop]
  for (const name of ['broadside api', programName('worker', [old, table])]) {
    await using running = connect(database.urls.worker, { poolMax: 1, applicationName: name })
    await running.pool.query('select 1')
    await apply(all, 'before')
    assert.deepEqual((await status(...all)).older_processes, [name])
    await assert.rejects(apply(all), refuses(/43 \(drop\) does not work with a process that still runs: broadside/))
  }
  await using running = connect(database.urls.worker, { poolMax: 1, applicationName: programName('worker', all) })
  await running.pool.query('select 1')
  assert.deepEqual(await apply(all), ['0043_drop'])
})

const index = file(
  '0042_index',
  '-- works with: 0040\n-- transaction: none\ncreate unique index concurrently first_id on first (id);\n' +
    'alter table first add constraint positive check (id > 0) not valid;\nalter table first validate constraint positive;',
)
const isValid = async () =>
  (await asAdmin(`select indisvalid as v from pg_index where indexrelid = to_regclass('first_id')`))[0]?.v

test('an index that could not be built is dropped and built again', async () => {
  await apply([old, table])
  await asAdmin('insert into first values (1)')
  await assert.rejects(apply([old, table, index]), /42 \(index\) failed at statement 1/)
  assert.equal(await isValid(), false)
  await asAdmin('delete from first where ctid = (select max(ctid) from first)')
  assert.deepEqual(await apply([old, table, index]), ['0042_index'])
  assert.equal(await isValid(), true)
})

test('a migration without a transaction continues after its connection was killed', async () => {
  await apply([old, table])
  await asAdministrator(database.adminUrl, async (holder) => {
    await holder.query('begin')
    await holder.query('insert into first values (3)')
    const migrating = assert.rejects(apply([old, table, index]))
    const kill = () =>
      asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'create unique index%' and wait_event_type = 'Lock'`)
    await waitFor(async () => (await kill()).length > 0, 'the build of the index to wait for the transaction')
    await migrating
    await holder.query('commit')
  })
  assert.equal(await isValid(), false)
  assert.deepEqual(await apply([old, table, index]), ['0042_index'])
  assert.equal(await isValid(), true)
  await asAdmin('delete from applied_migrations where version = 42')
  assert.deepEqual(await apply([old, table, index]), ['0042_index'], 'what is complete is not built again')
})

test('concurrent migrators do not deadlock with a concurrent index build', async () => {
  await apply([old, table])
  const applied = await Promise.all(Array.from({ length: 3 }, () => apply([old, table, index])))
  assert.deepEqual(applied.flat(), ['0042_index'])
  assert.equal(await isValid(), true)
})

test('a statement that cannot get its lock gives up each time, so that others pass, and ends after its last try', async () => {
  await apply([old, table])
  await asAdministrator(database.adminUrl, async (holder) => {
    await holder.query('begin')
    await holder.query('select from first')
    const few = { ...pace, maxTries: 3 }
    const migrating = migrate(database.urls.migrator, [old, table, add], at, { pace: few })
    await assert.rejects(migrating, /42 \(add\) failed and was rolled back/)
    await holder.query('commit')
  })
  assert.deepEqual(await apply([old, table, add]), ['0042_add'])
})

test('a header with a mistake is refused', () => {
  assert.throws(() => file('0042_x', '-- phase: later\nselect 1'), /0042_x.sql: "-- phase: later" is invalid/)
})
