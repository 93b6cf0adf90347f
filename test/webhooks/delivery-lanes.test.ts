import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { expireDrafts } from '../../src/drafts/sweep-drafts.ts'
import { connect, type Transaction } from '../../src/platform/database/database.ts'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import { newId } from '../../src/platform/identifiers.ts'
import { recordEvent } from '../../src/posts/events.ts'
import { releaseLanes, takeLanes } from '../../src/webhooks/delivery/lanes.ts'
import { releaseLanesOfDeadWorkers, startWorkerLease } from '../../src/webhooks/delivery/worker-lease.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { seedDraft } from '../support/drafts/seed-draft.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service[Symbol.asyncDispose]())

type Account = Awaited<ReturnType<Service['createAccount']>>
const url = 'https://agent.example/hooks'

async function subscribe() {
  const account = await service.createAccount()
  const { body } = await account.client.createWebhook({ url })
  return { account, webhookId: body.id }
}
const eventOf = (accountId: string) => {
  const at = service.clock.now()
  return { type: 'post.published' as const, accountId, postId: newId('post', at), data: {}, at }
}
async function holder() {
  const { workerDb: db, clock } = service
  return startWorkerLease({ db, clock, logger: { warn: () => {} } as never, onChanged: () => {}, onLost: () => {} })
}
const take = (id: string) =>
  takeLanes(service.workerDb, { queue: 'first', holder: id, count: 100, at: service.clock.now() })
const laneOf = async (webhookId: string) =>
  (
    await service.asOwner<{ due_at: Date | null; holder: string | null }>(
      "select due_at, holder from delivery_lanes where webhook_id = $1 and queue = 'first'",
      [webhookId],
    )
  )[0]

/** Whether a statement waits for a lock. Only an administrator can see that of others. */
const isSomeoneWaiting = () =>
  asAdministrator(service.database.adminUrl, async (admin) => {
    const { rowCount } = await admin.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return Number(rowCount) > 0
  })

test('an event and its deliveries are written together or not at all', async () => {
  const { account, webhookId } = await subscribe()
  const deliveries = () => service.asOwner('select from deliveries where webhook_id = $1', [webhookId])
  await assert.rejects(
    service.asWorker(async (tx) => {
      await recordEvent(tx, eventOf(account.id))
      throw new Error('the decision failed')
    }),
  )
  assert.deepEqual([(await deliveries()).length, (await laneOf(webhookId))?.due_at], [0, null])
  await service.asWorker((tx) => recordEvent(tx, eventOf(account.id)))
  assert.equal((await deliveries()).length, 1)
  assert.ok((await laneOf(webhookId))?.due_at)
})

test('only one worker takes a lane, however many try at once', async () => {
  const { account, webhookId } = await subscribe()
  await using stack = new AsyncDisposableStack()
  const holders = (await Promise.all([holder(), holder(), holder()])).map((one) => stack.use(one))
  await service.asWorker((tx) => recordEvent(tx, eventOf(account.id)))
  const taken = (await Promise.all(holders.map(({ id }) => take(String(id()))))).flat()
  assert.deepEqual(
    taken.filter(({ endpoint }) => endpoint.id === webhookId).map(({ due }) => due.length),
    [1],
  )
})

test('a delivery written while its lane is released is not lost', async () => {
  const { account, webhookId } = await subscribe()
  await using worker = await holder()
  await service.asWorker((tx) => recordEvent(tx, eventOf(account.id)))
  const holderId = String(worker.id())
  await take(holderId)
  await service.asOwner("update deliveries set status = 'delivered', due_at = null where webhook_id = $1", [webhookId])
  await using writer = connect(service.database.urls.worker, { poolMax: 1, applicationName: 'test writer' })
  let release: Promise<void> | undefined
  await writer.db.transaction().execute(async (tx) => {
    await recordEvent(tx, eventOf(account.id))
    // It reads that nothing waits, and then has to wait for the lane, which the event holds.
    release = releaseLanes(service.workerDb, [
      { webhook_id: webhookId, queue: 'first', holder: holderId, paused_until: null },
    ])
    await waitFor(isSomeoneWaiting, 'the release to wait')
  })
  await release
  const lane = await laneOf(webhookId)
  assert.equal(lane?.holder, null)
  assert.ok(lane?.due_at, 'the new delivery is due')
})

