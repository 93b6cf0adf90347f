import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startWire } from '../../../tooling/environment/processes.ts'
import { migratedDatabase } from '../../../tooling/services/databases.ts'
import { connect, inTransaction, isDatabaseUnavailable } from './database.ts'

test('a server that falls silent is given up, and its connection is not used again', async () => {
  await using database = await migratedDatabase('silence')
  await using wire = await startWire(database.urls.api)
  await using connection = connect(wire.url, { poolMax: 1, applicationName: 'test', statementTimeoutMs: 1_000 })
  const ask = () => inTransaction(connection.db, (tx) => sql<{ n: number }>`select ${1}::integer as n`.execute(tx))
  assert.deepEqual((await ask()).rows, [{ n: 1 }])
  wire.silence()
  await assert.rejects(ask(), isDatabaseUnavailable)
  // A call in the very moment of the break may still meet it; no later one does.
  await ask().catch((error) => assert.ok(isDatabaseUnavailable(error)))
  assert.deepEqual((await ask()).rows, [{ n: 1 }])
})

test('a statement that runs too long is ended by the server and counts as unavailable', async () => {
  await using database = await migratedDatabase('slow')
  await using connection = connect(database.urls.api, {
    poolMax: 1,
    applicationName: 'test',
    statementTimeoutMs: 1_000,
  })
  await assert.rejects(sql`select pg_sleep(60)`.execute(connection.db), isDatabaseUnavailable)
  assert.deepEqual((await sql`select 1 as n`.execute(connection.db)).rows, [{ n: 1 }])
})
