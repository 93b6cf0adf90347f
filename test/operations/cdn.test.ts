// Runs alone: it starts processes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kinds } from '../../src/kinds/index.ts'
import { connect } from '../../src/platform/database/database.ts'
import { runOperator, settingsFor } from '../../tooling/environment/processes.ts'
import { migratedDatabase } from '../../tooling/services/databases.ts'

test('with a CDN, documents and a rebuild request a purge of every site that they wrote', async () => {
  await using database = await migratedDatabase('cdn')
  await using worker = connect(database.urls.worker, { poolMax: 1, applicationName: 'test' })
  const settings = await settingsFor(database)
  const [first] = kinds
  const sites = kinds.map(({ site }) => site.slug).sort()
  const purgedBy = async (provider: string, ...command: string[]) => {
    const { code, stderr } = await runOperator({ ...settings, CDN_PROVIDER: provider }, ...command)
    assert.equal(code, 0, stderr)
    const rows = await worker.db.deleteFrom('cdn_purges').returning('key').execute()
    return rows.map(({ key }) => key).sort()
  }
  const twice = (keys: readonly string[]) => keys.flatMap((key) => [key, key])
  assert.deepEqual(await purgedBy('fastly', 'documents'), twice(sites))
  assert.deepEqual(await purgedBy('fastly', 'rebuild', '--threads', '1'), twice(sites))
  assert.deepEqual(
    await purgedBy('fastly', 'rebuild', '--site', String(first?.name)),
    twice(first ? [first.site.slug] : []),
  )
  assert.deepEqual(await purgedBy('', 'documents'), [])
  assert.deepEqual(await purgedBy('', 'rebuild', '--threads', '1'), [])
})
