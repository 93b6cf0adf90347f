import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startService } from '../../tooling/environment/service.ts'

const run = promisify(execFile)

test('a dump of the whole database after 100 accounts contains none of their keys or owner links', async () => {
  await using service = await startService()
  const accounts = await Promise.all(Array.from({ length: 100 }, () => service.createAccount()))
  const { stdout: dump } = await run('pg_dump', [service.database.adminUrl], { maxBuffer: 64 << 20 })
  assert.equal(dump.match(/owner@example\.com/g)?.length, 100, 'the dump holds the accounts')
  for (const { api_key, account_url } of accounts) {
    const token = account_url.split('/o/')[1] ?? ''
    const middle = api_key.slice(4, -6)
    for (const secret of [
      api_key,
      middle,
      token,
      Buffer.from(api_key).toString('hex'),
      Buffer.from(token).toString('hex'),
    ])
      assert.ok(!dump.includes(secret), 'a secret is in the dump')
    assert.ok(!dump.includes(Buffer.from(token, 'base64url').toString('hex')), 'a token is in the dump')
  }
})
