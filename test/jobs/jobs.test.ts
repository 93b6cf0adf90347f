import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { countPending } from '../../src/jobs/backlog.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { jobNamed } from '../../src/jobs/jobs.ts'
import { connect, inTransaction } from '../../src/platform/database/database.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { openJobFixture } from '../support/jobs/job-fixture.ts'

const post = (number = 1) => ({ post_id: `post_${number}`, edit: 0 })

test('a job exists from the commit of its transaction, and not after a rollback', async () => {
  await using fixture = await openJobFixture()
  await inTransaction(fixture.db, async (tx) => {
    await enqueue(tx, 'moderate-post', post())
    assert.equal(await countPending(fixture.db, ['moderate-post']), 0)
  })
  assert.equal(await countPending(fixture.db, ['moderate-post']), 1)
  const failing = inTransaction(fixture.db, async (tx) => {
    await enqueue(tx, 'moderate-post', post(2))
    throw new Error('changed my mind')
  })
  await assert.rejects(failing, /changed my mind/)
  assert.equal(await countPending(fixture.db, ['moderate-post']), 1)
})

test('a successful job runs once, with its payload, and leaves nothing behind', async () => {
  await using fixture = await openJobFixture()
  const runs: unknown[] = []
  for (let number = 0; number < 50; number++) await fixture.add('moderate-post', post(number))
  for (let worker = 0; worker < 2; worker++)
    await fixture.startWorker({
      'moderate-post': async (payload, { attempt }) => void runs.push({ ...payload, attempt }),
    })
  for (let number = 50; number < 100; number++) await fixture.add('moderate-post', post(number))
  await waitFor(async () => (await countPending(fixture.db, ['moderate-post'])) === 0, 'all jobs to run')
  const expected = Array.from({ length: 100 }, (_, number) => ({ ...post(number), attempt: 1 }))
  assert.deepEqual(new Set(runs.map((run) => JSON.stringify(run))), new Set(expected.map((run) => JSON.stringify(run))))
  assert.equal(runs.length, 100)
  assert.deepEqual(await fixture.asOwner("select from pgboss.job where name = 'moderate-post'"), [])
})

test('at most one job per key waits; another can follow once it runs', async () => {
  await using fixture = await openJobFixture()
  const add = () => inTransaction(fixture.db, (tx) => enqueue(tx, 'moderate-post', post(), { once: 'post_1' }))
  await Promise.all([add(), add(), add()])
  assert.equal(await countPending(fixture.db, ['moderate-post']), 1)
  const running = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const worker = await fixture.startWorker({
    'moderate-post': async () => {
      running.resolve()
      await release.promise
    },
  })
  await running.promise
  await worker.pause('moderate-post')
  await add()
  assert.equal(await countPending(fixture.db, ['moderate-post']), 2)
  release.resolve()
})

test('a scheduled job is not pending and wakes no worker', async () => {
  await using fixture = await openJobFixture()
  const startAfter = new Date(Date.now() + 3_600_000)
  await inTransaction(fixture.db, (tx) => enqueue(tx, 'moderate-post', post(), { startAfter }))
  assert.equal(await countPending(fixture.db, ['moderate-post']), 0)
  const [job] = await fixture.asOwner<{ start_after: Date }>('select start_after from pgboss.job')
  assert.deepEqual(job?.start_after, startAfter)
})

test('a job that becomes due without a notification is found, whatever its queue', async () => {
  await using fixture = await openJobFixture()
  const runs: string[] = []
  await fixture.startWorker({
    'moderate-post': async () => void runs.push('moderate-post'),
    'expire-posts': async () => void runs.push('expire-posts'),
  })
  const startAfter = new Date(Date.now() + 3_600_000)
  await inTransaction(fixture.db, async (tx) => {
    await enqueue(tx, 'moderate-post', post(), { startAfter })
    await enqueue(tx, 'expire-posts', {}, { startAfter })
  })
  await fixture.asOwner('update pgboss.job set start_after = now()')
  await waitFor(async () => runs.length === 2, 'both jobs to run')
})

