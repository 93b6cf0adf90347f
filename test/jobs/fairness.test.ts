import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { inTransaction } from '../../src/platform/database/database.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { openJobFixture } from '../support/jobs/job-fixture.ts'

const soon = 60_000

suite('accounts take turns', () => {
  const share = (account: string, windows: number) => ({ share: { account, windows } })

  /** The order in which one worker at a time takes the added jobs. */
  async function orderOf(fixture: Awaited<ReturnType<typeof openJobFixture>>) {
    const rows = await fixture.asOwner<{ id: string }>(
      "select data ->> 'post_id' as id from pgboss.job_common where name = 'moderate-post' order by priority desc, created_on",
    )
    return rows.map(({ id }) => id)
  }
  const add = (fixture: Awaited<ReturnType<typeof openJobFixture>>, id: string, account: string, windows: number) =>
    inTransaction(fixture.db, (tx) => enqueue(tx, 'moderate-post', { post_id: id, edit: 0 }, share(account, windows)))

  test('an account with a long backlog delays others by at most one job', async () => {
    await using fixture = await openJobFixture()
    for (let number = 0; number < 20; number++) await add(fixture, `flood ${number}`, 'acct_flood', 16)
    await add(fixture, 'one', 'acct_one', 4)
    await add(fixture, 'two', 'acct_two', 4)
    const order = await orderOf(fixture)
    assert.ok(order.indexOf('one') <= 1, order.join())
    assert.ok(order.indexOf('two') <= 2, order.join())
  })

  test('an account with running jobs alternates with newcomers and is not starved by them', async () => {
    await using fixture = await openJobFixture()
    for (let number = 0; number < 5; number++) await add(fixture, `flood ${number}`, 'acct_flood', 16)
    await fixture.asOwner(
      "update pgboss.job_common set state = 'active' where data ->> 'post_id' in ('flood 0', 'flood 1')",
    )
    for (let number = 0; number < 9; number++) await add(fixture, `new ${number}`, `acct_${number}`, 4)
    // Later newcomers see that newcomers are being served, and queue behind the flood's next job.
    await fixture.asOwner("update pgboss.job_common set state = 'active' where data ->> 'post_id' like 'new%'")
    for (let number = 0; number < 9; number++) await add(fixture, `late ${number}`, `acct_late_${number}`, 16)
    const waiting = (await orderOf(fixture)).filter(
      (id) => !id.startsWith('new') && !['flood 0', 'flood 1'].includes(id),
    )
    assert.equal(waiting[0], 'flood 2', waiting.join())
  })

  test('across workers, a flood from one account leaves capacity for others', async () => {
    await using fixture = await openJobFixture()
    for (let number = 0; number < 60; number++) await add(fixture, `flood ${number}`, 'acct_flood', 16)
    await add(fixture, 'one', 'acct_one', 1)
    const taken: string[] = []
    const handler = async ({ post_id }: { post_id: string }) => void taken.push(post_id)
    for (const _ of [1, 2]) await fixture.startWorker({ 'moderate-post': handler })
    await waitFor(async () => taken.length === 61, 'all jobs to run', soon)
    // Each worker takes eight at a time, in no particular order.
    assert.ok(taken.indexOf('one') <= 17, String(taken.indexOf('one')))
  })
})
