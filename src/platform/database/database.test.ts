import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startWire } from '../../../tooling/environment/processes.ts'
import { migratedDatabase } from '../../../tooling/services/databases.ts'
import { connect, inTransaction, isDatabaseUnavailable } from './database.ts'

test('a silent server times out, and its connection is not reused', async () => {
  await using database = await migratedDatabase('silence')
  await using wire = await startWire(database.urls.api)
  await using connection = connect(wire.url, { poolMax: 1, applicationName: 'test', statementTimeoutMs: 1_000 })
  const ask = () => inTransaction(connection.db, (tx) => sql<{ n: number }>`select ${1}::integer as n`.execute(tx))
  assert.deepEqual((await ask()).rows, [{ n: 1 }])
  wire.silence()
  await assert.rejects(ask(), isDatabaseUnavailable)
  // A call at the moment of the disconnect may still fail; later calls do not.
  await ask().catch((error) => assert.ok(isDatabaseUnavailable(error)))
  assert.deepEqual((await ask()).rows, [{ n: 1 }])
})

test('the server cancels a slow statement, which counts as unavailable', async () => {
  await using database = await migratedDatabase('slow')
  await using connection = connect(database.urls.api, {
    poolMax: 1,
    applicationName: 'test',
    statementTimeoutMs: 1_000,
  })
  await assert.rejects(sql`select pg_sleep(60)`.execute(connection.db), isDatabaseUnavailable)
  assert.deepEqual((await sql`select 1 as n`.execute(connection.db)).rows, [{ n: 1 }])
})

test('a call waits for a connection for as long as the URL says', async () => {
  await using database = await migratedDatabase('wait')
  const url = new URL(database.urls.api)
  url.searchParams.set('connect_timeout', '1')
  await using connection = connect(url.href, { poolMax: 1, applicationName: 'test' })
  const ask = () => sql`select 1`.execute(connection.db)
  await ask()
  await inTransaction(connection.db, async () => {
    await assert.rejects(ask(), isDatabaseUnavailable)
  })
  await ask()
})

test('a login that the server refuses counts as unavailable: the password of the role has changed', async () => {
  await using database = await migratedDatabase('login')
  const url = new URL(database.urls.api)
  url.password = 'former'
  await using connection = connect(url.href, { poolMax: 1, applicationName: 'test' })
  await assert.rejects(sql`select 1`.execute(connection.db), isDatabaseUnavailable)
})

test('an idle connection is probed after ten seconds, so that a server that vanished is noticed', async () => {
  await using database = await migratedDatabase('idle')
  await using connection = connect(database.urls.api, { poolMax: 1, applicationName: 'test' })
  const client = await connection.pool.connect()
  const { localPort } = (client as unknown as { connection: { stream: Socket } }).connection.stream
  const shown = execFileSync('ss', ['-tnoH', `sport = :${localPort}`], { encoding: 'utf8' })
  client.release()
  // "9.9sec", or "950ms" on a slow machine.
  const [, left, unit] = /timer:\(keepalive,([\d.]+)(sec|ms)/.exec(shown) ?? []
  assert.ok(unit === 'ms' || Number(left) <= 10, shown)
})
