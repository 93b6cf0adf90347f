import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { applyDue } from '../../src/cases/apply-decisions.ts'
import { caseKinds } from '../../src/cases/case-kinds.ts'
import { claimCase, claimNext } from '../../src/cases/claim.ts'
import { decideCase, undoDecision } from '../../src/cases/decide.ts'
import { readFirstLines } from '../../src/cases/first-lines.ts'
import { countCases, findCase, listCases, type QueuedCase } from '../../src/cases/queue.ts'
import { casesCounted } from '../../src/cases/statistics/desk-statistics.ts'
import { desk } from '../../src/contract/limits.ts'
import { keptMsOf } from '../../src/contract/retention/periods.ts'
import { type Connection, connect } from '../../src/platform/database/database.ts'
import { newId } from '../../src/platform/identifiers.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import { harmLevels, unknownLevel, urgentLevel } from '../../src/policy/category.ts'
import { purges } from '../../src/retention.ts'
import { openStaff, type Staff } from '../../tooling/clients/staff.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { seedCases } from '../../tooling/fixtures/desk-cases.ts'
import { randomFor } from '../../tooling/random.ts'
import { times } from '../../tooling/test-length.ts'
import { countBuffers } from '../support/database/count-buffers.ts'
import { createManyCases } from '../support/desk/many-cases.ts'
import { read } from '../support/desk/read-pages.ts'

// No worker runs here: the test runs each round itself.

