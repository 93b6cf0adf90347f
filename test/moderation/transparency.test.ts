import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { countAllDecisions, listAllDecisions } from '../../src/cases/export/list-all-decisions.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { readModerationStatistics } from '../../src/moderation/statistics/count-span.ts'
import { connect } from '../../src/platform/database/database.ts'
import { addCounts } from '../../src/policy/moderation-counts.ts'
import { scoreboard } from '../../src/policy/scoreboard.ts'
import { rebuildSite } from '../../src/publishing/rebuild/rebuild-site.ts'
import { siteViews } from '../../src/publishing/views.ts'
import { runOperator } from '../../tooling/environment/processes.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { nonZero, openTransparencyFixture } from '../support/moderation/transparency-fixture.ts'
import { htmlFaults } from '../support/pages/valid-formats.ts'

const [message, story] = kinds as [Kind, Kind]
let service: Service
let fixture: Awaited<ReturnType<typeof openTransparencyFixture>>
before(async () => {
  service = await startService()
  fixture = await openTransparencyFixture(service)
})
after(() => service?.[Symbol.asyncDispose]())

const read = async (kind: string, path: string) => {
  const response = await fetch(`${service.baseUrls[kind]}${path}`)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}
const readJson = async (kind: string) => JSON.parse((await read(kind, '/transparency/index.json')).text)

const staffId = 'staff_01jcmzq8e5f7r9t2v4x6y8z0ab'
const person = `staff:${staffId}`

/** Two days of moderation: five messages and a story on the tenth, and what followed on the eleventh. */
async function seedTwoDays() {
  const { post, decide, report, appeal } = fixture
  const [plain, doubted, refused, late, sneaky] = [
    await post('2026-11-10T00:00:00Z'),
    await post('2026-11-10T08:00:00Z'),
    await post('2026-11-10T09:00:00Z'),
    await post('2026-11-10T23:59:59.999Z'),
    await post('2026-11-10T10:00:00Z'),
  ]
  await decide(plain, '2026-11-10T00:00:01Z', { outcome: 'publish' })
  await decide(doubted, '2026-11-10T08:00:01Z', { outcome: 'review', category: 'spam', verdict: 'reject' })
  await decide(doubted, '2026-11-10T10:00:01Z', { outcome: 'publish', by: person })
  await decide(refused, '2026-11-10T09:00:01Z', { outcome: 'abuse', category: 'spam' })
  await appeal(refused, '2026-11-10T12:00:00Z', { outcome: 'upheld', at: '2026-11-11T12:00:00Z' })
  await decide(refused, '2026-11-11T12:00:00Z', { outcome: 'restore', by: person })
  await decide(late, '2026-11-11T00:00:00Z', { outcome: 'review', verdict: 'reject' })
  await decide(late, '2026-11-11T00:30:00Z', { outcome: 'low_quality', category: 'low_quality', by: 'operator:mara' })
  await appeal(late, '2026-11-11T13:00:00Z')
  await decide(sneaky, '2026-11-10T10:00:01Z', { outcome: 'publish' })
  await report(sneaky, '2026-11-10T11:00:00Z', 'scam_fraud')
  await report(sneaky, '2026-11-10T23:59:59Z', 'other', { outcome: 'removed', at: '2026-11-11T09:00:00Z' })
  await decide(sneaky, '2026-11-11T09:00:00Z', { outcome: 'remove', category: 'scam_fraud', by: person })
  await decide(await post('2026-11-10T10:00:00Z', 'story'), '2026-11-10T10:00:01Z', { outcome: 'publish' })
  return { plain }
}

const tenth = {
  posts_submitted: 5,
  posts_published: 3,
  decisions_publish_automated: 2,
  decisions_publish_person: 1,
  decisions_abuse_automated: 1,
  decisions_review_automated: 1,
  rejections_spam_automated: 1,
  reports_scam_fraud: 1,
  reports_other: 1,
  appeals_filed: 1,
  opinions_compared: 1,
  reviews_decided: 1,
  reviews_within_4h: 1,
  reviews_within_24h: 1,
  reviews_within_72h: 1,
}
const eleventh = {
  decisions_low_quality_person: 1,
  decisions_remove_person: 1,
  decisions_restore_person: 1,
  decisions_review_automated: 1,
  rejections_low_quality_person: 1,
  removals_scam_fraud: 1,
  cases_removed: 1,
  appeals_filed: 1,
  appeals_upheld: 1,
  overturned_automated: 1,
  opinions_compared: 1,
  opinions_agreed: 1,
  reviews_decided: 1,
  reviews_within_1h: 1,
  reviews_within_4h: 1,
  reviews_within_24h: 1,
  reviews_within_72h: 1,
}

