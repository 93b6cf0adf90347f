import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect } from '../../src/platform/database/database.ts'
import { searchTimeoutMs } from '../../src/search/time-limit.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'

let service: Service
before(async () => {
  service = await startService({ searchTimeoutMs, searchesPerKey: 2 })
})
after(() => service[Symbol.asyncDispose]())

/** Every search takes too long while the table is locked. */
async function whileHeld(work: () => Promise<void>): Promise<void> {
  await using holder = connect(service.database.urls.migrator, { poolMax: 1, applicationName: 'test holder' })
  await holder.pool.query('begin')
  await holder.pool.query('lock table search_entries in access exclusive mode')
  await work()
  await holder.pool.query('rollback')
}

const searchWith = (apiKey: string) =>
  fetch(`${service.baseUrl}/v1/search?q=ferry`, { headers: { authorization: `Bearer ${apiKey}` } })

test('a search that takes too long is cancelled: it counts, it is never charged, and other calls continue', async () => {
  const { api_key } = await service.createCustomer(1_000_000)
  const balance = async () => (await service.client(api_key).getAccount()).body.balance_micros
  await searchWith(api_key)
  await whileHeld(async () => {
    for (const which of ['the last free one', 'one beyond']) {
      const response = await searchWith(api_key)
      const { code, detail } = (await response.json()) as { code: string; detail: string }
      assert.deepEqual([response.status, code], [503, 'unavailable'])
      assert.match(detail, /took more than/)
      assert.ok(Number(response.headers.get('retry-after')) > 0)
      assert.equal(await balance(), 1_000_000, which)
    }
  })
  const [row] = await service.asOwner<{ used: number }>('select used from allowance_uses where subject like $1', [
    'key_%',
  ])
  assert.equal(row?.used, 2, 'one was answered, one was given up, and one lay beyond the free ones')
  assert.equal((await searchWith(api_key)).status, 200)
  assert.equal(await balance(), 999_000)
})

test('HEAD does not search and is not charged', async () => {
  const response = await fetch(`${service.baseUrl}/v1/search?q=ferry`, { method: 'HEAD' })
  assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET'])
})
