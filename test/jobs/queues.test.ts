import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import pg from 'pg'
import { makeBoss } from '../../src/jobs/connect-worker.ts'
import { enqueue, enqueueSoon } from '../../src/jobs/enqueue.ts'
import { type JobName, jobNamed, jobNames } from '../../src/jobs/jobs.ts'
import { prepareQueues } from '../../src/jobs/prepare-queues.ts'
import { queueOptions } from '../../src/jobs/queues.ts'
import type { Handlers } from '../../src/jobs/run-jobs.ts'
import { wakeWorkers } from '../../src/jobs/wake-workers.ts'
import { inTransaction, type Transaction } from '../../src/platform/database/database.ts'
import type { DatabaseRole } from '../../src/platform/database/database-setup.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { openJobFixture } from '../support/jobs/job-fixture.ts'

/** Unmodified pg-boss, for comparison. */
async function plainBoss(url: string) {
  const boss = await makeBoss({ connectionString: url, max: 2, supervise: false, schedule: false, reindex: false })
  await boss.start()
  return { boss, [Symbol.asyncDispose]: () => boss.stop({ graceful: false }) }
}

test('the schema is the one that this version of pg-boss expects', async () => {
  await using fixture = await openJobFixture()
  await using plain = await plainBoss(fixture.database.urls.migrator)
  const { ok, ...drift } = await plain.boss.detectSchemaDrift()
  assert.ok(ok, JSON.stringify(drift))
})

suite('an added job is the same as one that pg-boss adds, with the same notification', () => {
  let fixture: Awaited<ReturnType<typeof openJobFixture>>
  let plain: Awaited<ReturnType<typeof plainBoss>>
  let listener: pg.Client
  before(async () => {
    fixture = await openJobFixture()
    plain = await plainBoss(fixture.database.urls.migrator)
    listener = new pg.Client({ connectionString: fixture.database.urls.worker })
    await listener.connect()
    await listener.query(`listen pgboss_${createHash('sha224').update('pgboss').digest('hex').slice(0, 24)}`)
  })
  after(async () => {
    await listener.end()
    await plain[Symbol.asyncDispose]()
    await fixture[Symbol.asyncDispose]()
  })

  const last = 'the last notification' as JobName

  /** The one existing job, with times as offsets, and the notifications that listeners received. */
  async function trace(add: () => Promise<unknown>) {
    const heard: unknown[] = []
    listener.on('notification', ({ payload }) => heard.push(payload))
    await add()
    // A process sends its notifications in order, so that all others have arrived when this one has.
    wakeWorkers(fixture.db, last)
    await waitFor(async () => heard.includes(last), 'the last notification')
    listener.removeAllListeners('notification')
    const jobs = await fixture.asOwner<Record<string, unknown>>(`
      delete from pgboss.job returning *,
        date_trunc('minute', start_after - created_on) as delay, keep_until - start_after as kept, now() - created_on < '1 min' as is_new`)
    assert.equal(jobs.length, 1)
    const { id, created_on, start_after, keep_until, ...rest } = jobs[0] ?? {}
    return { heard: heard.filter((name) => name !== last), ...rest }
  }
  const payload = { post_id: 'post_1', edit: 0 }

  for (const name of jobNames)
    test(name, async () => {
      const data = name === 'moderate-post' ? payload : {}
      const ours = await trace(() => fixture.add(name, data as typeof payload))
      assert.deepEqual(ours, await trace(() => plain.boss.send(name, data)))
      assert.deepEqual(ours.heard, [name])
    })

  test('with a delay', async () => {
    const startAfter = new Date(Date.now() + 3_630_000)
    const add = () => inTransaction(fixture.db, (tx) => enqueue(tx, 'moderate-post', payload, { startAfter }))
    const ours = await trace(add)
    assert.deepEqual(ours, await trace(() => plain.boss.send('moderate-post', payload, { startAfter })))
    assert.deepEqual(ours.heard, [])
  })

  test('with a key, in a queue that lets one job per key wait', async () => {
    const twin = 'moderate-post-once'
    await plain.boss.createQueue(twin, { ...queueOptions('moderate-post'), policy: 'short' })
    const add = () => inTransaction(fixture.db, (tx) => enqueue(tx, 'moderate-post', payload, { once: 'post_1' }))
    const theirs = await trace(() => plain.boss.send(twin, payload, { singletonKey: 'post_1' }))
    assert.deepEqual({ ...(await trace(add)), name: twin, heard: [twin] }, theirs)
  })
})

