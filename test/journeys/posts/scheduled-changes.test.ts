import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lapseDeletions } from '../../../src/accounts/deletion/request-deletion.ts'
import { sitesFromSettings } from '../../../src/bin/sites.ts'
import { deleteExpiredAnswers } from '../../../src/calls/idempotency.ts'
import { enqueue } from '../../../src/jobs/enqueue.ts'
import type { JobName } from '../../../src/jobs/jobs.ts'
import { type Kind, kinds } from '../../../src/kinds/index.ts'
import { requeueStrandedPosts } from '../../../src/moderation/pipeline/requeue-stranded-posts.ts'
import { createLogger } from '../../../src/platform/observability/logger.ts'
import { deleteExpiredSignatures } from '../../../src/posts/duplicates/stored-signatures.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { seedPost } from '../../support/posts/create-post.ts'

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

const hour = 3_600_000
const count = async (sql: string) => (await service.asOwner<{ count: number }>(sql))[0]?.count
/** Runs a scheduled job as its schedule would. */
const runNow = async (name: Exclude<JobName, 'moderate-post'>) => {
  await service.asWorker((tx) => enqueue(tx, name, {}))
  await service.settle()
}

test('stored responses are deleted after 24 hours, and not before', async () => {
  const { client } = await service.createCustomer()
  await client.submitPost({ text: 'A note for the first day.' })
  await service.settle()
  await deleteExpiredAnswers(service.workerDb, new Date(service.clock.now().getTime() + 24 * hour - 1_200_000))
  assert.equal(await count('select count(*) from idempotent_answers'), 1)
  service.clock.setOffset(24 * hour + 1)
  await runNow('purge-expired')
  service.clock.setOffset(0)
  assert.equal(await count('select count(*) from idempotent_answers'), 0)
})

test('signatures are deleted after a week', async () => {
  const { client } = await service.createCustomer()
  await client.submitPost({ text: 'A note that is compared for a week.' })
  await service.settle()
  await deleteExpiredSignatures(service.workerDb, new Date(service.clock.now().getTime() + 6 * 24 * hour))
  assert.ok(Number(await count('select count(*) from post_signatures')) > 0)
  service.clock.setOffset(7 * 24 * hour + 1)
  await runNow('purge-expired')
  service.clock.setOffset(0)
  assert.equal(await count('select count(*) from post_signatures'), 0)
})

test('a deletion request expires after seven days', async () => {
  const account = await service.createAccount()
  await account.client.requestAccountDeletion()
  await lapseDeletions(service.workerDb, new Date(service.clock.now().getTime() + 7 * 24 * hour - 1_200_000))
  assert.ok((await account.client.getAccount()).body.deletion)
  service.clock.setOffset(7 * 24 * hour)
  await runNow('lapse-deletions')
  service.clock.setOffset(0)
  const [row] = await service.asOwner<{ at: Date | null }>(
    'select deletion_requested_at as at from accounts where id = $1',
    [account.id],
  )
  assert.equal(row?.at, null)
})

test('the job alone removes an expired ad from the list', async () => {
  const account = await service.createAccount()
  const classified = kinds.find(({ name }) => name === 'classified') as Kind
  const id = await seedPost(service, classified, { accountId: account.id, status: 'published' })
  await service.asOwner("update posts set visible_until = published_at + interval '30 days' where id = $1", [id])
  service.clock.setOffset(30 * 24 * hour + 1)
  await runNow('expire-posts')
  service.clock.setOffset(0)
  assert.equal(await count(`select count(*) from posts where id = '${id}' and listed`), 0)
})

test('Invariant 5: a queued post whose job was lost gets a new one', async () => {
  const account = await service.createCustomer()
  const id = await seedPost(service, kinds[0] as Kind, { accountId: account.id, status: 'queued' })
  service.clock.setOffset(2 * 60_000)
  await runNow('requeue-stranded-posts')
  service.clock.setOffset(0)
  assert.equal((await account.client.getPost(id)).body.kind, 'message')
  assert.equal(await count(`select count(*) from posts where id = '${id}' and status = 'published'`), 1)
  assert.equal(await count(`select count(*) from moderation_decisions where post_id = '${id}'`), 1)
})

test('a post with a job does not get a second one', async () => {
  await using idle = await startService()
  const { client } = await idle.createCustomer()
  await client.submitPost({ text: 'Waiting for a worker that is not there.' })
  const sites = new Map()
  await requeueStrandedPosts({
    ...{ db: idle.workerDb, sites, logger: createLogger('silent', 'test') },
    at: new Date(idle.clock.now().getTime() + 2 * 60_000),
  })
  const [row] = await idle.asOwner<{ count: number }>("select count(*) from pgboss.job where name = 'screen-post'")
  assert.equal(row?.count, 1)
})

test('a post that no model judged within six hours goes to review', async () => {
  const account = await service.createCustomer()
  const id = await seedPost(service, kinds[0] as Kind, { accountId: account.id, status: 'queued' })
  service.clock.setOffset(6 * hour + 1)
  await runNow('requeue-stranded-posts')
  service.clock.setOffset(0)
  const { body } = await account.client.getPost(id)
  assert.ok('status' in body)
  assert.equal(body.status, 'review')
  const { data } = (await account.client.listEvents()).body
  assert.deepEqual(
    data.map(({ type }) => type),
    ['post.review'],
  )
})

test('a post that cannot be sent to a person does not keep the others from it', async () => {
  await using idle = await startService()
  const account = await idle.createCustomer()
  const seed = () => seedPost(idle, kinds[0] as Kind, { accountId: account.id, status: 'queued' })
  const [bad, good] = [await seed(), await seed()]
  await idle.asOwner(
    `create function refuse_one() returns trigger language plpgsql as $$ begin
       if new.post_id = '${bad}' then raise exception 'refused'; end if;
       return new;
     end $$`,
  )
  await idle.asOwner(
    'create trigger refuse_one before insert on moderation_decisions for each row execute function refuse_one()',
  )
  const at = new Date(idle.clock.now().getTime() + 6 * hour + 1)
  const sweep = {
    db: idle.workerDb,
    sites: sitesFromSettings(idle.baseUrls),
    at,
    logger: createLogger('silent', 'test'),
  }
  await assert.rejects(requeueStrandedPosts(sweep), /1 stranded posts could not be handled/)
  await idle.asOwner('drop function refuse_one cascade')
  const statuses = await idle.asOwner<{ status: string }>(
    'select status from posts where id = any ($1) order by id = $2',
    [[bad, good], good],
  )
  assert.deepEqual(
    statuses.map(({ status }) => status),
    ['queued', 'review'],
  )
})
