import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import { deleteExpiredAllowances } from '../../../src/accounts/allowances.ts'
import { newcomer, type Service, startService } from '../../../tooling/environment/service.ts'

let service: Service | undefined
const close = async () => service?.[Symbol.asyncDispose]()
beforeEach(async () => {
  await close()
  service = await startService({ accountsPerAddress: 3 })
  // The day must not end while a test counts.
  service.clock.setOffset(Date.parse('2030-06-01T12:00:00Z') - Date.now())
})
after(close)

const create = (headers: Record<string, string> = {}, body: object = newcomer) =>
  fetch(`${service?.baseUrl}/v1/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const statuses = async (answers: Promise<Response>[]) => (await Promise.all(answers)).map(({ status }) => status).sort()

test('of ten accounts requested at once, an address with a limit of three gets three', async () => {
  const given = await statuses(Array.from({ length: 10 }, () => create()))
  assert.deepEqual(given, [201, 201, 201, ...new Array<number>(7).fill(429)])
})

test('a refused request does not count', async () => {
  for (let count = 0; count < 5; count++) assert.equal((await create({}, { ...newcomer, name: '' })).status, 422)
  assert.deepEqual(await statuses([create(), create(), create()]), [201, 201, 201])
})

test('a request that fails on the server does not count', async () => {
  await service?.asOwner('revoke insert on owner_links from broadside_api')
  for (let count = 0; count < 5; count++) assert.equal((await create()).status, 500)
  await service?.asOwner('grant insert on owner_links to broadside_api')
  assert.deepEqual(await statuses([create(), create(), create()]), [201, 201, 201])
})

test('a forged address has no effect', async () => {
  const forged = Array.from({ length: 6 }, (_, index) =>
    create({ 'x-forwarded-for': `203.0.113.${index}`, forwarded: 'for=1.2.3.4' }),
  )
  assert.deepEqual(await statuses(forged), [201, 201, 201, 429, 429, 429])
})

test('the limit resets at 00:00 UTC, to the second, and the response says when', async () => {
  const midnight = Date.parse('2030-06-02T00:00:00Z')
  service?.clock.setOffset(midnight - 90_000 - Date.now())
  await Promise.all([create(), create(), create()])
  await assert.rejects(
    service?.client().createAccount(newcomer) ?? Promise.resolve(),
    (error) => isProblem(error, 'rate_limited') && Math.abs(Number(error.headers.get('retry-after')) - 90) <= 5,
  )
  service?.clock.setOffset(midnight - Date.now())
  assert.equal((await create()).status, 201)
})

test('past days are deleted with their addresses; yesterday is kept for clocks that differ', async () => {
  const noonOf = (day: string) => Date.parse(`${day}T12:00:00Z`) - Date.now()
  for (const day of ['2030-06-02', '2030-06-03', '2030-06-04']) {
    service?.clock.setOffset(noonOf(day))
    await create()
  }
  if (service) await deleteExpiredAllowances(service.workerDb, service.clock.now())
  const days = await service?.asOwner<{ day: string }>('select day::text from allowance_uses order by day')
  assert.deepEqual(days, [{ day: '2030-06-03' }, { day: '2030-06-04' }])
})
