import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { type Applying, applyDue } from '../../src/cases/apply-decisions.ts'
import { kindOfCase, verdictsOf } from '../../src/cases/case-kinds.ts'
import { claimCase, claimNext, renewClaim, skipCase } from '../../src/cases/claim.ts'
import { decideCase, undoDecision } from '../../src/cases/decide.ts'
import { findCase, listCases } from '../../src/cases/queue.ts'
import { desk } from '../../src/contract/limits.ts'
import { connect } from '../../src/platform/database/database.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import { openStaff } from '../../tooling/clients/staff.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { seedCases } from '../../tooling/fixtures/desk-cases.ts'
import { verifyTestLedger } from '../support/money/verify-ledger.ts'
import { seedAppealOfEdit } from '../support/posts/create-post.ts'

// No worker runs here: the test runs each round itself.

let service: Service
let members: string[]
before(async () => {
  service = await startService()
  members = await Promise.all(
    [1, 2, 3].map(async (number) => (await openStaff(service, { name: `Member ${number}` })).id),
  )
})
after(() => service[Symbol.asyncDispose]())

const member = (number: number) => String(members[number % members.length])
const logged: string[] = []
const logger = createLogger('warn', 'test', { write: (line: string) => void logged.push(line) })
const partsAt = (at: () => Date, db = service.workerDb): Applying => ({
  ...{ db, clock: { now: at }, sites: sitesFromSettings(service.baseUrls), logger },
})
const later = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1_000)

/** A valid answer by a member who has seen the current case. */
async function answerTo(key: string, pick = 0) {
  const kind = kindOfCase(key)
  assert.ok(kind)
  const fitting = verdictsOf(kind)
  const verdict = fitting[pick % fitting.length]
  assert.ok(verdict)
  const found = await findCase(service.deskDb, { key, staffId: member(0), at: service.clock.now() })
  const seen = found?.version ?? ''
  return { key, verdict: verdict.id, category: verdict.needsCategory ? 'spam' : null, seen }
}

test('when two reviewers answer at the same moment, one wins and the other is informed', async () => {
  const keys = await seedCases(service, { reviews: 4, reports: 2 })
  const at = service.clock.now()
  for (const key of keys) {
    const answer = await answerTo(key)
    const press = (number: number) => decideCase(service.deskDb, { ...answer, staffId: member(number), at })
    const outcomes = (await Promise.all([press(0), press(1), press(2)])).map(({ outcome }) => outcome)
    assert.equal(outcomes.filter((outcome) => outcome === 'decided').length, 1, outcomes.join())
    assert.ok(
      outcomes.every((outcome) => ['decided', 'taken', 'decided_before'].includes(outcome)),
      outcomes.join(),
    )
  }
})

test('decisions that were due while no worker ran are applied once when workers start, even by two at a time', async () => {
  const keys = await seedCases(service, { reviews: 3, reports: 3, appeals: 2, checks: 2, edits: 2 })
  const at = service.clock.now()
  for (const [number, key] of keys.entries()) {
    const answer = { ...(await answerTo(key, number)), staffId: member(number), at }
    assert.equal((await decideCase(service.deskDb, answer)).outcome, 'decided', key)
  }
  await applyDue(
    partsAt(() => at),
    new Set(),
  )
  assert.deepEqual(await appliedTimes(keys), {}, 'they can still be undone')
  const hour = () => later(at, 3_600)
  await using other = connect(service.database.urls.worker, { poolMax: 2, applicationName: 'test second worker' })
  const rounds = await Promise.all([
    applyDue(partsAt(hour), new Set()),
    applyDue(partsAt(hour, other.db), new Set()),
    applyDue(partsAt(hour, other.db), new Set()),
  ])
  assert.deepEqual(
    rounds.flatMap(({ failed }) => failed),
    [],
    logged.join(''),
  )
  assert.deepEqual(await appliedTimes(keys), Object.fromEntries(keys.map((key) => [key, 1])))
  assert.deepEqual(await punishedTwice(), [])
})

