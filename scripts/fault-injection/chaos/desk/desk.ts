import { setTimeout as sleep } from 'node:timers/promises'
import { showProgress } from '../../../../src/bin/progress.ts'
import { sitesFromSettings } from '../../../../src/bin/sites.ts'
import { desk as limits } from '../../../../src/contract/limits.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { connect, inTransaction, type Transaction } from '../../../../src/platform/database/database.ts'
import type { Sites } from '../../../../src/posts/sites.ts'
import { openStaff } from '../../../../tooling/clients/staff.ts'
import type { Service } from '../../../../tooling/environment/service.ts'
import { seedCases } from '../../../../tooling/fixtures/desk-cases.ts'
import { percentile } from '../../../../tooling/median.ts'
import { randomFor } from '../../../../tooling/random.ts'
import { type Account, type Environment, openEnvironment } from '../environment.ts'
import type { Kept } from '../keep-process.ts'
import { toSeconds } from '../outcomes.ts'
import { openReviewer, type Shared } from './reviewer.ts'
import { verifyDecisions } from './verify-decisions.ts'

type Options = { cases: number; seed: number }

const reviewers = 4
/** The time limit for all decisions: twice the lease of the killed reviewer. */
const patienceMs = 2 * limits.leaseSeconds * 1_000 + 180_000

/**
 * Four reviewers in four browsers clear one queue by keyboard. One browser is killed while it holds two cases; the desk
 * and the worker are killed while the others work. Each case must be decided and applied once, decisions shown as done
 * must persist, and the cases of the killed browser must be free when its lease expires.
 */
export async function decideWhileKilling({ cases, seed }: Options) {
  const startedAt = performance.now()
  await using environment = await openEnvironment({ driver: 'always-on', workers: 1 })
  const [deskProcess] = await Promise.all([environment.startDesk(), environment.startWorkers()])
  await using place = casePlaceOf(environment, await environment.createAccounts(Math.ceil(cases / 4), 10_000_000))
  const keys = await seedCases(place.service, mixOf(cases))
  const shared: Shared = { shown: new Map(), undone: new Set(), skipped: new Set(), isOver: false }
  await using browsers = new AsyncDisposableStack()
  const people = []
  for (let number = 0; number < reviewers; number++) {
    const { id, token } = await openStaff(place.service, { name: `Reviewer ${number + 1}` })
    const random = randomFor(seed, number)
    people.push(browsers.use(await openReviewer({ id, token, random, deskUrl: place.service.deskUrl, shared })))
  }
  const startedDeciding = performance.now()
  const working = people.map((person, number) =>
    person.work(number === 0 ? Math.ceil(cases / 20) : Number.POSITIVE_INFINITY),
  )
  const watching = watch(environment, { cases, shared, victims: [deskProcess, ...environment.workers] })
  // The first reviewer stops with two cases on the screen and is killed.
  const dead = people[0] as (typeof people)[number]
  await working[0]
  await dead.holdTwo()
  const held = await leasesOf(environment, dead.id)
  await dead.kill()
  const released = await untilReleased(environment, { deadId: dead.id, held })
  const isAll = await watching
  await Promise.all(working)
  const seconds = toSeconds(performance.now() - startedDeciding)
  const { figures, faults } = await verifyDecisions(environment, { keys, shared })
  const broken = [
    ...(isAll ? [] : ['not all cases were decided in time']),
    ...released
      .filter(({ late }) => late > 1.5)
      .map((one) => `not free after the lease expired: ${JSON.stringify(one)}`),
    ...(held.length < 2 ? [`the killed reviewer held ${held.length} cases`] : []),
    ...faults,
    ...environment.deaths(),
    ...deskProcess.deaths,
  ]
  const steps = people.flatMap((person) => person.stepsMs)
  return {
    ...{ cases, seed, reviewers, seconds },
    decided_by_each: people.map(({ stepsMs }) => stepsMs.length),
    seconds_per_case: { median: toSeconds(percentile(steps, 0.5)), p95: toSeconds(percentile(steps, 0.95)) },
    ...{ undone: shared.undone.size, skipped: shared.skipped.size },
    kills: { browser: 1, desk: 1, worker: 1 },
    lost_pages: people.reduce((sum, { troubles }) => sum + troubles.lost, 0),
    told_that_another_was_first: people.reduce((sum, { troubles }) => sum + troubles.refused, 0),
    held_by_the_dead: held.length,
    released_after_seconds: released.map(({ sinceDeath }) => sinceDeath),
    taken_seconds_after_lease: released.map(({ late }) => late),
    ...figures,
    all_seconds: toSeconds(performance.now() - startedAt),
    ...environment.logsIf(broken.length > 0),
    broken,
  }
}

