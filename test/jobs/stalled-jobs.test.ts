import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { enqueueStalled, startResumingStalled } from '../../src/jobs/stalled-jobs.ts'
import { connect, inTransaction } from '../../src/platform/database/database.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { openJobFixture } from '../support/jobs/job-fixture.ts'

const payload = { post_id: 'post_1' }

test('another worker gets the work of a quick job whose worker is gone, before the queue notices', async () => {
  await using fixture = await openJobFixture()
  await inTransaction(fixture.db, (tx) => enqueue(tx, 'publish-post', payload, { once: 'post_1' }))
  // As a worker leaves it that is killed at once.
  await fixture.asOwner(
    `update pgboss.job set state = 'active', started_on = pgboss.job_now(), heartbeat_on = pgboss.job_now()`,
  )
  const runs: unknown[] = []
  await fixture.startWorker({ 'publish-post': async (given, { attempt }) => void runs.push({ ...given, attempt }) })
  const { db } = fixture.use(connect(fixture.database.urls.worker, { poolMax: 2, applicationName: 'test worker' }))
  await using _ = startResumingStalled(db, (error) => assert.fail(String(error)))
  await waitFor(async () => runs.length > 0, 'the second worker to do the work', 60_000)
  // The queue needs ten seconds and more, and counts another attempt.
  assert.deepEqual(runs[0], { ...payload, attempt: 1 })
})

test('a stalled job is enqueued once, and a quick or keyless one never', async () => {
  await using fixture = await openJobFixture()
  const { db } = fixture.use(connect(fixture.database.urls.worker, { poolMax: 2, applicationName: 'test worker' }))
  const age = (seconds: number) =>
    fixture.asOwner(
      `update pgboss.job set state = 'active', started_on = pgboss.job_now() - $1 * interval '1 s', heartbeat_on = null where state = 'created'`,
      [seconds],
    )
  await inTransaction(fixture.db, (tx) => enqueue(tx, 'publish-post', payload, { once: 'post_1' }))
  await age(1)
  assert.equal(await enqueueStalled(db), 0, 'it has just begun')
  await fixture.asOwner(`update pgboss.job set started_on = started_on - interval '5 s' where state = 'active'`)
  await enqueueStalled(db)
  await enqueueStalled(db)
  const waiting = await fixture.asOwner(`select from pgboss.job where state = 'created'`)
  assert.equal(waiting.length, 1, 'one more run waits')
  await age(6)
  assert.equal(await enqueueStalled(db), 0, 'two runs are enough')
  await inTransaction(fixture.db, (tx) => enqueue(tx, 'moderate-post', { post_id: 'post_2', edit: 0 }, { once: 'm' }))
  await age(60)
  assert.equal(await enqueueStalled(db), 0, 'moderation may take long')
})

async function countActive({ asOwner }: Pick<Awaited<ReturnType<typeof openJobFixture>>, 'asOwner'>): Promise<number> {
  return (await asOwner("select from pgboss.job where state = 'active'")).length
}

test('a job whose worker is slow but alive is not enqueued again', async () => {
  await using fixture = await openJobFixture()
  const { db } = fixture.use(connect(fixture.database.urls.worker, { poolMax: 2, applicationName: 'test worker' }))
  const end = Promise.withResolvers<void>()
  await fixture.startWorker({ 'publish-post': () => end.promise })
  await inTransaction(fixture.db, (tx) => enqueue(tx, 'publish-post', payload, { once: 'post_1' }))
  await waitFor(async () => (await countActive(fixture)) === 1, 'the worker to take the job')
  await fixture.asOwner(
    `update pgboss.job set started_on = started_on - interval '40 s', heartbeat_on = started_on - interval '40 s'`,
  )
  const hasBeat = async () =>
    (await fixture.asOwner(`select from pgboss.job where heartbeat_on > started_on + interval '30 s'`)).length === 1
  await waitFor(hasBeat, 'a heartbeat', 60_000)
  assert.equal(await enqueueStalled(db), 0)
  end.resolve()
})