/** How often the log says that each decision was applied. */
async function appliedTimes(keys: readonly string[]): Promise<Record<string, number>> {
  const rows = await service.asOwner<{ key: string; times: number }>(
    `select details->>'case' as key, count(*)::int as times from audit_log
     where action = 'case.apply' and details->>'case' = any ($1) group by 1`,
    [keys],
  )
  return Object.fromEntries(rows.map(({ key, times }) => [key, times]))
}

/** Posts that a reviewer has rejected or published more than once. */
const punishedTwice = () =>
  service.asOwner(
    `select post_id, edit, outcome from moderation_decisions where not automated and actor like 'staff:%'
     group by 1, 2, 3 having count(*) > 1`,
  )

const act = fc.record({
  what: fc.constantFrom(
    'next',
    'claim',
    'renew',
    'skip',
    'decide',
    'undo',
    'apply',
    'wait',
    'wait',
  ) as fc.Arbitrary<Act>,
  who: fc.nat(2),
  which: fc.nat(5),
  pick: fc.nat(2),
  seconds: fc.constantFrom(1, 5, 9, 60, desk.leaseSeconds),
})
type Act = 'next' | 'claim' | 'renew' | 'skip' | 'decide' | 'undo' | 'apply' | 'wait'

test('whatever three reviewers do, a case is decided once, applied once, never by a barred reviewer, and never held for long', async () => {
  const run = fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 40 }), async (acts) => {
    const seeded = await seedCases(service, { reviews: 2, reports: 1, appeals: 1, checks: 1 })
    // A member who decides the reports of this post may not decide its appeal.
    const keys = [...seeded, await seedAppealOfEdit(service, postOf(String(seeded[2])))]
    try {
      const model = modelOf(keys)
      for (const { what, who, which, pick, seconds } of acts)
        await model.take(what, { staffId: member(who), key: String(keys[which % keys.length]), pick, seconds })
      await model.finish()
    } finally {
      await clearCases()
    }
  })
  await fc.assert(run, { numRuns: 8 })
  const { differences, sum_micros } = await verifyTestLedger(service.database)
  assert.deepEqual([differences, sum_micros], [[], '0'])
})

/** The next run starts with an empty queue. */
const clearCases = () =>
  service.asOwner("update posts set status = 'deleted', content = null, listed = false where status <> 'deleted'")

const postOf = (key: string) => String(key.split(':')[1])

type Taken = { staffId: string; key: string; pick: number; seconds: number }

