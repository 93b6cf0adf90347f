import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { applyDue } from '../../src/cases/apply-decisions.ts'
import { claimCase } from '../../src/cases/claim.ts'
import { decideCase, undoDecision } from '../../src/cases/decide.ts'
import { findCase } from '../../src/cases/queue.ts'
import { readDeskStatistics } from '../../src/cases/statistics/desk-statistics.ts'
import { observeDesk } from '../../src/cases/statistics/metrics.ts'
import { howLong } from '../../src/desk/statistics/tables.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import { openStaff, type Staff } from '../../tooling/clients/staff.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { seedCases } from '../../tooling/fixtures/desk-cases.ts'
import { openTransparencyFixture, type Said } from '../support/moderation/transparency-fixture.ts'

let service: Service
let here: Awaited<ReturnType<typeof openTransparencyFixture>>
let admin: Staff
before(async () => {
  service = await startService()
  here = await openTransparencyFixture(service)
  here.setClock('2026-11-20T10:00:00Z')
  admin = await openStaff(service, { role: 'admin', name: 'Ida <Admin>' })
})
after(() => service[Symbol.asyncDispose]())

const textOf = async (path: string) => {
  const answer = await admin.get(path)
  assert.equal(answer.status, 200)
  return (await answer.text()).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
}

test('a desk without decisions says so', async () => {
  const numbers = await textOf('/numbers')
  assert.match(numbers, /No decisions in the last 30 days/)
  assert.match(numbers, /Checks: the model imposed a penalty on its own 0 – 0/)
  assert.match(await textOf('/log?actor=staff:nobody'), /No matching entries/)
})

/** A post with decisions, each an hour after the previous one. */
async function seedPost(day: string, ...said: Said[]): Promise<string> {
  const id = await here.post(`${day}T00:00:00Z`)
  for (const [hour, one] of said.entries()) await here.decide(id, `${day}T0${hour + 1}:00:00Z`, one)
  return id
}
const ada = 'staff:ada'

test('a lead sees how often the model and reviewers agree, and how often someone was wrong', async () => {
  const day = '2026-11-18'
  const handedOver = { outcome: 'review', category: 'spam' } as const
  await seedPost(day, { ...handedOver, verdict: 'accept' }, { outcome: 'publish', by: ada })
  await seedPost(day, { ...handedOver, verdict: 'reject' }, { outcome: 'publish', by: ada })
  await seedPost(day, { ...handedOver, verdict: 'reject' }, { outcome: 'abuse', category: 'spam', by: ada })
  await seedPost(
    day,
    { ...handedOver, verdict: 'review' },
    { outcome: 'low_quality', category: 'low_quality', by: ada },
  )
  const punished = await seedPost(day, { outcome: 'abuse', category: 'spam' })
  await here.appeal(punished, `${day}T02:00:00Z`, { outcome: 'upheld', at: `${day}T03:00:00Z` })
  await here.decide(punished, `${day}T03:00:00Z`, { outcome: 'restore', by: ada })
  const refused = await seedPost(day, handedOver, { outcome: 'abuse', category: 'sexual', by: ada })
  await here.appeal(refused, `${day}T04:00:00Z`, { outcome: 'dismissed', at: `${day}T05:00:00Z` })
  // More than seven days ago.
  await seedPost('2026-11-01', { ...handedOver, verdict: 'accept' }, { outcome: 'publish', by: ada })

  const read = (days: number) => readDeskStatistics(service.deskDb, { days, at: service.clock.now() })
  const { leanings, appeals, categories, days } = await read(7)
  assert.deepEqual(
    leanings.toSorted((one, other) => one.leaned.localeCompare(other.leaned)),
    [
      { leaned: 'accept', published: 1, refused: 0 },
      { leaned: 'reject', published: 1, refused: 1 },
      { leaned: 'unsure', published: 0, refused: 2 },
    ],
  )
  assert.deepEqual(
    appeals.toSorted((one, other) => Number(one.automated) - Number(other.automated)),
    [
      { automated: false, upheld: 0, dismissed: 1 },
      { automated: true, upheld: 1, dismissed: 0 },
    ],
  )
  assert.deepEqual(categories.get('spam'), { suspected: 5, overturned: 1 })
  assert.equal(days.length, 7)
  assert.equal((await read(30)).categories.get('spam')?.suspected, 6)
  const page = await textOf('/numbers?days=7')
  assert.match(page, /People agreed with the judge in 2 of 3 \(67%\)/)
  assert.match(page, /The author was right in 1 of 2 \(50%\)/)
  assert.match(page, /The model 1 0 A person 0 1/)
})

