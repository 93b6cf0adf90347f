import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { applyDue } from '../../src/cases/apply-decisions.ts'
import { claimCase, claimNext } from '../../src/cases/claim.ts'
import { decideCase } from '../../src/cases/decide.ts'
import { findCase, listCases } from '../../src/cases/queue.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import { openStaff } from '../../tooling/clients/staff.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { seedCases } from '../../tooling/fixtures/desk-cases.ts'
import { openReportFixture } from '../support/desk/report-fixture.ts'
import { seedAppealOfEdit } from '../support/posts/create-post.ts'

// No worker runs here: the test runs each round itself.

let service: Service
let staffId: string
let reports: ReturnType<typeof openReportFixture>
before(async () => {
  service = await startService()
  staffId = (await openStaff(service)).id
  reports = openReportFixture(service, (await service.createCustomer()).id)
})
after(() => service?.[Symbol.asyncDispose]())

const postOf = (key: string) => String(key.split(':')[1])
const later = (seconds: number) => new Date(service.clock.now().getTime() + seconds * 1_000)

async function decide(key: string, verdict: string, { by = staffId, category = null as string | null } = {}) {
  const at = service.clock.now()
  const seen = (await findCase(service.deskDb, { key, staffId: by, at }))?.version ?? ''
  return (await decideCase(service.deskDb, { key, staffId: by, verdict, category, seen, at })).outcome
}

const apply = () =>
  applyDue(
    {
      db: service.workerDb,
      clock: { now: () => later(11) },
      sites: sitesFromSettings(service.baseUrls),
      logger: createLogger('silent', 'test'),
    },
    new Set(),
  )
const effectOf = async (key: string) =>
  (await service.asOwner<{ effect: string }>('select effect from desk_decisions where case_key = $1', [key]))[0]?.effect

test('a report that arrives after the decision is not closed by it: it becomes the next case', async () => {
  const post = await reports.seed()
  await reports.accepted({ post_id: post })
  assert.equal(await decide(`report:${post}:1`, 'keep'), 'decided')
  await reports.accepted({ post_id: post, category: 'sexual_minors' })
  await apply()
  assert.deepEqual(await reports.casesOf(post), [
    { number: 1, outcome: 'dismissed', reports: 1 },
    { number: 2, outcome: null, reports: 1 },
  ])
  const [first] = await listCases(service.deskDb, { staffId, at: later(0), limit: 1 })
  assert.equal(first?.key, `report:${post}:2`)
})

test('a reviewer who has not seen the latest report cannot decide', async () => {
  const post = await reports.seed()
  await reports.accepted({ post_id: post })
  const [key, at] = [`report:${post}:1`, service.clock.now()]
  const seen = String((await findCase(service.deskDb, { key, staffId, at }))?.version)
  await reports.accepted({ post_id: post, category: 'violence_threats' })
  const answer = { key, staffId, verdict: 'keep', category: null, at }
  assert.equal((await decideCase(service.deskDb, { ...answer, seen })).outcome, 'changed')
  assert.equal(await decide(key, 'keep'), 'decided')
})

test('repeated reports do not keep a post up: only a changed text delays its removal', async () => {
  const post = await reports.seed()
  await reports.accepted({ post_id: post })
  const [key, at] = [`report:${post}:1`, service.clock.now()]
  const seen = String((await findCase(service.deskDb, { key, staffId, at }))?.version)
  await reports.accepted({ post_id: post, category: 'spam' })
  const answer = { key, staffId, verdict: 'remove', category: 'scam_fraud', seen, at }
  await service.asOwner('update posts set edited_at = $2 where id = $1', [post, at])
  assert.equal((await decideCase(service.deskDb, answer)).outcome, 'changed')
  await service.asOwner('update posts set edited_at = null where id = $1', [post])
  assert.equal((await decideCase(service.deskDb, answer)).outcome, 'decided')
})

test('a text that was changed after the decision is not removed for its old content', async () => {
  const post = await reports.seed()
  await reports.accepted({ post_id: post })
  const key = `report:${post}:1`
  assert.equal(await decide(key, 'remove', { category: 'spam' }), 'decided')
  await service.asOwner('update posts set edited_at = $2 where id = $1', [post, later(1)])
  await apply()
  assert.equal(await effectOf(key), 'nothing_to_do')
  assert.deepEqual(await reports.casesOf(post), [
    { number: 1, outcome: 'withdrawn', reports: 0 },
    { number: 2, outcome: null, reports: 1 },
  ])
})