/** The invariants, given the answers so far. */
function modelOf(keys: readonly string[]) {
  let at = later(service.clock.now(), 0)
  const { deskDb } = service
  const held = new Map<string, { by: string; until: Date }>()
  const decided = new Map<string, { by: string; due: Date; isApplied: boolean }>()
  const holds = (key: string) => {
    const claim = held.get(key)
    return claim && claim.until > at ? claim.by : undefined
  }
  const isBarred = (key: string, staffId: string) =>
    key.startsWith('appeal:') &&
    [...decided].some(([other, { by }]) => other !== key && postOf(other) === postOf(key) && by === staffId)
  const letGo = (key: string, by: string) => {
    if (held.get(key)?.by === by) held.delete(key)
  }
  const hold = (key: string, by: string) => held.set(key, { by, until: later(at, desk.leaseSeconds) })
  const take: Record<Act, (taken: Taken) => Promise<void>> = {
    wait: async ({ seconds }) => {
      at = later(at, seconds)
    },
    next: async ({ staffId }) => {
      const key = await claimNext(deskDb, { staffId, at })
      if (!key || !keys.includes(key)) return
      assert.ok(!decided.has(key), 'nobody is given what is decided')
      assert.ok([undefined, staffId].includes(holds(key)), 'nobody is given what another holds')
      assert.ok(!isBarred(key, staffId), 'nobody is given an appeal of what they decided')
      const [claim] = await service.asOwner<{ until: Date }>(
        'select expires_at as until from desk_claims where case_key = $1',
        [key],
      )
      assert.ok(claim && claim.until > at && claim.until <= later(at, desk.leaseSeconds))
      held.set(key, { by: staffId, until: claim.until })
    },
    claim: async ({ staffId, key }) => {
      const others = holds(key) !== undefined && holds(key) !== staffId
      const outcome = await claimCase(deskDb, { key, staffId, at })
      const expected = others ? 'taken' : decided.has(key) ? 'gone' : isBarred(key, staffId) ? 'barred' : 'claimed'
      assert.equal(outcome, expected)
      if (outcome === 'claimed') hold(key, staffId)
      if (outcome === 'barred') letGo(key, staffId)
    },
    renew: async ({ staffId, key }) => {
      const isTheirs = holds(key) === staffId
      assert.equal(await renewClaim(deskDb, { key, staffId, at }), isTheirs, 'a claim never outlives its lease')
      if (isTheirs) hold(key, staffId)
    },
    skip: async ({ staffId, key }) => {
      await skipCase(deskDb, { key, staffId, at })
      if (!decided.has(key)) letGo(key, staffId)
    },
    decide: async ({ staffId, key, pick }) => {
      const others = holds(key) !== undefined && holds(key) !== staffId
      const { outcome } = await decideCase(deskDb, { ...(await answerTo(key, pick)), staffId, at })
      const free = decided.has(key) ? 'decided_before' : isBarred(key, staffId) ? 'barred' : 'decided'
      assert.equal(outcome, others ? 'taken' : free)
      if (outcome === 'barred') letGo(key, staffId)
      if (outcome !== 'decided') return
      held.delete(key)
      decided.set(key, { by: staffId, due: later(at, desk.undoSeconds), isApplied: false })
    },
    undo: async ({ staffId, key }) => {
      const one = decided.get(key)
      const mayBe = one?.by === staffId && !one.isApplied && one.due > at
      assert.equal(await undoDecision(deskDb, { key, staffId, at }), mayBe ? 'undone' : 'too_late')
      if (!mayBe) return
      decided.delete(key)
      hold(key, staffId)
    },
    apply: async () => {
      const { failed } = await applyDue(
        partsAt(() => at),
        new Set(),
      )
      assert.deepEqual(failed, [], logged.join(''))
      for (const one of decided.values()) if (one.due <= at) one.isApplied = true
    },
  }
  return {
    take: async (what: Act, taken: Taken) => {
      await take[what](taken)
      const shown = await listCases(deskDb, { staffId: taken.staffId, at, limit: 500 })
      for (const key of keys) {
        const one = shown.find((each) => each.key === key)
        assert.equal(one === undefined, decided.has(key), 'what is decided leaves the list')
        assert.equal(one?.claimed_by ?? undefined, one && holds(key))
      }
    },
    /** Every decision is applied in the end, exactly once. */
    finish: async () => {
      at = later(at, 3_600)
      await take.apply({ staffId: '', key: '', pick: 0, seconds: 0 })
      await take.apply({ staffId: '', key: '', pick: 0, seconds: 0 })
      assert.deepEqual(await appliedTimes(keys), Object.fromEntries([...decided.keys()].sort().map((key) => [key, 1])))
      // A member who decided an appeal may decide the post's reports later, but not the other way round.
      const barred = await service.asOwner(
        `select appeal.case_key from desk_decisions appeal join desk_decisions other
           on other.post_id = appeal.post_id and other.staff_id = appeal.staff_id and other.case_key <> appeal.case_key
             and other.decided_at < appeal.decided_at
         where appeal.case_kind = 'appeal' and appeal.case_key = any($1)`,
        [keys],
      )
      assert.deepEqual(barred, [])
    },
  }
}