test('decisions are counted by kind with their duration; undone ones are only counted', async () => {
  await service.asOwner('truncate desk_decisions')
  const keys = await seedCases(service, { reviews: 2, reports: 1, appeals: 1, checks: 2 })
  const [first = '', undone = '', report = '', , check = ''] = keys
  const { id: staffId } = await openStaff(service)
  const at = service.clock.now()
  const answer = async (key: string, verdict: string, seconds: number) => {
    const claimedAt = new Date(at.getTime() - seconds * 1_000)
    await claimCase(service.deskDb, { key, staffId, at: claimedAt })
    const seen = (await findCase(service.deskDb, { key, staffId, at }))?.version ?? ''
    const decided = await decideCase(service.deskDb, { key, staffId, verdict, category: null, seen, at })
    assert.equal(decided.outcome, 'decided')
  }
  await answer(first, 'publish', 10)
  await answer(report, 'keep', 20)
  await answer(check, 'overturn', 30)
  await answer(undone, 'low_quality', 40)
  await undoDecision(service.deskDb, { key: undone, staffId, at })

  const numbers = await readDeskStatistics(service.deskDb, { days: 7, at })
  assert.deepEqual(numbers.days.at(-1)?.decided, { review: 1, report: 1, appeal: 0, check: 1, audit: 0 })
  assert.deepEqual([numbers.pace.seconds?.median, numbers.undone], [20, 1])
  // One was checked now, and the appeal of another was decided before.
  assert.deepEqual(numbers.checks, { punished: 4, seen: 2, confirmed: 0, overturned: 1 })
  assert.deepEqual(
    numbers.queue.map(({ kind, open }) => `${kind} ${open}`),
    ['review 1', 'report 0', 'appeal 1', 'check 1', 'audit 0'],
  )
  const seeded = await service.asOwner<{ at: Date }>(
    "select decided_at as at from moderation_decisions where post_id = $1 and outcome = 'review'",
    [first.split(':')[1]],
  )
  const waited = numbers.pace.waited.find(({ kind }) => kind === 'review')
  const seconds = (at.getTime() - (seeded[0]?.at.getTime() ?? 0)) / 1_000
  assert.ok(waited && Math.abs(waited.median - seconds) < 1, `${waited?.median} s, not ${seconds} s`)
  assert.deepEqual(numbers.pace.waited.map(({ kind }) => kind).sort(), ['check', 'report', 'review'])
})

test('metrics show waiting, overdue and unapplied cases', async () => {
  using _ = observeDesk(service.workerDb, service.clock)
  here.setClock('2026-11-21T12:00:00Z')
  admin = await openStaff(service, { role: 'admin', name: 'Ida <Admin>' })
  const text = await service.readMetrics()
  assert.match(text, /^desk_cases_open\{[^}]*kind="review"[^}]*\} 1$/m)
  assert.match(text, /^desk_cases_open\{[^}]*kind="report"[^}]*\} 0$/m)
  const [, age] = /^desk_cases_oldest_seconds\{[^}]*kind="appeal"[^}]*\} (\S+)$/m.exec(text) ?? []
  assert.ok(Number(age) > 25 * 3_600)
  assert.match(text, /^desk_checks_overdue\S* 2$/m)
  assert.match(text, /^desk_decisions_due\S* 3$/m)
  assert.match(await textOf('/numbers'), /cases are overdue/)
})

