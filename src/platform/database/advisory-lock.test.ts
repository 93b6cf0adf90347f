import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { migratedDatabase } from '../../../tooling/services/databases.ts'
import { withAdvisoryLock } from './advisory-lock.ts'
import { connect } from './database.ts'

test('only one connection holds a lock, and it is free again after success and after an error', async () => {
  await using database = await migratedDatabase('locks')
  await using connection = connect(database.urls.worker, { poolMax: 2, applicationName: 'test' })
  const attempt = <Result>(work: () => Promise<Result>) =>
    withAdvisoryLock(connection.db, sql`hashtextextended(${'a site'}, 1)`, work, () => 'taken' as const)
  const inner = await attempt(() => attempt(async () => 'held'))
  assert.equal(inner, 'taken')
  await assert.rejects(
    attempt(async () => {
      throw new Error('the work failed')
    }),
    /the work failed/,
  )
  // Both connections of the pool find it free.
  assert.deepEqual(await Promise.all([1, 2].map((key) => held(key))), ['held', 'held'])
  assert.equal(await attempt(async () => 'held'), 'held')

  function held(key: number) {
    return withAdvisoryLock(
      connection.db,
      sql`hashtextextended('a site', ${sql.lit(key)})`,
      async () => 'held',
      () => 'taken',
    )
  }
})
