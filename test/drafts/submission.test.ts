import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { draftMoves, draftStates } from '../../src/drafts/draft-states.ts'
import { submitDraft } from '../../src/drafts/submit-draft.ts'
import { enqueueDueDrafts } from '../../src/drafts/sweep-drafts.ts'
import { countPending } from '../../src/jobs/backlog.ts'
import { connect, violatedConstraint } from '../../src/platform/database/database.ts'
import { openOwner } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { seedKey } from '../support/accounts/create-key.ts'
import {
  type Author,
  balanceOf,
  createAuthor,
  decide,
  draftEvents,
  submitDraftOf,
} from '../support/drafts/draft-fixture.ts'
import { submittingParts } from '../support/drafts/submitting.ts'
import { verifyTestLedger } from '../support/money/verify-ledger.ts'

const hour = 3_600_000
const price = 20_000
const openingMicros = 1_000_000

/** No worker runs here: each test is the worker. */
let service: Service
before(async () => {
  service = await startService()
})
after(() => service[Symbol.asyncDispose]())

const submit = (id: string) => submitDraft(submittingParts(service), id)
const inHours = (hours: number) => new Date(service.clock.now().getTime() + hours * hour)
const read = async (author: Author, id: string) => (await author.client.getDraft(id)).body
const chargesOf = ({ id }: Author) =>
  service.asOwner<{ subject: string; amount_micros: number; key_id: string }>(
    "select subject, amount_micros::int, key_id from ledger_transfers where account_id = $1 and reason = 'post'",
    [id],
  )

async function approved(author: Author): Promise<string> {
  const { id } = await submitDraftOf(author.waiting)
  await decide(service, author.id, 'approve', [id])
  return id
}

test('many workers that submit one draft make one post, one charge and one event', async () => {
  const author = await createAuthor(service, openingMicros)
  const id = await approved(author)
  await Promise.all(Array.from({ length: 6 }, () => submit(id)))
  await submit(id)
  const { state, post_id } = await read(author, id)
  assert.equal(state, 'submitted')
  assert.deepEqual(await chargesOf(author), [{ subject: post_id, amount_micros: price, key_id: author.approvedKey.id }])
  assert.equal((await draftEvents(author)).length, 1)
  const jobs = await service.asOwner(
    `select from pgboss.job_common where data->>'post_id' = $1 and name in ('screen-post', 'moderate-post')`,
    [post_id],
  )
  assert.equal(jobs.length, 1)
})

test('two approvals at once, and a repeated form, decide each draft once', async () => {
  const author = await createAuthor(service, openingMicros)
  const ids = await Promise.all(Array.from({ length: 5 }, async () => (await submitDraftOf(author.waiting)).id))
  const answers = await Promise.all([
    decide(service, author.id, 'approve', ids),
    decide(service, author.id, 'approve', ids.toReversed()),
    decide(service, author.id, 'approve', [...ids, ...ids]),
  ])
  assert.equal(
    answers.reduce((sum, { decided }) => sum + decided, 0),
    5,
  )
  assert.equal(
    answers.reduce((sum, { unchanged }) => sum + unchanged, 0),
    10,
  )
  const audited = await service.asOwner(
    "select from audit_log where account_id = $1 and action = 'owner.approve_draft'",
    [author.id],
  )
  assert.equal(audited.length, 5)
})

test('an approval, a decline and a cancellation at once leave one winner, and money follows it', async () => {
  for (let round = 0; round < 10; round++) {
    const author = await createAuthor(service, openingMicros)
    const { id } = await submitDraftOf(author.waiting)
    await Promise.all([
      decide(service, author.id, 'approve', [id]),
      decide(service, author.id, 'decline', [id]),
      author.waiting.cancelDraft(id).catch(() => {}),
      submit(id),
    ])
    await submit(id)
    const { state, content, post_id } = await read(author, id)
    assert.ok(['submitted', 'declined', 'cancelled'].includes(state), state)
    assert.equal(content, null)
    assert.equal(await balanceOf(author), openingMicros - (post_id ? price : 0))
    assert.equal((await chargesOf(author)).length, post_id ? 1 : 0)
  }
})