test('workers are woken after the commit, when they can see the job, and not by a transaction that rolls back', async () => {
  await using fixture = await openJobFixture()
  const listener = new pg.Client({ connectionString: fixture.database.urls.worker })
  await listener.connect()
  const waiting: Promise<number>[] = []
  listener.on('notification', () => {
    waiting.push(fixture.asOwner('select from pgboss.job').then((rows) => rows.length))
  })
  await listener.query(`listen pgboss_${createHash('sha224').update('pgboss').digest('hex').slice(0, 24)}`)
  const add = (tx: Transaction) => enqueue(tx, 'publish-post', { post_id: 'post_1' })
  const undone = inTransaction(fixture.db, async (tx) => {
    await add(tx)
    throw new Error('rolled back')
  })
  await assert.rejects(undone, /rolled back/)
  await inTransaction(fixture.db, add)
  await waitFor(async () => waiting.length > 0, 'a notification')
  assert.deepEqual(await Promise.all(waiting), [1])
  await listener.end()
})

test('transactions that add the same jobs in different orders do not deadlock', async () => {
  await using fixture = await openJobFixture()
  const pages = Array.from({ length: 200 }, (_, index) => `shelf:topics/topic-${index}`)
  const jobs = pages.map((page) => ({ payload: { kind: 'message', page }, once: `message ${page}`, delaySeconds: 60 }))
  const add = (given: typeof jobs) => inTransaction(fixture.db, (tx) => enqueueSoon(tx, 'build-page', given))
  for (let round = 0; round < 20; round++) {
    await Promise.all([add(jobs), add(jobs.toReversed())])
    await fixture.asOwner('delete from pgboss.job_common')
  }
})

test('jobs that are added at the same time share notifications', async () => {
  await using fixture = await openJobFixture()
  const names = Array.from({ length: 50 }, () => 'publish-post' as const)
  const sent: string[] = []
  const db = fixture.db.withPlugin({
    transformQuery: ({ node }) => {
      if (JSON.stringify(node).includes('pg_notify')) sent.push('notification')
      return node
    },
    transformResult: async ({ result }) => result,
  })
  for (const name of names) wakeWorkers(db, name)
  await waitFor(async () => sent.length === 2, 'two notifications: the first, and one for all others')
})

test('the worker’s privileges are enough to requeue the jobs of dead workers and to delete old failures', async () => {
  await using fixture = await openJobFixture()
  await using plain = await plainBoss(fixture.database.urls.worker)
  await fixture.asOwner(`insert into pgboss.job (name, state, completed_on, deletion_seconds, started_on, heartbeat_on, heartbeat_seconds, data)
    values ('moderate-post', 'failed', now() - interval '15 days', 14 * 86400, null, null, 10, '1'),
      ('moderate-post', 'failed', now() - interval '13 days', 14 * 86400, null, null, 10, '2'),
      ('moderate-post', 'active', null, 14 * 86400, now(), now() - interval '11 s', 10, '3'),
      ('moderate-post', 'active', null, 14 * 86400, now(), now() - interval '5 s', 10, '4')`)
  await plain.boss.supervise()
  await plain.boss.resolveFlow()
  assert.deepEqual(await fixture.asOwner('select data, state from pgboss.job order by data'), [
    { data: 2, state: 'failed' },
    { data: 3, state: 'retry' },
    { data: 4, state: 'active' },
  ])
})

test('preparing again applies changes of the list and removes old schedules', async () => {
  await using fixture = await openJobFixture()
  await fixture.asOwner(
    "update pgboss.queue set retry_limit = 7, heartbeat_seconds = null where name = 'moderate-post'",
  )
  await fixture.asOwner("insert into pgboss.schedule (name, cron) values ('moderate-post', '* * * * *')")
  await prepareQueues(fixture.database.urls.migrator)
  const [queue] = await fixture.asOwner<object>(
    "select retry_limit, heartbeat_seconds from pgboss.queue where name = 'moderate-post'",
  )
  assert.deepEqual(queue, { retry_limit: 1_000, heartbeat_seconds: 10 })
  const scheduled = await fixture.asOwner<{ name: JobName; cron: string }>(
    'select name, cron from pgboss.schedule order by name',
  )
  const expected = jobNames.filter((name) => jobNamed(name).schedule).toSorted()
  assert.deepEqual(
    scheduled,
    expected.map((name) => ({ name, cron: jobNamed(name).schedule })),
  )
})