test('before the end of the first day the page says so, and the JSON has no days', async () => {
  await fixture.count()
  const page = await read('message', '/transparency/')
  assert.equal(page.status, 200)
  assert.match(page.text, /No day has been counted yet/)
  assert.deepEqual(htmlFaults(page.text), [])
  const { days, last_day, audit_log, totals, moderation_figures } = await readJson('message')
  assert.deepEqual(moderation_figures, scoreboard)
  assert.match(page.text, /id="figures"/)
  assert.deepEqual([days, last_day, audit_log, nonZero(totals.all_time)], [[], null, null, {}])
})

test('a day is counted once it is over, separately for each site, in numbers that identify nobody', async () => {
  const seeded = await seedTwoDays()
  fixture.setClock('2026-11-11T00:04:00Z')
  await fixture.count()
  assert.deepEqual((await readJson('message')).days, [], 'what began before midnight may still be about to end')
  fixture.setClock('2026-11-11T00:11:00Z')
  await fixture.count()
  const { days, first_day, last_day, totals } = await readJson('message')
  const hours = { review_hours_median: 2, review_hours_p90: 2 }
  assert.deepEqual(days.map(nonZero), [{ day: '2026-11-10', ...tenth, ...hours }])
  assert.deepEqual([first_day, last_day], ['2026-11-10', '2026-11-10'])
  assert.deepEqual(nonZero(totals.last_30_days), tenth)
  const one = { posts_submitted: 1, posts_published: 1, decisions_publish_automated: 1 }
  assert.deepEqual(nonZero((await readJson('story')).totals.all_time), one)
  assert.deepEqual(nonZero((await readJson('event')).totals.all_time), {})
  for (const { text } of [await read('message', '/transparency/'), await read('message', '/transparency/index.json')])
    for (const name of [seeded.plain, fixture.accountId, person, 'mara', 'words of mine'])
      assert.ok(!text.includes(name), name)
})

test('a counted day does not change after later decisions, and nobody can change it', async () => {
  const before = await service.asOwner('select * from moderation_days order by 1, 2')
  const late = await fixture.post('2026-11-10T20:00:00Z')
  await fixture.decide(late, '2026-11-10T20:00:01Z', { outcome: 'publish' })
  await fixture.count()
  assert.deepEqual(await service.asOwner('select * from moderation_days order by 1, 2'), before)
  await service.asOwner('delete from moderation_decisions where post_id = $1', [late])
  await service.asOwner('delete from posts where id = $1', [late])
  for (const change of [
    service.workerDb.updateTable('moderation_days').set({ counts: '{}' }),
    service.workerDb.deleteFrom('counted_days'),
  ])
    await assert.rejects(change.execute(), { code: '42501' })
})

test('missed days are counted together, with the head of the audit log, and a page shows them in order', async () => {
  await service.asOwner(
    "insert into audit_log (at, actor, action) values ('2026-11-12T00:00:00Z', 'operator:mara', 'account.ban')",
  )
  fixture.setClock('2026-11-13T00:11:00Z')
  await fixture.count()
  const { days, totals, audit_log } = await readJson('message')
  assert.deepEqual(days.map(nonZero), [
    { day: '2026-11-10', ...tenth, review_hours_median: 2, review_hours_p90: 2 },
    { day: '2026-11-11', ...eleventh, review_hours_median: 0.5, review_hours_p90: 0.5 },
    { day: '2026-11-12' },
  ])
  assert.deepEqual(totals.last_90_days, addCounts([tenth, eleventh]))
  assert.deepEqual(Object.keys(days[0]), Object.keys(days[2]), 'every name every day')
  assert.equal(audit_log.entries, 1)
  const { text } = await read('message', '/transparency/')
  assert.deepEqual(htmlFaults(text), [])
  assert.match(text, /<ul class="in-short"><li>In the last 30 days, authors submitted <strong>5<\/strong> messages/)
  const rows = [...text.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/g)].map(([, name, cells]) => [
    name,
    ...[...String(cells).matchAll(/<td>(\d+)<\/td>/g)].map(([, number]) => Number(number)),
  ])
  assert.deepEqual(rows.slice(0, 6), [
    ['Posts submitted', 5, 5, 5],
    ['Posts published', 3, 3, 3],
    ['Rejected or taken down', 3, 3, 3],
    ['Reports received', 2, 2, 2],
    ['Appeals filed', 2, 2, 2],
    ['Decisions reversed', 1, 1, 1],
  ])
  assert.match(text, new RegExp(`<code>1:${audit_log.hash}</code>`))
  assert.doesNotMatch(text, / style=|<style|<script/)
  assert.ok(text.includes('<link rel="alternate" type="application/json" href="/transparency/index.json"'))
})

test('the current counts are the same, for all sites together', async () => {
  const { days, totals } = await readModerationStatistics(service.workerDb, {
    days: 5,
    at: new Date('2026-11-12T15:00:00Z'),
  })
  assert.deepEqual(
    days.map(({ day }) => day),
    ['2026-11-08', '2026-11-09', '2026-11-10', '2026-11-11', '2026-11-12'],
  )
  const ofStory = { posts_submitted: 1, posts_published: 1, decisions_publish_automated: 1 }
  assert.deepEqual(totals, addCounts([tenth, eleventh, ofStory]))
})