/** The service interface that the case and staff fixtures need, over real processes. */
export function casePlaceOf(environment: Environment, accounts: Account[]) {
  const worker = connect(environment.database.urls.worker, { poolMax: 2, applicationName: 'chaos cases' })
  const sites = sitesFromSettings(
    Object.fromEntries(
      String(environment.settings.SITES)
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    ),
  )
  const service: Pick<Service, 'clock' | 'deskUrl' | 'asOwner' | 'asWorker'> & {
    createCustomer: () => Promise<Account>
  } = {
    clock: { ...systemClock, setOffset: () => {} },
    deskUrl: String(environment.settings.DESK_URL),
    asOwner: (sql, values) => environment.query(sql, values) as Promise<never>,
    asWorker: <Result>(work: (tx: Transaction, sites: Sites) => Promise<Result>) =>
      inTransaction(worker.db, (tx) => work(tx, sites)),
    createCustomer: async () => accounts.pop() as Account,
  }
  return { service, [Symbol.asyncDispose]: worker[Symbol.asyncDispose] }
}

type Watched = { cases: number; shared: Shared; victims: readonly Kept[] }

/** Reports progress, kills each process once, and tells all reviewers when nothing is left. */
async function watch({ query }: Environment, { cases, shared, victims }: Watched): Promise<boolean> {
  const show = showProgress('cases')
  const until = performance.now() + patienceMs
  const waiting = [...victims]
  while (performance.now() < until && !shared.isOver) {
    const [row] = await query<{ decided: number }>('select count(*)::int as decided from desk_decisions')
    const decided = row?.decided ?? 0
    show(decided, cases)
    // The first fifth of the decisions is reserved for killing the browser.
    const next = (victims.length - waiting.length + 2) / (victims.length + 3)
    if (decided >= next * cases) await waiting.shift()?.kill()
    // The last reviewer to decide may still undo it.
    const [open] = await query<{ left: number }>(
      'select count(*)::int as left from desk_decisions where applied_at is null',
    )
    if (decided === cases && open?.left === 0) shared.isOver = true
    await sleep(200)
  }
  const isAll = shared.isOver
  shared.isOver = true
  return isAll
}

type Lease = { key: string; until: Date }

const leasesOf = ({ query }: Environment, staffId: string) =>
  query<Lease>('select case_key as key, expires_at as until from desk_claims where staff_id = $1 and expires_at > $2', [
    staffId,
    new Date(),
  ])

/**
 * Waits until others have claimed or decided the cases of the killed browser. The times are measured from its death and
 * from the end of its lease.
 */
async function untilReleased(environment: Environment, { deadId, held }: { deadId: string; held: readonly Lease[] }) {
  const [diedAt, until] = [Date.now(), performance.now() + patienceMs]
  const open = new Map(held.map((lease) => [lease.key, lease]))
  const released: { key: string; sinceDeath: number; late: number }[] = []
  while (open.size > 0 && performance.now() < until) {
    const taken = await environment.query<{ key: string; at: Date }>(
      `select details->>'case' as key, min(at) as at from audit_log
       where action = 'case.claim' and actor <> 'staff:' || $2 and details->>'case' = any ($1) and at > $3 group by 1`,
      [[...open.keys()], deadId, new Date(diedAt)],
    )
    for (const { key, at } of taken) {
      const lease = open.get(key)
      if (lease)
        released.push({
          key,
          sinceDeath: toSeconds(at.getTime() - diedAt),
          late: toSeconds(at.getTime() - lease.until.getTime()),
        })
      open.delete(key)
    }
    await sleep(100)
  }
  for (const { key } of open.values()) released.push({ key, sinceDeath: -1, late: Number.POSITIVE_INFINITY })
  return released
}

/** Half of the cases are reviews, some of them of edits; the rest are three equal parts. */
export function mixOf(cases: number) {
  const [edits, part] = [Math.floor(cases / 10), Math.floor(cases / 6)]
  return { reports: part, appeals: part, checks: part, edits, reviews: cases - edits - 3 * part }
}