test('urgent cases come before late checks, and late checks before the rest', async () => {
  const [check = '', review = '', urgent = ''] = [
    ...(await seedCases(service, { checks: 1 })),
    ...(await seedCases(service, { reviews: 2 })),
  ]
  const name = (key: string, category: string) =>
    service.asOwner('update moderation_decisions set category = $2, scores = $3 where post_id = $1', [
      postOf(key),
      category,
      {},
    ])
  await name(review, 'scam_fraud')
  await name(urgent, 'self_harm')
  const [made] = await service.asOwner<{ post_id: string }>('select post_id from moderation_decisions where id = $1', [
    check.split(':')[1],
  ])
  await name(`check:${made?.post_id}`, 'spam')
  const order = async (at: Date) =>
    (await listCases(service.deskDb, { staffId, at, limit: 100 }))
      .map(({ key }) => key)
      .filter((key) => [check, review, urgent].includes(key))
  assert.deepEqual(await order(later(0)), [urgent, review, check])
  assert.deepEqual(await order(later(3 * 86_400)), [urgent, check, review])
})

test('an appeal of a purely automated decision keeps its due time', async () => {
  const [check = ''] = await seedCases(service, { checks: 1 })
  const before = await findCase(service.deskDb, { key: check, staffId, at: later(0) })
  assert.ok(before?.due_at)
  await service.asOwner("insert into appeals (post_id, account_id, message, submitted_at) values ($1, $2, 'No.', $3)", [
    before.post_id,
    before.account_id,
    service.clock.now(),
  ])
  assert.equal(await findCase(service.deskDb, { key: check, staffId, at: later(0) }), null)
  const appeal = await findCase(service.deskDb, { key: `appeal:${before.post_id}:0`, staffId, at: later(0) })
  assert.deepEqual(appeal?.due_at, before.due_at)
})

/** Two cases of one post. */
async function seedTwoCases(): Promise<{ report: string; appeal: string }> {
  const post = await reports.seed()
  await reports.accepted({ post_id: post })
  return { report: `report:${post}:1`, appeal: await seedAppealOfEdit(service, post) }
}

test('a reviewer who decides two cases of a post at the same moment does not also decide its appeal', async () => {
  for (let round = 0; round < 4; round++) {
    const { report, appeal } = await seedTwoCases()
    const outcomes = await Promise.all([decide(report, 'keep'), decide(appeal, 'dismiss')])
    const decided = await service.asOwner<{ case_key: string; decided_at: Date }>(
      'select case_key from desk_decisions where case_key = any ($1)',
      [[report, appeal]],
    )
    // The appeal may have been decided first, but not after the other case.
    assert.ok(outcomes[0] === 'decided', outcomes.join())
    assert.ok(['decided', 'barred'].includes(outcomes[1]), outcomes.join())
    assert.equal(decided.length, outcomes.filter((outcome) => outcome === 'decided').length)
  }
})

test('an appeal is never offered to or decided by a reviewer who decided about the post, even if they hold it', async () => {
  const { report, appeal } = await seedTwoCases()
  const at = service.clock.now()
  const bo = (await openStaff(service)).id
  assert.equal(await claimCase(service.deskDb, { key: appeal, staffId: bo, at }), 'claimed')
  assert.equal(await decide(report, 'keep', { by: bo }), 'decided')
  assert.notEqual(await claimNext(service.deskDb, { staffId: bo, at }), appeal)
  assert.equal(await decide(appeal, 'dismiss', { by: bo }), 'barred')
  assert.equal(await claimCase(service.deskDb, { key: appeal, staffId: bo, at }), 'barred')
  assert.equal(await decide(appeal, 'dismiss'), 'decided')
})

test('an account that is closed while a decision is applied gets no refund', async () => {
  const [key = ''] = await seedCases(service, { appeals: 1 })
  assert.equal(await decide(key, 'uphold'), 'decided')
  const [{ account_id } = { account_id: '' }] = await service.asOwner<{ account_id: string }>(
    'select account_id from posts where id = $1',
    [postOf(key)],
  )
  await service.asOwner('select close_account($1, $2)', [account_id, service.clock.now()])
  await apply()
  assert.equal(await effectOf(key), 'nothing_to_do')
  const returned = await service.asOwner(
    "select from ledger_transfers where account_id = $1 and reason = 'penalty_return'",
    [account_id],
  )
  assert.deepEqual(returned, [])
})