test('a worker that is killed within the transaction leaves the draft as it was, and the next one submits it once', async () => {
  const author = await createAuthor(service, openingMicros)
  const id = await approved(author)
  const program = fileURLToPath(new URL('../support/drafts/draft-worker.ts', import.meta.url))
  const env = { PATH: process.env['PATH'], WORKER_DATABASE_URL: service.database.urls.worker, DRAFT_ID: id }
  // The worker must stop just before its commit: the event's counter is the last row that it locks.
  await using blocked = await lockEventCounter(author.id)
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const gone = once(child, 'close')
  await waitFor(() => blocked.isWaitedFor(), 'the worker to reach its last statement')
  child.kill('SIGKILL')
  await gone
  await blocked.release()
  await waitFor(() => blocked.isGone(), 'the server to end the transaction')
  assert.deepEqual([(await read(author, id)).state, await balanceOf(author)], ['scheduled', openingMicros])
  assert.deepEqual(await chargesOf(author), [])
  await submit(id)
  assert.equal((await read(author, id)).state, 'submitted')
  assert.equal((await chargesOf(author)).length, 1)
})

/** Another transaction holds the row that numbers the account's events. */
async function lockEventCounter(accountId: string) {
  const admin = connect(service.database.adminUrl, { poolMax: 2, applicationName: 'test admin' })
  const client = await admin.pool.connect()
  await client.query('insert into event_positions (account_id, last) values ($1, 0) on conflict do nothing', [
    accountId,
  ])
  // On a busy machine the worker arrives later than an ordinary session may be idle.
  await client.query('set idle_in_transaction_session_timeout = 0')
  await client.query('begin')
  await client.query('select from event_positions where account_id = $1 for update', [accountId])
  let isHeld = true
  const release = async () => {
    if (isHeld) client.release(true)
    isHeld = false
  }
  const workers = "pg_stat_activity where application_name = 'draft worker' and datname = current_database()"
  return {
    release,
    isWaitedFor: async () =>
      (await admin.pool.query(`select from ${workers} and wait_event_type = 'Lock'`)).rows.length > 0,
    isGone: async () => (await admin.pool.query(`select from ${workers}`)).rows.length === 0,
    [Symbol.asyncDispose]: async () => {
      await release()
      await admin[Symbol.asyncDispose]()
    },
  }
}

test('an approved draft whose job was lost is found again', async () => {
  const author = await createAuthor(service, openingMicros)
  const id = await approved(author)
  const jobs = () => countPending(service.workerDb, ['submit-draft'])
  await service.asOwner("delete from pgboss.job_common where name = 'submit-draft'")
  await enqueueDueDrafts(service.workerDb, service.clock.now())
  const [job] = await service.asOwner<{ id: string }>(
    "select data->>'draft_id' as id from pgboss.job_common where name = 'submit-draft' and data->>'draft_id' = $1",
    [id],
  )
  assert.equal(job?.id, id)
  const before = await jobs()
  await enqueueDueDrafts(service.workerDb, service.clock.now())
  assert.equal(await jobs(), before, 'one job is enough')
})

test('a scheduled draft of a revoked key fails, unless the owner approved it', async () => {
  const author = await createAuthor(service, openingMicros)
  const key = await seedKey(service, { accountId: author.id, slot: 3 })
  const scheduled = await submitDraftOf(service.client(key.apiKey), { publishAt: inHours(1) })
  const isApproved = await submitDraftOf(author.waiting, { publishAt: inHours(1) })
  await decide(service, author.id, 'approve', [isApproved.id])
  await service.asOwner('update api_keys set revoked_at = $2 where account_id = $1 and slot > 1', [
    author.id,
    service.clock.now(),
  ])
  service.clock.setOffset(2 * hour)
  for (const { id } of [scheduled, isApproved]) await submit(id)
  service.clock.setOffset(0)
  const failed = await read(author, scheduled.id)
  assert.deepEqual([failed.state, failed.problem?.code], ['failed', 'invalid_api_key'])
  assert.equal((await read(author, isApproved.id)).state, 'submitted')
  assert.equal(await balanceOf(author), openingMicros - price)
})

test('a scheduled draft fails if its key may meanwhile only publish with approval', async () => {
  const author = await createAuthor(service, openingMicros)
  const key = await seedKey(service, { accountId: author.id, slot: 3, scopes: ['publish'] })
  const { id } = await submitDraftOf(service.client(key.apiKey), { publishAt: inHours(1) })
  await service.asOwner("update api_keys set scopes = '{publish_with_approval}' where id = $1", [key.id])
  service.clock.setOffset(2 * hour)
  await submit(id)
  service.clock.setOffset(0)
  assert.equal((await read(author, id)).problem?.code, 'insufficient_scope')
})

