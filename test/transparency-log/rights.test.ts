import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migratedDatabase } from '../../tooling/services/databases.ts'
import { denied, tryStatement } from '../support/database/try-statement.ts'

test('the operator cannot rewrite what waits for the transparency log, nor read the salts of posts', async () => {
  await using database = await migratedDatabase('rights')
  const tryAsOperator = (sql: string) => tryStatement(database.urls.operator, sql)
  for (const sql of [
    'update log_queue set commitment = commitment',
    'delete from log_queue',
    'select salt from post_proofs',
    'update post_proofs set salt = salt',
    'insert into log_entries (index, entry) values (0, $entry$x$entry$)',
  ])
    assert.equal(await tryAsOperator(sql), denied, sql)
  // A command that changes a post deletes its signature.
  assert.equal(await tryAsOperator("delete from post_proofs where post_id = ''"), undefined)
})
