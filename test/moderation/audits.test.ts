import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { applyDue } from '../../src/cases/apply-decisions.ts'
import { findCase, listCases } from '../../src/cases/queue.ts'
import { countAudits } from '../../src/cases/statistics/count-judgements.ts'
import { applyDecision } from '../../src/moderation/decisions/apply-decision.ts'
import { moderatePost } from '../../src/moderation/pipeline/moderate-post.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import type { PolicyCategoryId } from '../../src/policy/policy.ts'
import { openStaff, type Staff } from '../../tooling/clients/staff.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { startFlatModel } from '../../tooling/models/stub-models.ts'
import { read, refused, sentTo } from '../support/desk/read-pages.ts'
import { nonZero, openTransparencyFixture } from '../support/moderation/transparency-fixture.ts'

// No worker runs here: the test runs each round itself.

let service: Service
let here: Awaited<ReturnType<typeof openTransparencyFixture>>
let ada: Staff
before(async () => {
  service = await startService()
  here = await openTransparencyFixture(service)
  here.setClock('2026-11-20T10:00:00Z')
  ada = await openStaff(service, { role: 'lead' })
})
after(() => service?.[Symbol.asyncDispose]())

const minuteMs = 60_000
let minutes = 0
/** Each is a minute later than the previous one. */
const nextMinute = () => new Date(Date.parse('2026-11-20T08:00:00Z') + minutes++ * minuteMs)

type Judged = { outcome: 'publish' | 'low_quality' | 'abuse'; category?: PolicyCategoryId; share?: number | null }

/** A post that the model decided alone, drawn for an audit or not; returns its id and the decision's number. */
async function judge({ outcome, category, share = 0.02 }: Judged) {
  const at = nextMinute()
  const postId = await here.post(at.toISOString())
  const by = { automated: true, actor: 'model:test', model: 'test', modelVersion: '1' }
  const decision = { postId, edit: 0, outcome, category: category ?? null, by, from: ['queued' as const] }
  await service.asWorker((tx, sites) => applyDecision(tx, sites, { ...decision, sampled: share, at }))
  const [made] = await service.asOwner<{ id: string }>(
    'select id::text from moderation_decisions where post_id = $1 and automated',
    [postId],
  )
  return { postId, key: `audit:${made?.id}` }
}

/** Claims and answers the case through the pages. */
async function answer(key: string, verdict: string, category = '') {
  await sentTo(ada, `/cases/${key}/claim`)
  await sentTo(ada, `/cases/${key}/decide`, { verdict, seen: '', ...(category && { category }) })
  await service.asOwner('delete from desk_claims')
}

async function apply() {
  const at = new Date(service.clock.now().getTime() + 11_000)
  const [sites, logger] = [sitesFromSettings(service.baseUrls), createLogger('silent', 'test')]
  const { failed } = await applyDue({ db: service.workerDb, clock: { now: () => at }, sites, logger }, new Set())
  assert.deepEqual(failed, [])
}

const find = (key: string) => findCase(service.deskDb, { key, staffId: ada.id, at: service.clock.now() })
const statusOf = async (id: string) =>
  (await service.asOwner<{ status: string }>('select status from posts where id = $1', [id]))[0]?.status

test('a random audit is stored with the decision, and becomes a case after all others', async () => {
  const published = await judge({ outcome: 'publish', share: 0.2 })
  const poor = await judge({ outcome: 'low_quality', category: 'low_quality', share: 0.1 })
  const notDrawn = await judge({ outcome: 'publish', share: null })
  const reviewed = await here.post(nextMinute().toISOString())
  await service.asOwner("update posts set status = 'review' where id = $1", [reviewed])
  const rows = await service.asOwner('select post_id, edit, outcome, share::float8 as share from audit_samples')
  assert.deepEqual(rows, [
    { post_id: published.postId, edit: 0, outcome: 'publish', share: 0.2 },
    { post_id: poor.postId, edit: 0, outcome: 'low_quality', share: 0.1 },
  ])
  const queue = await listCases(service.deskDb, { staffId: ada.id, at: service.clock.now(), limit: 10 })
  assert.deepEqual(
    queue.map(({ key, audited }) => [key, audited]),
    [
      [`review:${reviewed}:0`, null],
      [published.key, 'published'],
      [poor.key, 'rejected'],
    ],
  )
  assert.equal(await find(notDrawn.key), null)
  await service.asOwner("update posts set status = 'rejected' where id = $1", [reviewed])
})

