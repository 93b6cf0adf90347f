import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allowances } from '../../src/contract/limits.ts'
import { utcDay } from '../../src/contract/time/utc-day.ts'
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
  await holder.pool.query('set local idle_in_transaction_session_timeout = 0')
  await holder.pool.query('lock table search_entries in access exclusive mode')
  await work()
  await holder.pool.query('rollback')
}

const searchWith = (apiKey: string) =>
  fetch(`${service.baseUrl}/v1/search?q=ferry`, { headers: { authorization: `Bearer ${apiKey}` } })

test('a search that takes too long is cancelled: it counts, it is not charged, and other calls continue', async () => {
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
  const rows = await service.asOwner<{ allowance: string; used: number }>(
    'select allowance, used from allowance_uses order by allowance',
  )
  assert.deepEqual(rows, [
    { allowance: 'searches-per-key', used: 2 },
    { allowance: 'timed-out-searches-per-account', used: 1 },
  ])
  assert.equal((await searchWith(api_key)).status, 200)
  assert.equal(await balance(), 999_000)
})

test('beyond the free searches, an account has some uncharged searches that take too long; then they cost the price', async () => {
  const customer = await service.createCustomer(2_000)
  const { max } = allowances['timed-out-searches-per-account']
  for (let count = 0; count < 2; count++) assert.equal((await searchWith(customer.api_key)).status, 200)
  await service.asOwner('insert into allowance_uses (allowance, subject, day, used) values ($1, $2, $3, $4)', [
    'timed-out-searches-per-account',
    customer.id,
    utcDay(service.clock.now()),
    max - 1,
  ])
  const answers: unknown[] = []
  await whileHeld(async () => {
    for (let count = 0; count < 4; count++) {
      const response = await searchWith(customer.api_key)
      const { code, charged_micros } = (await response.json()) as { code: string; charged_micros?: number }
      const { balance_micros } = (await service.client(customer.api_key).getAccount()).body
      answers.push([code, charged_micros ?? 0, balance_micros])
    }
  })
  assert.deepEqual(answers, [
    ['unavailable', 0, 2_000],
    ['unavailable', 1_000, 1_000],
    ['unavailable', 1_000, 0],
    ['insufficient_balance', 0, 0],
  ])
})

test('HEAD does not search and is not charged', async () => {
  const response = await fetch(`${service.baseUrl}/v1/search?q=ferry`, { method: 'HEAD' })
  assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET'])
})