let service: Service
let deskConnection: Connection
let workerConnection: Connection
let [ada, bo]: Staff[] = []
let accountId: string
before(async () => {
  service = await startService()
  deskConnection = connect(service.database.urls.desk, { poolMax: 4, applicationName: 'test desk queue' })
  workerConnection = connect(service.database.urls.worker, { poolMax: 1, applicationName: 'test desk gauges' })
  ;[ada, bo] = [await openStaff(service, { role: 'lead' }), await openStaff(service)]
  accountId = (await service.createCustomer()).id
})
after(async () => {
  await deskConnection?.[Symbol.asyncDispose]()
  await workerConnection?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const staffId = () => String(ada?.id)
const now = () => service.clock.now()
const later = (seconds: number) => new Date(now().getTime() + seconds * 1_000)

test('the database and the policy agree how harmful each category is', async () => {
  const expected = (categories: string[]) => {
    const levels = categories.flatMap((category) => (harmLevels as Record<string, number>)[category] ?? [])
    return levels.length > 0 ? Math.max(...levels) : unknownLevel
  }
  const known = Object.keys(harmLevels)
  const lists = [
    [],
    ['unheard_of'],
    ...known.map((id) => [id]),
    ...known.map((id) => ['unheard_of', id, 'low_quality']),
  ]
  for (const categories of lists) {
    const [row] = await service.asOwner<{ harm: number }>('select harm_of($1) as harm', [categories])
    assert.equal(row?.harm, expected(categories), categories.join())
  }
})

/** The stored queue, and the queue by definition. */
async function assertQueueIsRight(): Promise<void> {
  const columns =
    'case_key, kind, post_id, edit, account_id, site, opened_at, since, has_deadline, categories, harm, reports, version, audited'
  const differing = await service.asOwner(
    `(select 'missing', ${columns} from (select ${columns} from case_definition except all select ${columns} from open_cases) one)
     union all
     (select 'wrong', ${columns} from (select ${columns} from open_cases except all select ${columns} from case_definition) one)`,
  )
  assert.deepEqual(differing, [])
}

const rounds = times({ whole: 12, short: 2 })

test(`the stored queue matches its definition through ${rounds} rounds of concurrent changes`, async () => {
  const { pick, chance } = randomFor(7, 0)
  const quietly = (change: () => Promise<unknown>) =>
    change().catch((error) => void assert.match(String(error.code), /^(23|P0)/))
  for (let round = 0; round < rounds; round++) {
    const each = { reviews: 4, reports: 3, appeals: 3, checks: 4, edits: 3, audits: 4 }
    const keys = await seedCases(service, each)
    await assertQueueIsRight()
    const posts = await service.asOwner<{ id: string; account_id: string }>(
      'select distinct post_id as id, account_id from open_cases where case_key = any ($1)',
      [keys],
    )
    const decide = async () => {
      const [key, by] = [pick(keys), String(pick([ada, bo])?.id)]
      const found = await findCase(service.deskDb, { key, staffId: by, at: now() })
      const verdict = { review: 'low_quality', report: 'keep', appeal: 'dismiss', check: 'confirm', audit: 'keep' }
      if (!found) return
      await decideCase(service.deskDb, {
        ...{ key, staffId: by, verdict: verdict[found.kind], category: null, seen: found.version, at: now() },
      })
      if (chance(0.4)) await undoDecision(service.deskDb, { key, staffId: by, at: now() })
    }
    const changePost = (statement: string) => service.asOwner(statement, [pick(posts).id, now()])
    const changes = [
      decide,
      decide,
      () =>
        service.asOwner('select file_report($1, $2, null, $3, null, null, $4)', [
          newId('rep', now()),
          pick(posts).id,
          pick(['spam', 'self_harm']),
          now(),
        ]),
      () =>
        changePost(
          "update posts set status = 'deleted', content = null, listed = false where id = $1 and $2::timestamptz > created_at",
        ),
      () => changePost('update posts set edited_at = $2 where id = $1'),
      () =>
        changePost(
          "insert into appeals (post_id, account_id, message, submitted_at) select id, account_id, 'No.', $2 from posts where id = $1",
        ),
      () =>
        changePost(
          `insert into moderation_decisions (post_id, outcome, automated, actor, policy_version, decided_at)
           values ($1, 'restore', false, 'operator:console', '1', $2)`,
        ),
      () => service.asOwner('select close_account($1, $2)', [pick(posts).account_id, now()]),
    ]
    const chosen = Array.from({ length: 40 }, () => pick(changes.slice(0, round % 3 === 2 ? 8 : 7)))
    await Promise.all(chosen.map((change) => quietly(change)))
    await assertQueueIsRight()
    await applyDue(
      {
        db: service.workerDb,
        clock: { now: () => later(11) },
        sites: sitesFromSettings(service.baseUrls),
        logger: createLogger('silent', 'test'),
      },
      new Set(),
    )
    await assertQueueIsRight()
  }
  await service.asOwner('delete from desk_claims')
})

/** As the desk promises: urgent, due soon, by harm, by age; audits last. */
function inOrder(cases: readonly QueuedCase[], at: Date): string[] {
  const rank = ({ kind, harm, due_at, opened_at, key }: QueuedCase): (number | string)[] => [
    Number(kind === 'audit'),
    Number(harm !== urgentLevel),
    Number(!due_at || due_at.getTime() > at.getTime() + (desk.checkSeconds / 4) * 1_000),
    -harm,
    // An appealed penalty is as old as the penalty.
    due_at ? due_at.getTime() - desk.checkSeconds * 1_000 : opened_at.getTime(),
    key,
  ]
  const compare = (a: QueuedCase, b: QueuedCase) => {
    const [one, other] = [rank(a), rank(b)]
    const index = one.findIndex((value, place) => value !== other[place])
    return index < 0 ? 0 : (one[index] as number) < (other[index] as number) ? -1 : 1
  }
  return [...cases].sort(compare).map(({ key }) => key)
}

test('a page of any length and kind is the beginning of the whole queue in its order', async () => {
  await seedCases(service, { reviews: 30, reports: 20, appeals: 20, checks: 20, edits: 10, audits: 20 })
  for (const at of [now(), later(20 * 3_600), later(3 * 86_400)]) {
    const whole = await listCases(service.deskDb, { staffId: staffId(), at, limit: 1_000 })
    assert.ok(whole.length > 100)
    const keys = whole.map(({ key }) => key)
    assert.deepEqual(keys, inOrder(whole, at))
    for (const limit of [1, 2, 7, 50]) {
      const page = await listCases(service.deskDb, { staffId: staffId(), at, limit })
      assert.deepEqual(
        page.map(({ key }) => key),
        keys.slice(0, limit),
      )
    }
    for (const kind of caseKinds) {
      const ofKind = await listCases(service.deskDb, { staffId: staffId(), at, limit: 5, kind })
      assert.deepEqual(
        ofKind.map(({ key }) => key),
        whole
          .filter((one) => one.kind === kind)
          .slice(0, 5)
          .map(({ key }) => key),
      )
    }
  }
})

test('a listed case that is gone does not keep others from being claimed, and leaves the queue', async () => {
  const [first] = await listCases(service.deskDb, { staffId: staffId(), at: now(), limit: 1, free: true })
  assert.ok(first)
  // As if a trigger had failed to delete it.
  await service.asOwner(
    `insert into open_cases select 'check:999999999', 'check', post_id, edit, account_id, site, to_timestamp($2), to_timestamp($2),
       true, categories, ${urgentLevel}, 0, '', null from open_cases where case_key = $1`,
    [first.key, Math.floor(later(-7 * 86_400).getTime() / 1_000)],
  )
  const [wrong] = await listCases(service.deskDb, { staffId: staffId(), at: now(), limit: 1, free: true })
  assert.equal(wrong?.key, 'check:999999999')
  assert.equal(await claimNext(service.deskDb, { staffId: staffId(), at: now() }), first.key)
  await service.asOwner('delete from desk_claims')
  await assertQueueIsRight()
})

test('checks and audits leave the queue after their period, other cases do not', async () => {
  const wait = keptMsOf('unreviewed-cases') / 1_000
  const counted = async (at: Date) => await countCases(service.deskDb, { at, countTo: 1_000 })
  const openOf = async (at: Date) => Object.fromEntries((await counted(at)).map(({ kind, open }) => [kind, open]))
  const [before, afterwards] = [await openOf(now()), await openOf(later(wait))]
  assert.ok(before['check'] && before['audit'])
  assert.deepEqual(afterwards, { ...before, check: 0, audit: 0 })
  const [check] = await listCases(service.deskDb, { staffId: staffId(), at: now(), limit: 1, kind: 'check' })
  assert.equal(await findCase(service.deskDb, { key: String(check?.key), staffId: staffId(), at: later(wait) }), null)
  await purges['unreviewed-cases'](service.workerDb, later(wait))
  assert.deepEqual(await openOf(now()), { ...before, check: 0, audit: 0 })
})

/** With 5,000, no kind has as many late cases as the page counts. */
const many = times({ whole: 200_000, short: 10_000 })

test(`with ${many} waiting cases, the queue, the next case, a case and the gauges read a bounded number of pages`, async (context) => {
  await createManyCases(service.database, { accountId, count: many, at: now() })
  const [at, asking] = [now(), { staffId: staffId(), at: now() }]
  const measured: string[] = []
  const most = async (
    what: string,
    bound: number,
    connection: Connection,
    work: Parameters<typeof countBuffers>[1],
  ) => {
    const { buffers, queries } = await countBuffers(connection, work)
    measured.push(`${what}: ${buffers}`)
    assert.ok(queries > 0)
    assert.ok(buffers <= bound, `${what} read ${buffers} pages, and may read ${bound}`)
  }
  await most('a page of the queue', 3_000, deskConnection, (db) => listCases(db, { ...asking, limit: 50 }))
  for (const kind of caseKinds)
    await most(`a page of ${kind}`, 1_000, deskConnection, (db) => listCases(db, { ...asking, limit: 50, kind }))
  const shown = await listCases(service.deskDb, { ...asking, limit: 50 })
  const sites = sitesFromSettings(service.baseUrls)
  await most('its first lines', 600, deskConnection, (db) => readFirstLines(db, sites, shown))
  await most('the next case', 3_000, deskConnection, (db) => claimNext(db, asking))
  await most('a case', 200, deskConnection, (db) => findCase(db, { ...asking, key: String(shown[0]?.key) }))
  await most('the counts of the page', 2_000, deskConnection, (db) => countCases(db, { at, countTo: 1_000 }))
  await most('the gauges', 10_000, workerConnection, (db) => countCases(db, { at, countTo: casesCounted }))
  context.diagnostic(measured.join(', '))
  const page = await read(ada as Staff, '/')
  assert.match(page, /5,000\+ cases waiting/)
  assert.match(page, /1,000\+ Reviews oldest 2 d/)
  assert.match(page, /1,000\+ Checks oldest 2 d · 1,000\+ late/)
  assert.match(page, /4,950\+ more are not shown/)
  assert.match(await read(ada as Staff, '/?kind=review'), /950\+ more are not shown/)
})

test('a member claims, decides and undoes in a long queue', async () => {
  const asking = { staffId: String(bo?.id), at: now() }
  const key = String(await claimNext(service.deskDb, { ...asking, kind: 'review' }))
  assert.equal(await claimCase(service.deskDb, { ...asking, key }), 'claimed')
  const decided = await decideCase(service.deskDb, { ...asking, key, verdict: 'publish', category: null, seen: '' })
  assert.equal(decided.outcome, 'decided')
  const [next] = await listCases(service.deskDb, { ...asking, limit: 1, kind: 'review', free: true })
  assert.notEqual(next?.key, key)
  assert.equal(await undoDecision(service.deskDb, { ...asking, key }), 'undone')
  const [again] = await listCases(service.deskDb, { ...asking, limit: 1, kind: 'review', free: true })
  assert.deepEqual([again?.key, again?.mine], [key, true])
})
