import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { paymentPages } from '../../src/contract/limits.ts'
import { secondsToMidnight } from '../../src/contract/time/utc-day.ts'
import { type Owner, openOwner } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { stubProvider } from '../support/owner-page/populated-account.ts'

const hourMs = 3_600_000

let service: Service
let startMs: number
before(async () => {
  service = await startService({ payments: stubProvider() })
  // Five past noon of the next day, so that no test crosses an hour that it counts.
  startMs = secondsToMidnight(service.clock.now()) * 1_000 + 12 * hourMs + 300_000
  service.clock.setOffset(startMs)
})
after(() => service[Symbol.asyncDispose]())

const newOwner = async () => openOwner(service, (await service.createAccount()).id)
const topUp = (owner: Owner) => owner.post('/account/top-up', { amount: '5000000' })
const addCard = (owner: Owner) => owner.post('/account/card')

async function assertRefusedUntil(response: Response, time: RegExp): Promise<void> {
  assert.equal(response.status, 429)
  const page = await response.text()
  const opensAgainAt = Date.parse(/Try again after <time datetime="([^"]+)"/.exec(page)?.[1] ?? '')
  const secondsLeft = (opensAgainAt - service.clock.now().getTime()) / 1_000
  const retryAfter = Number(response.headers.get('retry-after'))
  // A slow machine may read the clock much later than the server did.
  assert.ok(Math.abs(retryAfter - secondsLeft) < 1_200, `Retry-After is ${retryAfter} s, and ${secondsLeft} s are left`)
  assert.match(page, /You were not charged\./)
  assert.match(page, time)
}

test('top-up and card pages share a limit per hour, and the page says when to try again', async () => {
  const owner = await newOwner()
  const responses = await Promise.all(
    Array.from({ length: paymentPages.perHour + 4 }, (_, index) => (index % 2 ? addCard(owner) : topUp(owner))),
  )
  const opened = responses.filter(({ status }) => status === 303)
  assert.equal(opened.length, paymentPages.perHour, 'even if all are asked for at once')
  await assertRefusedUntil(await topUp(owner), /Try again after <time datetime="[0-9-]+T13:00:00/)
  const [{ payments } = { payments: 0 }] = await service.asOwner<{ payments: number }>(
    'select count(*)::integer as payments from payments',
  )
  assert.ok(payments <= paymentPages.perHour, 'a refused page leaves no payment')
  assert.equal((await topUp(await newOwner())).status, 303, 'another account is not affected')
})

test('an account can open a limited number of payment pages per day', async () => {
  const { id } = await service.createAccount()
  const hours = Math.ceil(paymentPages.perDay / paymentPages.perHour)
  for (let hour = 0; hour < hours; hour++) {
    service.clock.setOffset(startMs + hour * hourMs)
    const owner = await openOwner(service, id)
    for (let opened = 0; opened < paymentPages.perHour; opened++) assert.equal((await topUp(owner)).status, 303)
  }
  service.clock.setOffset(startMs + hours * hourMs)
  await assertRefusedUntil(
    await addCard(await openOwner(service, id)),
    /Try again after <time datetime="[0-9-]+T00:00:00/,
  )
  service.clock.setOffset(startMs)
})
