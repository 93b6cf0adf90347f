import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { migratedDatabase } from '../../../tooling/services/databases.ts'
import { startStandby } from '../../../tooling/services/standby.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { connect, type Database, isDatabaseUnavailable } from './database.ts'
import { asAdministrator } from './database-setup.ts'

test('no connection to a standby stays, and after its promotion the next call succeeds', async () => {
  await using standby = await startStandby()
  await using connection = connect(standby.url, { poolMax: 2, applicationName: 'test' })
  const ask = () => sql<{ n: number }>`select ${1}::integer as n`.execute(connection.db)
  for (let call = 0; call < 3; call++) await assert.rejects(ask(), isDatabaseUnavailable)
  assert.equal(connection.pool.totalCount, 0)
  await using reader = connect(standby.url, { poolMax: 1, applicationName: 'test', acceptsReadOnly: true })
  assert.equal((await sql`select 1`.execute(reader.db)).rows.length, 1)
  await standby.promote()
  await waitFor(
    async () => (await ask()).rows[0]?.n === 1 && connection.pool.totalCount > 0,
    'the promoted server to accept connections that can write',
  )
})

test('a write that the server rejects as read-only closes the connection, and a corrected server accepts the next one', async () => {
  await using database = await migratedDatabase('readonly')
  const name = new URL(database.adminUrl).pathname.slice(1)
  const setDefault = (value: 'on' | 'off') =>
    asAdministrator(database.adminUrl, async (admin) => {
      await admin.query('set default_transaction_read_only = off')
      await admin.query(`alter database ${name} set default_transaction_read_only = ${value}`)
    })
  await using connection = connect(database.urls.migrator, { poolMax: 1, applicationName: 'test' })
  const update = (db: Database) => sql`update posts set listed = listed where false`.execute(db)
  const write = () => update(connection.db)
  const readPid = async () => (await connection.pool.query('select pg_backend_pid() as pid')).rows[0]?.pid
  const pid = await readPid()
  const rejected = connection.db
    .transaction()
    .setAccessMode('read only')
    .execute((tx) => update(tx))
  await assert.rejects(rejected, isDatabaseUnavailable)
  assert.notEqual(await readPid(), pid)
  await write()
  await setDefault('on')
  await connection.pool.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {})
  await assert.rejects(write(), isDatabaseUnavailable)
  await assert.rejects(write(), isDatabaseUnavailable)
  await setDefault('off')
  await write()
})