test('a failed job is retried, first after a second or two and finally after thirty', async () => {
  await using fixture = await openJobFixture()
  const attempts: number[] = []
  await fixture.add('moderate-post', post())
  await fixture.startWorker({
    'moderate-post': async (_payload, { attempt }) => {
      attempts.push(attempt)
      if (attempts.length < 3) throw Object.assign(new Error('no model'), { code: 'E123', detail: 'what a user wrote' })
    },
  })
  const untilWaiting = async () => {
    const waiting = () =>
      // It failed at some time between its start and now, which bounds the delay on both sides.
      fixture.asOwner<{ least: number; most: number; output: object }>(
        `select extract(epoch from start_after - now())::float8 as least,
           extract(epoch from start_after - started_on)::float8 as most, output from pgboss.job where state = 'retry'`,
      )
    await waitFor(async () => (await waiting()).length === 1, 'the job to fail')
    const [job] = await waiting()
    assert.ok(job)
    return job
  }
  const hurry = (retryCount: number) =>
    fixture.asOwner("update pgboss.job set start_after = now(), retry_count = $1 where state = 'retry'", [retryCount])

  const first = await untilWaiting()
  assert.ok(first.most >= 1 && first.least < 3, `waits ${first.least} to ${first.most} s`)
  assert.equal(JSON.stringify(first.output), '{"name":"Error","message":"Error E123"}')
  await hurry(500)
  await waitFor(async () => attempts.length === 2, 'the second try')
  const second = await untilWaiting()
  assert.ok(second.most >= 29 && second.least < 32, `waits ${second.least} to ${second.most} s`)
  await hurry(501)
  await waitFor(
    async () => (await fixture.asOwner("select from pgboss.job where name = 'moderate-post'")).length === 0,
    'the third try',
  )
  assert.deepEqual(attempts, [1, 502, 503])

  const lines = fixture.logLines.map((line) => JSON.parse(line)).filter(({ job }) => job)
  assert.deepEqual(
    lines.map(({ job, attempt, error }) => [job, attempt, error.message]),
    [
      // The second failure has the same cause, which is logged once a minute.
      ['moderate-post', 1, 'no model'],
    ],
  )
  assert.ok(!fixture.logLines.join().includes('post_1') && !fixture.logLines.join().includes('what a user wrote'))
})

test('a payload that does not match its schema never reaches the handler', async () => {
  await using fixture = await openJobFixture()
  let calls = 0
  await fixture.startWorker({ 'moderate-post': async () => void calls++ })
  await fixture.add('moderate-post', { post_id: 'post_1', edit: -1 })
  const failed = async () => (await fixture.asOwner("select from pgboss.job where state = 'retry'")).length === 1
  await waitFor(failed, 'the job to be refused')
  assert.equal(calls, 0)
})

suite('a paused queue', () => {
  test('takes no job until it is resumed, while the others continue', async () => {
    await using fixture = await openJobFixture()
    const runs: string[] = []
    const worker = await fixture.startWorker(
      { 'moderate-post': async () => void runs.push('moderate'), 'expire-posts': async () => void runs.push('expire') },
      { paused: ['moderate-post'] },
    )
    await fixture.add('moderate-post', post())
    await fixture.add('expire-posts', {})
    await waitFor(async () => runs.length > 0, 'the other queue to go on')
    worker.resume('moderate-post')
    await waitFor(async () => runs.includes('moderate'), 'the paused queue to go on')
    assert.equal(runs[0], 'expire')
  })

  test('drops no running job, and respects its concurrency limit when resumed', async () => {
    await using fixture = await openJobFixture()
    const { concurrency } = jobNamed('moderate-post')
    let [running, most, done] = [0, 0, 0]
    let release = Promise.withResolvers<void>()
    const worker = await fixture.startWorker({
      'moderate-post': async () => {
        most = Math.max(most, ++running)
        await release.promise
        running--
        done++
      },
    })
    for (let number = 0; number < concurrency * 2; number++) await fixture.add('moderate-post', post(number))
    await waitFor(async () => running === concurrency, 'all slots to be taken')
    await worker.pause('moderate-post')
    worker.resume('moderate-post')
    await worker.pause('moderate-post')
    release.resolve()
    await waitFor(
      async () => done === concurrency && (await countPending(fixture.db, ['moderate-post'])) === concurrency,
      'the running jobs to end',
    )
    release = Promise.withResolvers()
    worker.resume('moderate-post')
    await waitFor(async () => running === concurrency, 'the others to start')
    release.resolve()
    await waitFor(async () => (await countPending(fixture.db, ['moderate-post'])) === 0, 'the others to end')
    assert.deepEqual([most, done], [concurrency, concurrency * 2])
  })
})

