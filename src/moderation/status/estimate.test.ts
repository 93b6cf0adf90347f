import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { ModerationLane } from '../../jobs/moderation-lanes.ts'
import { averageRate, noTime, tellsSpeed } from '../model-control/measure.ts'
import type { ModelStatusValues } from '../model-control/model-status.ts'
import { estimateDecision, windowsUntil } from './estimate.ts'

const noon = new Date('2026-11-15T12:00:00Z')
const ago = (seconds: number) => new Date(noon.getTime() - seconds * 1_000)

const unmeasured: ModelStatusValues = {
  state: 'idle',
  since: ago(3_600),
  busyAt: ago(3_600),
  faults: 0,
  plannedStartSeconds: 1_200,
  startSeconds: null,
  windowsPerSecond: { short: null, long: null },
  decisionSeconds: { short: null, long: null },
}
const measured: ModelStatusValues = {
  ...unmeasured,
  startSeconds: 100,
  windowsPerSecond: { short: 40, long: 80 },
  decisionSeconds: { short: 0.5, long: 2 },
}

function secondsFor(status: ModelStatusValues, windows = 4, lane: ModerationLane = 'short'): number {
  const { estimatedDecisionAt } = estimateDecision({ status, lane, windows, at: noon })
  return (estimatedDecisionAt.getTime() - noon.getTime()) / 1_000
}

test('a post that is queued while the model is idle waits for a whole start, with the state starting', () => {
  const { state, retryAfterSeconds } = estimateDecision({ status: unmeasured, lane: 'short', windows: 4, at: noon })
  assert.equal(state, 'starting')
  assert.equal(retryAfterSeconds, 300)
  assert.ok(secondsFor(unmeasured) >= 1_200 && secondsFor(unmeasured) < 1_500, `${secondsFor(unmeasured)} s`)
})

test('a running model is expected to decide within seconds, measured or not', () => {
  assert.ok(secondsFor({ ...unmeasured, state: 'running' }) <= 2)
  assert.ok(secondsFor({ ...measured, state: 'running' }) <= 1.1)
  assert.ok(secondsFor({ ...measured, state: 'running' }, 48, 'long') <= 3)
})

test('the wait for a queue depends on its windows', () => {
  const told = secondsFor({ ...measured, state: 'running' }, 4_000)
  assert.ok(told > 100 && told < 130, `${told} s`)
})

test('a measured start replaces the configured one', () => {
  assert.ok(secondsFor(measured) > 100 && secondsFor(measured) < 130)
})

suite('a start', () => {
  const starting = (passed: number): ModelStatusValues => ({ ...measured, state: 'starting', since: ago(passed) })

  test('that has begun takes only the remaining time', () => {
    assert.ok(secondsFor(starting(0)) - secondsFor(starting(60)) >= 60)
  })
  test('that is overdue is expected to take another half of the elapsed time', () => {
    const told = secondsFor(starting(160))
    assert.ok(told > 80 && told < 110, `${told} s`)
  })
  test('that is overdue because the clock jumped has a bounded estimate', () => {
    assert.ok(secondsFor(starting(86_400)) <= 130)
  })
  test('that is in the future, because the clock was set back, takes a whole start', () => {
    assert.equal(secondsFor(starting(-86_400)), secondsFor(starting(0)))
  })
})

const seconds = (max: number) => fc.double({ min: 0, max, noNaN: true })
const anyStatus: fc.Arbitrary<ModelStatusValues> = fc.record({
  state: fc.constantFrom('idle', 'starting', 'running'),
  since: fc.integer({ min: -100_000, max: 100_000 }).map(ago),
  busyAt: fc.constant(noon),
  faults: fc.nat(10),
  plannedStartSeconds: fc.integer({ min: 1, max: 86_400 }),
  startSeconds: fc.option(seconds(10_000)),
  windowsPerSecond: fc.record({ short: fc.option(seconds(5_000)), long: fc.option(seconds(5_000)) }),
  decisionSeconds: fc.record({ short: fc.option(seconds(600)), long: fc.option(seconds(600)) }),
})
const anyQueue = fc.nat(100_000)
const anyLane = fc.constantFrom<ModerationLane>('short', 'long')