test('the cap of the key, a ban and a text that was published meanwhile are reasons to fail', async () => {
  const capped = await createAuthor(service, openingMicros)
  await service.asOwner('update api_keys set daily_cap_micros = 1 where id = $1', [capped.approvedKey.id])
  const banned = await createAuthor(service, openingMicros)
  const repeated = await createAuthor(service, openingMicros)
  const text =
    'The library in the old town hall opens again on Monday, with longer hours in the evening and a new reading room.'
  const cases = [
    [capped, await approved(capped), 'key_cap_reached'],
    [banned, await approved(banned), 'account_banned'],
    [repeated, (await submitDraftOf(repeated.waiting, { text })).id, 'prefilter_refused'],
  ] as const
  await service.asOwner("update accounts set standing = 'banned' where id = $1", [banned.id])
  await repeated.client.submitPost({ text })
  await decide(service, repeated.id, 'approve', [cases[2][1]])
  for (const [author, id, code] of cases) {
    const before = await balanceOf(author)
    await submit(id)
    await submit(id)
    const { state, problem } = await read(author, id)
    assert.deepEqual([state, problem?.code], ['failed', code])
    assert.ok(problem && problem.detail.length > 10)
    assert.equal(await balanceOf(author), before)
    assert.equal((await draftEvents(author)).length, 1)
  }
})

test('closing the account deletes its drafts, also while one is being submitted', async () => {
  const author = await createAuthor(service, openingMicros)
  const ids = await Promise.all(Array.from({ length: 4 }, () => approved(author)))
  const owner = await openOwner(service, author.id)
  const closing = owner.post('/account/deletion', { word: 'DELETE' })
  // Closing wins or loses against each of them. A worker's job is tried again.
  await Promise.allSettled(ids.map(submit))
  assert.equal((await closing).status, 303)
  for (const id of ids) await submit(id)
  assert.deepEqual(await service.asOwner('select id from drafts where account_id = $1', [author.id]), [])
  assert.deepEqual((await verifyTestLedger(service.database)).differences, [])
})

test('each end of a draft is an event for webhooks too, whoever ends it', async () => {
  const author = await createAuthor(service, price)
  const events = ['draft.declined', 'draft.submitted', 'draft.failed'] as const
  await author.client.createWebhook({ url: 'https://agent.example/hooks/drafts', events: [...events] })
  const [declined, submitted, failed] = [
    (await submitDraftOf(author.waiting)).id,
    await approved(author),
    await approved(author),
  ]
  await decide(service, author.id, 'decline', [declined])
  await submit(submitted)
  await submit(failed)
  const rows = await service.asOwner<{ type: string; id: string }>(
    `select deliveries.type, events.data->>'id' as id from deliveries join events on events.id = event_id
     where account_id = $1 order by position`,
    [author.id],
  )
  assert.deepEqual(
    rows.map(({ type, id }) => [type, id]),
    [
      ['draft.declined', declined],
      ['draft.submitted', submitted],
      ['draft.failed', failed],
    ],
  )
})

test('the database refuses every move of a draft that is not in the table', async () => {
  const author = await createAuthor(service)
  const isOpen = (state: string) => state === 'awaiting_approval' || state === 'scheduled'
  for (const from of draftStates)
    for (const to of draftStates) {
      const { id } = await submitDraftOf(author.waiting)
      const move = (state: string) =>
        service.asOwner(
          `update drafts set state = $2::draft_state, decided_at = case when $3 then null else created_at end,
             content = case when $2 in ('awaiting_approval', 'scheduled', 'failed') then '{"text": "x"}'::jsonb end,
             approved_at = created_at, post_id = case when $2 = 'submitted' then 'post_0' || repeat('2', 25) end,
             problem = case when $2 = 'failed' then '{}'::jsonb end where id = $1`,
          [id, state, isOpen(state)],
        )
      const isFinal = !isOpen(from)
      if (from === 'scheduled' || from === 'submitted' || from === 'failed') await move('scheduled')
      if (isFinal) await move(from)
      const outcome = await move(to).then(() => 'moved', violatedConstraint)
      assert.equal(outcome, from === to || draftMoves[from].includes(to) ? 'moved' : 'draft_moves', `${from} → ${to}`)
      await service.asOwner('delete from drafts where id = $1', [id])
    }
})