test('a rebuild gives the same bytes', async () => {
  const files = () => Promise.all(['index.html', 'index.json'].map((name) => fixture.file(story, name)))
  const before = await files()
  const site = siteViews(sitesFromSettings(service.baseUrls)).get(story.name)
  assert(site)
  await rebuildSite({
    ...{ db: service.workerDb, clock: service.clock, databaseUrl: service.database.urls.worker },
    ...{ site, pages: service.pages, threads: 1, documents: new Map(), onProgress: () => {} },
    linksNothing: true,
  })
  assert.deepEqual(await files(), before)
})

test('every decision is exported once, in order, with its outcome and without user text', async () => {
  const postId = await fixture.post('2026-11-09T00:00:00Z')
  const confirm = { staffId, postId, verdict: 'confirm' }
  await fixture.answer(['check:1'], { ...confirm, at: '2026-11-09T23:59:59.999Z' })
  await fixture.answer(['check:2'], { ...confirm, at: '2026-11-10T09:30:00Z', appliedAt: '2026-11-10T09:30:10Z' })
  await fixture.answer(['check:3'], { ...confirm, verdict: 'overturn', at: '2026-11-10T23:59:59.999Z' })
  await fixture.answer(['check:4'], { ...confirm, at: '2026-11-11T00:00:00Z' })
  const { stdout, stderr, code } = await runOperator(
    { READER_DATABASE_URL: service.database.urls.reader },
    ...['decisions', 'export', '--since', '2026-11-10', '--until', '2026-11-10'],
  )
  assert.deepEqual([code, stderr], [0, ''])
  const lines = stdout.trim().split('\n')
  const decisions = lines.map((line) => JSON.parse(line))
  assert.deepEqual([decisions.length, decisions.filter(({ source }) => source === 'moderation').length], [8, 6], stdout)
  assert.deepEqual(
    decisions.map(({ decided_at }) => decided_at),
    decisions.map(({ decided_at }) => decided_at).sort(),
  )
  const refused = decisions.find(({ outcome }) => outcome === 'abuse')
  assert.partialDeepStrictEqual(refused, {
    ...{ kind: message.name, edit: 0, category: 'spam', automated: true, decided_by: 'test', model: 'test' },
    overturned_at: '2026-11-11T12:00:00.000Z',
    appeal: {
      outcome: 'upheld',
      submitted_at: '2026-11-10T12:00:00.000Z',
      decided_at: '2026-11-11T12:00:00.000Z',
    },
  })
  const doubted = decisions.find(({ outcome }) => outcome === 'review')
  assert.deepEqual(
    [doubted.scores, doubted.overturned_at, doubted.appeal],
    [{ judge: { verdict: 'reject' } }, null, null],
  )
  assert.ok(decisions.some(({ decided_by }) => decided_by === person))
  const [first, last] = decisions.filter(({ source }) => source === 'desk')
  assert.deepEqual(first, {
    ...{ source: 'desk', case: 'check:2', case_kind: 'check', post_id: postId, edit: 0, kind: 'message' },
    ...{ verdict: 'confirm', category: null, seconds: 7, effect: 'done', decided_by: person },
    ...{ decided_at: '2026-11-10T09:30:00.000Z', applied_at: '2026-11-10T09:30:10.000Z' },
  })
  assert.deepEqual([last.verdict, last.effect, last.applied_at], ['overturn', null, null])
  assert.doesNotMatch(stdout, /words of mine|mara|acct_/)
})

test('more decisions than one batch are listed once each, even if they were made at the same moment', async () => {
  await using reader = connect(service.database.urls.reader, { poolMax: 1, applicationName: 'test reader' })
  const many = await fixture.post('2026-12-01T00:00:00Z')
  await service.asOwner(
    `insert into moderation_decisions (post_id, outcome, automated, actor, policy_version, decided_at)
     select $1, 'publish', false, 'operator:mara', 'x', timestamptz '2026-12-01T00:00:00.000123Z'
     from generate_series(1, 2001)`,
    [many],
  )
  const keys = Array.from({ length: 1_001 }, (_, number) => `report:${many}:${number}`)
  await fixture.answer(keys, { staffId, postId: many, verdict: 'keep', at: '2026-12-01T00:00:00.000123Z' })
  const days = { since: '2026-12-01', until: '2026-12-01' }
  const listed = await Array.fromAsync(listAllDecisions(reader.db, days))
  assert.equal(listed.length, 3_002)
  assert.equal(new Set(listed.map((one) => (one.source === 'desk' ? one.case : one.id))).size, 3_002)
  assert.equal(await countAllDecisions(reader.db, days), 3_002)
  assert.equal(await countAllDecisions(reader.db, {}), (await Array.fromAsync(listAllDecisions(reader.db, {}))).length)
})