test('a scheduled job that a new version no longer has does not run again', async () => {
  await using fixture = await openJobFixture()
  await using plain = await plainBoss(fixture.database.urls.migrator)
  const removed = 'forget-signatures'
  await plain.boss.createQueue(removed, queueOptions('purge-expired'))
  await plain.boss.schedule(removed, '* * * * *', {}, { tz: 'UTC' })
  await plain.boss.send(removed, {})
  await fixture.add('moderate-post', { post_id: 'post_1', edit: 0 })
  await prepareQueues(fixture.database.urls.migrator)
  assert.deepEqual(await fixture.asOwner('select from pgboss.schedule where name = $1', [removed]), [])
  assert.deepEqual(await fixture.asOwner('select name from pgboss.job'), [{ name: 'moderate-post' }])
})

test('a schedule fires once a minute for any number of workers', async () => {
  await using fixture = await openJobFixture()
  const scheduled = jobNames.filter((name) => jobNamed(name).schedule === '* * * * *')
  const runs: string[] = []
  const handlers: Handlers = Object.fromEntries(scheduled.map((name) => [name, async () => void runs.push(name)]))
  // At its start, a worker checks the last minute for due schedules, unless another worker just did.
  const first = await fixture.startWorker(handlers)
  await waitFor(async () => runs.length >= scheduled.length, 'the jobs of the last minute')
  await fixture.asOwner('update pgboss.version set cron_on = null')
  const second = await fixture.startWorker(handlers)
  const hasLooked = async () =>
    (await fixture.asOwner('select from pgboss.version where cron_on is not null')).length === 1
  await waitFor(hasLooked, 'the second worker to look')
  await second.close()
  await first.close()
  const minutes = await fixture.asOwner("select distinct singleton_on from pgboss.job where name = '__pgboss__send-it'")
  assert.ok(minutes.length === 1 || minutes.length === 2, 'the test may have seen a minute end')
  for (const name of scheduled) assert.ok(runs.filter((run) => run === name).length <= minutes.length, runs.join())
})

suite('each role can do with jobs what it is responsible for', () => {
  const add = "insert into pgboss.job_common (name, data) values ('moderate-post', '{}')"
  const denied: Partial<Record<DatabaseRole, string[]>> = {
    api: [],
    operator: [],
    worker: [
      'create table pgboss.t (a int)',
      'drop index pgboss.job_common_i11',
      `select pgboss.create_queue('x', '{"policy": "standard", "partition": true}')`,
      "select pgboss.delete_queue('expire-posts')",
      'delete from pgboss.queue',
      'update pgboss.version set version = 1',
      "insert into pgboss.schedule (name, cron) values ('moderate-post', '* * * * *')",
      "update pgboss.schedule set cron = '0 0 1 1 *'",
      'truncate pgboss.job_common',
    ],
    reader: [
      add,
      'update pgboss.job set priority = 1',
      'delete from pgboss.job',
      "select pgboss.delete_queue('expire-posts')",
    ],
    owner_page: [],
  }
  for (const role of ['api', 'owner_page', 'operator'] as const)
    denied[role] = [
      "update pgboss.job_common set state = 'active'",
      'update pgboss.job_common set start_after = start_after',
      'delete from pgboss.job_common',
      'select data from pgboss.job_common',
      'select id from pgboss.job_common for update skip locked',
      "insert into pgboss.job_common (name, state) values ('moderate-post', 'completed')",
      'select * from pgboss.job',
      'update pgboss.queue set retry_limit = 0',
      "select pgboss.create_queue('x', '{}')",
      'select pgboss.refresh_statistics()',
      'delete from pgboss.schedule',
    ]
  const allowed: Partial<Record<DatabaseRole, string[]>> = {
    api: [add, "select count(*) from pgboss.job_common where state = 'active' and start_after <= pgboss.job_now()"],
    owner_page: [add],
    operator: [add],
    worker: [add, 'select pgboss.refresh_statistics()'],
    reader: ['select * from pgboss.job', 'select * from pgboss.queue', 'select * from pgboss.schedule'],
  }

  test('and nothing else', async () => {
    await using fixture = await openJobFixture()
    for (const [expected, statements] of [
      ['42501', denied],
      [undefined, allowed],
    ] as const)
      for (const [role, list] of Object.entries(statements))
        for (const sql of list)
          assert.equal(await codeOf(fixture.database.urls[role as DatabaseRole], sql), expected, `${role}: ${sql}`)
  })

  async function codeOf(url: string, sql: string): Promise<string | undefined> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query('begin')
      await client.query(sql)
      return undefined
    } catch (error) {
      return (error as pg.DatabaseError).code
    } finally {
      await client.end()
    }
  }
})
