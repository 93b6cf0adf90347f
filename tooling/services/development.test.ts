import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempDisposable, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { readSettings, type SettingName } from '../../src/platform/settings/settings.ts'
import { developmentSettings, secretsKeysIn } from './development.ts'
import { startPostgres, stopUnusedPostgres } from './postgres.ts'

test('processes that start at the same time agree on one key, which only its owner can read', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-keys-'))
  const script = `import(${JSON.stringify(import.meta.resolve('./development.ts'))})
    .then(({ secretsKeysIn }) => process.stdout.write(secretsKeysIn(process.argv[1])))`
  const read = async () => (await promisify(execFile)(process.execPath, ['-e', script, folder.path])).stdout
  const found = await Promise.all(Array.from({ length: 4 }, read))
  assert.match(found[0] ?? '', /^development:/)
  assert.deepEqual(new Set(found), new Set([secretsKeysIn(folder.path)]))
  const files = await readdir(folder.path)
  assert.deepEqual(files, ['secrets-keys'])
  assert.equal((await stat(join(folder.path, 'secrets-keys'))).mode & 0o777, 0o600)
})

test('every development setting is valid', () => {
  const url = 'postgres://somebody@127.0.0.1/broadside'
  const urls = {
    migrator: url,
    api: url,
    worker: url,
    owner_page: url,
    desk: url,
    operator: url,
    reader: url,
    backup: url,
  }
  const settings = developmentSettings(url, urls)
  assert.ok(readSettings(settings, Object.keys(settings) as SettingName[]))
})

test('PostgreSQL keeps running while another program is connected to it', async () => {
  const { adminUrl } = await startPostgres()
  const other = new pg.Client({ connectionString: adminUrl })
  await other.connect()
  try {
    assert.equal(await stopUnusedPostgres(), 'in use')
    assert.equal((await other.query('select 1 as one')).rows[0].one, 1)
  } finally {
    await other.end()
  }
})