test('every estimate is in the future and says when to poll', () => {
  fc.assert(
    fc.property(anyStatus, anyQueue, anyLane, (status, windows, lane) => {
      const question = { status, lane, windows, at: noon }
      const { estimatedDecisionAt, retryAfterSeconds, state } = estimateDecision(question)
      assert.ok(estimatedDecisionAt.getTime() >= noon.getTime() + 1_000)
      assert.ok(Number.isInteger(retryAfterSeconds) && retryAfterSeconds >= 1)
      assert.ok(retryAfterSeconds <= (state === 'running' ? 60 : 300))
    }),
  )
})

test('a longer queue never gets a shorter estimate', () => {
  fc.assert(
    fc.property(anyStatus, anyQueue, anyQueue, (status, one, other) => {
      const [short, long] = [Math.min(one, other), Math.max(one, other)]
      assert.ok(secondsFor(status, short) <= secondsFor(status, long))
    }),
  )
})

test('a model that must still start never gets a shorter estimate than a running one', () => {
  fc.assert(
    fc.property(anyStatus, anyQueue, fc.constantFrom('idle', 'starting'), (status, waiting, state) => {
      assert.ok(secondsFor({ ...status, state }, waiting) >= secondsFor({ ...status, state: 'running' }, waiting))
    }),
  )
})

suite('nine out of ten estimates are right within a factor of two', () => {
  for (const average of [null, 0.5, 1, 2])
    test(
      average === null ? 'when nothing was measured yet' : `when the last measured speed is ${average} of the real one`,
      () => {
        for (const perSecond of [4, 40, 400])
          for (const accounts of [1, 4])
            for (const seed of [1, 2, 3]) {
              const share = simulate({ perSecond, average: average && average * perSecond, accounts, seed })
              assert.ok(share >= 0.9, `${share} at ${perSecond} windows a second, ${accounts} accounts`)
            }
      },
    )
})

type Simulation = { perSecond: number; average: number | null; accounts: number; seed: number }

/**
 * For 100 seconds, accounts in turn submit posts of four windows, a tenth more than the model can judge; its speed
 * varies by a third. Returns the share of posts whose estimate was between half and twice the actual time.
 */
function simulate({ perSecond, average, accounts, seed }: Simulation): number {
  const gauss = gaussFrom(seed)
  const queues: { toldAt: number; told: number }[][] = Array.from({ length: accounts }, () => [])
  let [came, arrivals, right, decided, work, next] = [0, 0, 0, 0, 0, 0]
  let [judged, wasReady, busy] = [0, false, noTime]
  const alone = 4 / perSecond
  for (let step = 0; step < 1_000 || queues.some(({ length }) => length > 0); step += 1) {
    const now = step / 10
    if (step < 1_000) arrivals += (1.1 * perSecond) / 4 / 10
    for (; came < arrivals; came += 1) {
      const own = queues[came % accounts] ?? []
      const waiting = new Map(queues.map(({ length }, account) => [String(account), 4 * length]))
      const windows = windowsUntil(4 * (own.length + 1), String(came % accounts), waiting)
      const speed = { windowsPerSecond: { short: average, long: null }, decisionSeconds: { short: alone, long: null } }
      own.push({ toldAt: now, told: secondsFor({ ...measured, ...speed, state: 'running' }, windows) })
    }
    work += (perSecond / 10) * Math.exp(0.33 * gauss() - 0.054)
    for (; work >= 4 && queues.some(({ length }) => length > 0); work -= 4) {
      while (!queues[next % accounts]?.length) next += 1
      const { toldAt, told } = queues[next++ % accounts]?.shift() ?? { toldAt: 0, told: 0 }
      const took = Math.max(1, now - toldAt + alone)
      if (told <= 2 * took && told >= took / 2) right += 1
      decided += 1
      judged += 4
    }
    if (queues.every(({ length }) => length === 0)) work = 0
    if (step % 10 !== 9) continue
    const isReady = queues.some(({ length }) => length > 0)
    busy = isReady && wasReady ? { seconds: busy.seconds + 1, windows: busy.windows + judged } : noTime
    if (tellsSpeed(busy)) [average, busy] = [averageRate(average, busy), noTime]
    ;[wasReady, judged] = [isReady, 0]
  }
  return right / decided
}

/** Normally distributed numbers, the same for the same seed: the sum of twelve uniform ones. */
function gaussFrom(seed: number): () => number {
  let state = seed * 7_919
  const even = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return () => Array.from({ length: 12 }, even).reduce((sum, one) => sum + one, -6)
}