test('drafts of two accounts expire while lanes are locked in the order of endpoints', async () => {
  const accounts = await Promise.all([service.createAccount(), service.createAccount()])
  const [earlier, later] = accounts.sort((one, other) => (one.id < other.id ? -1 : 1)) as [Account, Account]
  const endpointOf = async ({ client }: Account) =>
    (await client.createWebhook({ url, events: ['draft.expired'] })).body.id
  const first = await endpointOf(later)
  const second = await endpointOf(earlier)
  for (const { id: accountId } of accounts) await seedDraft(service, { accountId })
  const at = new Date(service.clock.now().getTime() + 8 * 86_400_000)
  const lock = (tx: Transaction, webhookId: string) =>
    sql`select from delivery_lanes where webhook_id = ${webhookId} for no key update`.execute(tx)
  let expiry: Promise<void> | undefined
  await service.asWorker(async (tx) => {
    await lock(tx, first)
    expiry = expireDrafts(service.workerDb, at)
    await waitFor(isSomeoneWaiting, 'the expiry to wait')
    await lock(tx, second)
  })
  await expiry
  for (const webhookId of [first, second]) assert.ok((await laneOf(webhookId))?.due_at)
})

/** A lane held by a worker with this name, which has no connection. */
async function heldLane(holderId: string) {
  const { account, webhookId } = await subscribe()
  await service.asOwner("insert into delivery_workers values ($1, pgboss.job_now() + interval '1 h')", [holderId])
  await service.asWorker((tx) => recordEvent(tx, eventOf(account.id)))
  await take(holderId)
  assert.deepEqual(await laneOf(webhookId), { due_at: null, holder: holderId })
  return webhookId
}
const untilFreed = async (webhookId: string) => {
  await waitFor(async () => (await laneOf(webhookId))?.holder === null, 'the lane to be freed')
  assert.ok((await laneOf(webhookId))?.due_at)
}

test('the lanes of a dead worker are released immediately, and due', async () => {
  const webhookId = await heldLane(randomUUID())
  await using _alive = await holder()
  // According to its lease it would be alive for another hour.
  await untilFreed(webhookId)
})

test('a worker that keeps its connection but sends no heartbeat is considered dead after its lease', async () => {
  const silent = randomUUID()
  await using connection = connect(service.database.urls.worker, { poolMax: 1, applicationName: 'test silent worker' })
  await connection.pool.query('select pg_advisory_lock(5501, hashtext($1))', [silent])
  const webhookId = await heldLane(silent)
  await using _alive = await holder()
  await releaseLanesOfDeadWorkers(service.workerDb, service.clock.now())
  assert.equal((await laneOf(webhookId))?.holder, silent)
  await service.asOwner("update delivery_workers set alive_until = pgboss.job_now() - interval '1 s' where id = $1", [
    silent,
  ])
  await untilFreed(webhookId)
})

test('a worker that was declared dead notices, releases everything and continues under another name', async () => {
  const { workerDb: db, clock } = service
  let losses = 0
  const onLost = () => {
    losses += 1
  }
  const logger = { warn: () => {} } as never
  await using worker = await startWorkerLease({ db, clock, logger, onChanged: () => {}, onLost })
  const before = worker.id()
  await service.asOwner('delete from delivery_workers where id = $1', [before])
  await waitFor(async () => worker.mayBegin() && worker.id() !== before, 'a new name')
  assert.equal(losses, 1)
  assert.equal((await service.asOwner('select from delivery_workers where id = $1', [worker.id()])).length, 1)
})

test('a worker that was declared dead takes no lane until it is registered again', async () => {
  const { account, webhookId } = await subscribe()
  await service.asWorker((tx) => recordEvent(tx, eventOf(account.id)))
  assert.deepEqual(await take(randomUUID()), [])
  assert.equal((await laneOf(webhookId))?.holder, null)
})