test('an auditor sees the model’s decision, and gets the answers that fit it', async () => {
  const published = await judge({ outcome: 'publish' })
  const poor = await judge({ outcome: 'low_quality', category: 'low_quality' })
  for (const { key } of [published, poor]) await sentTo(ada, `/cases/${key}/claim`)
  assert.match(
    await read(ada, `/cases/${published.key}`),
    /Sampled at random: the model published it.*Keep k Remove … x/,
  )
  assert.match(
    await read(ada, `/cases/${poor.key}`),
    /the model rejected it for Below the quality bar.*Confirm c Overturn o/,
  )
  await refused(ada, `/cases/${published.key}/decide`, 422, { verdict: 'confirm' })
  await refused(ada, `/cases/${poor.key}/decide`, 422, { verdict: 'keep' })
  await service.asOwner('delete from desk_claims')
  await read(ada, '/cases/audit:999999', 404)
})

test('a publication is kept or removed, a rejection confirmed or reversed, as in any other case', async () => {
  const [kept, removed] = [await judge({ outcome: 'publish' }), await judge({ outcome: 'publish' })]
  const quality = { outcome: 'low_quality', category: 'low_quality' } as const
  const [confirmed, wrong] = [await judge(quality), await judge(quality)]
  await answer(kept.key, 'keep')
  await answer(removed.key, 'remove', 'scam_fraud')
  await answer(confirmed.key, 'confirm')
  await answer(wrong.key, 'overturn')
  await apply()
  const effects = await service.asOwner<{ effect: string }>(
    "select effect from desk_decisions where case_kind = 'audit'",
  )
  assert.deepEqual(
    effects.map(({ effect }) => effect),
    Array(4).fill('done'),
  )
  assert.deepEqual([await statusOf(kept.postId), await statusOf(removed.postId)], ['published', 'removed'])
  const decided = await service.asOwner<{ outcome: string; category: string | null }>(
    `select outcome, category from moderation_decisions where actor = 'staff:' || $1 order by id`,
    [ada.id],
  )
  assert.deepEqual(decided, [
    { outcome: 'remove', category: 'scam_fraud' },
    { outcome: 'restore', category: null },
  ])
  const acts = await service.asOwner<{ action: string }>(
    `select action from audit_log where details ->> 'case' = $1 order by id`,
    [wrong.key],
  )
  assert.deepEqual(
    acts.map(({ action }) => action),
    ['case.claim', 'case.decide', 'case.apply'],
  )
})

test('posts that are deleted, edited, penalised, appealed or already reviewed are not audited', async () => {
  const published = await judge({ outcome: 'publish' })
  const change = (statement: string) =>
    service.asOwner(`update posts set ${statement} where id = $1`, [published.postId])
  assert.ok(await find(published.key))
  await change(`edited_at = '2026-11-20T09:59:00Z'`)
  assert.equal(await find(published.key), null, 'its text is another')
  await change('edited_at = null')
  const reported = await judge({ outcome: 'publish' })
  await here.report(reported.postId, '2026-11-20T09:00:00Z', 'spam')
  const { version = '' } = (await find(`report:${reported.postId}:1`)) ?? {}
  await sentTo(ada, `/cases/report:${reported.postId}:1/claim`)
  await sentTo(ada, `/cases/report:${reported.postId}:1/decide`, { verdict: 'keep', seen: version })
  assert.equal(await find(reported.key), null, 'a report was decided')
  const punished = await judge({ outcome: 'abuse', category: 'spam', share: 0.1 })
  assert.equal(await find(punished.key), null)
  assert.equal((await find(punished.key.replace('audit', 'check')))?.kind, 'check')
  const poor = await judge({ outcome: 'low_quality', category: 'low_quality' })
  await here.appeal(poor.postId, '2026-11-20T09:00:00Z')
  assert.equal(await find(poor.key), null)
  await service.asOwner("update posts set status = 'deleted', content = null, listed = false where id = $1", [
    published.postId,
  ])
  assert.equal(await find(published.key), null)
  await read(ada, `/cases/${published.key}`, 409)
  await service.asOwner('delete from desk_claims')
})

