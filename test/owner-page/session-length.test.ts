import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { openOwner } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { type Owned, seedOwned } from '../support/owner-page/routes.ts'

let service: Service
let owned: Owned
before(async () => {
  service = await startService()
  owned = await seedOwned(service)
})
after(() => service?.[Symbol.asyncDispose]())

const hours = (count: number) => service.clock.setOffset(count * 3_600_000)

suite('a session lasts', () => {
  const lasts = async ({ get }: Owned['owner']) => (await get('/account/sessions')).status === 200

  test('30 minutes after its last use, and 12 hours in total', async () => {
    const [idle, busy] = [await openOwner(service, owned.account.id), await openOwner(service, owned.account.id)]
    hours(0.49)
    assert.ok(await lasts(idle))
    hours(0.98)
    assert.ok(await lasts(idle), 'it slides with use')
    hours(1.49)
    assert.ok(!(await lasts(idle)))
    assert.ok(!(await lasts(busy)), 'one that was never used')
    hours(0)
    const long = await openOwner(service, owned.account.id)
    for (let hour = 0.4; hour < 12; hour += 0.4) {
      hours(hour)
      assert.ok(await lasts(long), `after ${hour} hours`)
    }
    hours(12.01)
    assert.ok(!(await lasts(long)))
    hours(0)
  })

  test('until sign-out, or until the account is closed', async () => {
    const { owner, account } = await seedOwned(service)
    const second = await openOwner(service, account.id)
    assert.equal((await owner.post('/sign-out')).status, 303)
    assert.ok(!(await lasts(owner)))
    assert.ok(await lasts(second))
    await service.asOwner("update accounts set standing = 'closed' where id = $1", [account.id])
    assert.ok(!(await lasts(second)))
  })
})