test('a lead exports the decisions of some days as a file, and the log records it', async () => {
  const answer = await admin.post('/numbers/decisions', { since: '2026-11-18', until: '2026-11-18' })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/x-ndjson; charset=utf-8')
  assert.match(String(answer.headers.get('content-disposition')), /decisions-2026-11-18-to-2026-11-18\.ndjson/)
  const lines = (await answer.text()).trimEnd().split('\n')
  const decisions = lines.map((line) => JSON.parse(line))
  assert.ok(decisions.length >= 12)
  assert.ok(decisions.every(({ decided_at }) => decided_at.startsWith('2026-11-18')))
  const page = await textOf(`/log?actor=staff:${admin.id}`)
  assert.match(page, /decisions\.export since: 2026-11-18 until: 2026-11-18/)
  const wrong = await admin.post('/numbers/decisions', { since: '2026-11-18', until: '2026-11-17' })
  assert.equal(wrong.status, 422)
  assert.match(await wrong.text(), /It must not be before the first day\./)
  const empty = await admin.post('/numbers/decisions', { since: '2020-01-01', until: '2020-01-01' })
  assert.deepEqual([empty.status, await empty.text()], [200, ''])
})

test('answers are in the export too, with who decided, about what and when', async () => {
  const { workerDb: db, clock, baseUrls } = service
  const logger = createLogger('silent', 'test')
  assert.deepEqual((await applyDue({ db, clock, sites: sitesFromSettings(baseUrls), logger }, new Set())).failed, [])
  const answer = await admin.post('/numbers/decisions', { since: '2026-11-20', until: '2026-11-21' })
  const decisions = (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const answered = decisions.filter(({ source }) => source === 'desk')
  const changed = answered.map(({ verdict, effect, post_id, edit, decided_by, applied_at }) => {
    const same = { source: 'moderation', post_id, edit, decided_by, decided_at: applied_at }
    const found = decisions.filter((one) => Object.entries(same).every(([name, value]) => one[name] === value))
    return [verdict, effect, ...found.map(({ outcome }) => outcome)].join(' ')
  })
  assert.deepEqual(changed.sort(), ['keep done', 'overturn done restore', 'publish done publish'])
})

test('an admin reads who did what, with its position in the chain, and finds everything about a post', async () => {
  const rows = await service.asOwner<{ case: string; account_id: string; actor: string; position: string }>(
    `select details ->> 'case' as case, account_id, actor, position::text
     from audit_log join audit_chain on audit_id = id where action = 'case.undo'`,
  )
  const [{ case: key, account_id, actor, position } = { case: '', account_id: '', actor: '', position: '' }] = rows
  const acts = (page: string) => [...page.matchAll(/case\.(\w+)/g)].map(([, act]) => act)
  const expected = ['undo', 'decide', 'claim']
  const ofPost = await textOf(`/log?about=${key.split(':')[1]}`)
  assert.deepEqual(acts(ofPost), expected)
  assert.match(ofPost, /Ada Reviewer staff_/)
  assert.deepEqual(acts(await textOf(`/log?about=${key}`)), expected)
  assert.deepEqual(acts(await textOf(`/log?account=${account_id}&about=${key}&actor=${actor}`)), expected)
  assert.deepEqual(acts(await textOf(`/log?about=${key}&before=${position}`)), expected.slice(1))
  const head = await service.asOwner<{ position: string; hash: string }>(
    "select position::text, encode(hash, 'hex') as hash from audit_head",
  )
  const all = await admin.get('/log')
  const html = await all.text()
  assert.ok(html.includes(`${head[0]?.position}:${head[0]?.hash}`))
  assert.ok(html.includes('Ida &#60;Admin&#62;'), 'a name is escaped')
  assert.match(await textOf('/log?before=x&actor=%27&account=%25&about=post_%27'), /No matching entries/)
})

test('a long log is paged, each entry once, in the order of the chain and not of the ids', async () => {
  await service.asOwner(
    `insert into audit_log (id, at, actor, action) overriding system value
     select 1000000 - n, '2026-11-19', 'system:many', 'number.' || n from generate_series(1, 101) n`,
  )
  const seen: string[] = []
  for (let path: string | undefined = '/log?actor=system:many'; path; ) {
    const html: string = await (await admin.get(path)).text()
    seen.push(...[...html.matchAll(/number\.(\d+)/g)].map(([, number]) => String(number)))
    path = /<a href="([^"]+)" rel="next">/
      .exec(html)?.[1]
      ?.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 101 }, (_, index) => String(101 - index)),
  )
})

test('times are shown with a useful precision', () => {
  const told = [0.4, 59.6, 3_599, 3_600, 12_000, 86_400, 200_000].map(howLong)
  assert.deepEqual(told, ['0 s', '1 min', '1 h', '1 h', '3 h 20 min', '1 day', '2 days 7 h'])
})