test('when a worker closes, running jobs may finish, and jobs that do not finish in time are requeued', async () => {
  await using fixture = await openJobFixture()
  const signals = new Map<string, AbortSignal>()
  const quick = Promise.withResolvers<void>()
  const worker = await fixture.startWorker(
    {
      'moderate-post': ({ post_id }, { signal }) => {
        signals.set(post_id, signal)
        return post_id === 'post_1' ? quick.promise : new Promise(() => {})
      },
    },
    { graceSeconds: 5 },
  )
  await fixture.add('moderate-post', post(1))
  await fixture.add('moderate-post', post(2))
  await waitFor(async () => signals.size === 2, 'both jobs to run')
  await worker.pause('moderate-post')
  worker.resume('moderate-post')
  const closed = worker.close()
  await fixture.add('moderate-post', post(3))
  quick.resolve()
  await closed
  assert.ok(signals.get('post_2')?.aborted)
  const left = await fixture.asOwner(
    "select data->>'post_id' as id, state from pgboss.job where name = 'moderate-post' order by 1",
  )
  assert.deepEqual(left, [
    { id: 'post_2', state: 'retry' },
    { id: 'post_3', state: 'created' },
  ])
})

test('the job of a killed worker runs again elsewhere after a missed heartbeat', async () => {
  await using fixture = await openJobFixture()
  const program = fileURLToPath(new URL('../support/jobs/job-worker.ts', import.meta.url))
  const env = { PATH: process.env['PATH'], WORKER_DATABASE_URL: fixture.database.urls.worker }
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'close')
  try {
    await fixture.add('moderate-post', post())
    await once(child.stdout, 'data')
  } finally {
    child.kill('SIGKILL')
  }
  await gone
  const again = Promise.withResolvers<number>()
  await fixture.startWorker({ 'moderate-post': async (_payload, { attempt }) => again.resolve(attempt) })
  assert.equal(await again.promise, 2)
})

test('a worker survives the loss of all its connections: running jobs finish, and it is notified of new jobs again', async () => {
  await using fixture = await openJobFixture()
  const runs: string[] = []
  const release = Promise.withResolvers<void>()
  await fixture.startWorker({
    'moderate-post': async ({ post_id }) => {
      runs.push(post_id)
      if (post_id === 'post_1') await release.promise
    },
  })
  await fixture.add('moderate-post', post(1))
  await waitFor(async () => runs.length === 1, 'the first job to run')
  const ownBackends = "pg_stat_activity where application_name = 'broadside jobs' and datname = current_database()"
  await using admin = connect(fixture.database.adminUrl, { poolMax: 1, applicationName: 'test admin' })
  const { rowCount } = await admin.pool.query(`select pg_terminate_backend(pid) from ${ownBackends}`)
  assert.ok(rowCount)
  await fixture.add('moderate-post', post(2))
  release.resolve()
  const isListening = async () =>
    (await admin.pool.query(`select from ${ownBackends} and query like 'LISTEN%'`)).rowCount === 1
  await waitFor(isListening, 'the worker to listen again')
  await fixture.add('moderate-post', post(3))
  await waitFor(async () => (await countPending(fixture.db, ['moderate-post'])) === 0, 'all jobs to end')
  // The end of a job that ran meanwhile can be lost with its connection. Then it runs again, as every handler may.
  assert.deepEqual([...new Set(runs)].sort(), ['post_1', 'post_2', 'post_3'])
  assert.equal(runs.filter((id) => id === 'post_3').length, 1)
})
