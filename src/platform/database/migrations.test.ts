import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { migratedDatabase, type OwnDatabase } from '../../../tooling/services/databases.ts'
import { connect } from './database.ts'
import { asAdministrator } from './database-setup.ts'
import { type Migration, parseMigration, readMigrations } from './migration-files.ts'
import { assertSchemaIsCurrent, migrate, SchemaError } from './migrations.ts'

let database: OwnDatabase
before(async () => {
  database = await migratedDatabase('migrations')
})
after(() => database[Symbol.asyncDispose]())
beforeEach(() =>
  asAdministrator(database.adminUrl, async (admin) => {
    await admin.query('drop schema if exists public, pgboss cascade')
    await admin.query('create schema public authorization pg_database_owner')
    await admin.query('grant usage on schema public to public')
  }),
)

const at = new Date('2026-11-15T12:00:00Z')
const migration = (version: number, name: string, sql: string): Migration =>
  parseMigration(`${String(version).padStart(4, '0')}_${name}.sql`, sql)
const first = migration(1, 'first', 'create table first (id integer)')
const second = migration(2, 'second', 'create table second (id integer); insert into second values (1)')

const apply = (...migrations: Migration[]) => migrate(database.urls.migrator, migrations, at)

async function tables(): Promise<string[]> {
  return asAdministrator(database.adminUrl, async (admin) => {
    const { rows } = await admin.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' order by 1",
    )
    return rows.map(({ name }) => name)
  })
}

async function assertCurrent(...migrations: Migration[]): Promise<void> {
  await using connection = connect(database.urls.migrator, { poolMax: 1, applicationName: 'test' })
  await assertSchemaIsCurrent(connection.pool, migrations)
}

const refuses = (says: RegExp) => (error: unknown) => error instanceof SchemaError && says.test(error.message)

test('concurrent migrators apply each migration once', async () => {
  const migrations = await readMigrations()
  const applied = await Promise.all(Array.from({ length: 4 }, () => apply(...migrations)))
  const names = migrations.map(({ version, name }) => `${String(version).padStart(4, '0')}_${name}`)
  assert.deepEqual(applied.flat(), names)
  assert.deepEqual(await apply(...migrations), [], 'and a later one finds nothing to do')
  await assertCurrent(...migrations)
})

test('a migration changed after it was applied is rejected, and nothing is applied', async () => {
  await apply(first)
  const changed = migration(1, 'first', 'create table first (id bigint)')
  await assert.rejects(apply(changed, second), refuses(/1 \(first\) was changed/))
  await assert.rejects(assertCurrent(changed), refuses(/1 \(first\) was changed/))
  assert.deepEqual(await tables(), ['first', 'schema_migrations'])
})

test('a failed migration is rolled back, and earlier ones stay', async () => {
  const broken = migration(2, 'second', 'create table second (id integer); select 1 / 0')
  await assert.rejects(
    apply(first, broken, migration(3, 'third', 'create table third ()')),
    /2 \(second\) failed and was rolled back/,
  )
  assert.deepEqual(await tables(), ['first', 'schema_migrations'])
  await assert.rejects(assertCurrent(first, second), refuses(/lacks migration 2 \(second\)/))
  assert.deepEqual(await apply(first, second), ['0002_second'])
  await assertCurrent(first, second)
})

test('migrate and start reject a schema newer than the program', async () => {
  await apply(first, second)
  await assert.rejects(apply(first), refuses(/at 2 \(second\), newer/))
  await assert.rejects(assertCurrent(first), refuses(/at 2 \(second\), newer/))
})

test('an empty database lacks the first migration', async () => {
  await assert.rejects(assertCurrent(first), refuses(/lacks migration 1 \(first\)/))
})

test('migrations are numbered from one without gaps', async () => {
  const versions = (await readMigrations()).map(({ version }) => version)
  assert.deepEqual(
    versions,
    versions.map((_, index) => index + 1),
  )
})

test('a migration that meets a lock backs off, so that no query waits long behind it', async () => {
  await apply(first)
  const add = migration(2, 'add', 'alter table first add column c integer')
  await asAdministrator(database.adminUrl, async (admin) => {
    await admin.query('begin')
    await admin.query('select * from first')
    const migrating = apply(first, add)
    // Unlike a pool of the service, this connection waits for any lock, so that a slow machine does not look like a
    // migration that waits forever.
    const reads = async () => {
      const reader = new pg.Client({ connectionString: database.urls.migrator, statement_timeout: 60_000 })
      await reader.connect()
      await reader.query('select * from first').finally(() => reader.end())
    }
    // If the migration waited forever, this read would wait behind it.
    for (let count = 0; count < 3; count++) await reads()
    await admin.query('commit')
    assert.deepEqual(await migrating, ['0002_add'])
  })
})

test('an applied migration with a missing file is rejected', async () => {
  await apply(first, second)
  await assert.rejects(apply(second), /its file is missing/)
})