test('the model’s accuracy is computed by its decision and the sampling rate, for any auditor', async () => {
  const punished = await judge({ outcome: 'abuse', category: 'spam', share: 0.1 })
  await answer(punished.key.replace('audit', 'check'), 'overturn')
  const late = await judge({ outcome: 'publish', share: 0.02 })
  await here.decide(late.postId, '2026-11-20T09:58:00Z', { outcome: 'remove', category: 'spam', by: 'operator:mara' })
  const span = { from: new Date('2026-11-20'), to: new Date('2026-11-21') }
  const counted = await countAudits(service.deskDb, span)
  assert.deepEqual(counted, [
    // Kept, removed, kept after a report, removed by the operator; one never reviewed, and one deleted.
    { audited: 'published', share: 0.02, drawn: 6, seen: 4, wrong: 2 },
    { audited: 'published', share: 0.2, drawn: 1, seen: 0, wrong: 0 },
    { audited: 'rejected', share: 0.02, drawn: 4, seen: 2, wrong: 1 },
    { audited: 'rejected', share: 0.1, drawn: 3, seen: 1, wrong: 1 },
  ])
  assert.match(
    (await (await ada.get('/numbers')).text()).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' '),
    /published, 2% sampled 4 2 50% 15% to 85% published, 20% sampled 0 0 – –/,
  )
  here.setClock('2026-11-21T00:11:00Z')
  await here.count()
  const [day] = await service.asOwner<{ counts: object }>(
    "select counts from moderation_days where day = '2026-11-20' and kind = 'message'",
  )
  const audits = Object.entries(nonZero(day?.counts as Record<string, unknown>)).filter(([name]) =>
    /^audits_/.test(name),
  )
  assert.deepEqual(Object.fromEntries(audits), {
    ...{ audits_published_right: 2, audits_published_wrong: 2 },
    ...{ audits_rejected_right: 1, audits_rejected_wrong: 2 },
  })
})

test('the worker cannot draw a reviewer’s decision, and nobody can change a drawn sample', async () => {
  const { key } = await judge({ outcome: 'publish', share: null })
  const draw = (outcome: 'publish' | 'abuse') =>
    service.workerDb
      .insertInto('audit_samples')
      .columns(['decision_id', 'post_id', 'edit', 'outcome', 'share', 'sampled_at'])
      .expression((eb) =>
        eb
          .selectFrom('moderation_decisions')
          .select((made) => [
            'id',
            'post_id',
            'edit',
            made.val(outcome).as('outcome'),
            made.val(0.1).as('share'),
            'decided_at',
          ])
          .where('id', '=', Number(key.split(':')[1])),
      )
      .execute()
  await assert.rejects(draw('abuse'), { code: '42501' })
  for (const db of [service.workerDb, service.deskDb]) {
    await assert.rejects(db.updateTable('audit_samples').set({ share: 1 }).execute(), { code: '42501' })
    await assert.rejects(db.deleteFrom('audit_samples').execute(), { code: '42501' })
  }
})

test('the worker draws two of a hundred published posts', async () => {
  await using model = await startFlatModel(0)
  const { workerDb: db, clock, baseUrls } = service
  const shareOf = async (drawn: number) => {
    const parts = {
      db,
      clock,
      sites: sitesFromSettings(baseUrls),
      logger: createLogger('silent', 'test'),
      model: model.stages,
    }
    const postId = await here.post(clock.now().toISOString())
    await moderatePost({ ...parts, observe: () => {}, draw: () => drawn }, { post_id: postId, edit: 0 })
    assert.equal(await statusOf(postId), 'published')
    const rows = await service.asOwner<{ share: number }>(
      'select share::float8 as share from audit_samples where post_id = $1',
      [postId],
    )
    return rows.map(({ share }) => share)
  }
  assert.deepEqual([await shareOf(0.019), await shareOf(0.02)], [[0.02], []])
})
