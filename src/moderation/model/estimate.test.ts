import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { estimateDecision } from './estimate.ts'
import { averageRate, noTime, tellsSpeed } from './measure.ts'
import type { ModelStatus } from './read-status.ts'

const noon = new Date('2026-11-15T12:00:00Z')
const ago = (seconds: number) => new Date(noon.getTime() - seconds * 1_000)

const unmeasured: ModelStatus = {
  state: 'idle',
  since: ago(3_600),
  busyAt: ago(3_600),
  faults: 0,
  plannedStartSeconds: 1_200,
  startSeconds: null,
  decisionsPerSecond: null,
  decisionSeconds: null,
}
const measured: ModelStatus = { ...unmeasured, startSeconds: 100, decisionsPerSecond: 10, decisionSeconds: 0.5 }

function secondsFor(status: ModelStatus, waiting = 0): number {
  const { estimatedDecisionAt } = estimateDecision({ status, waiting, at: noon })
  return (estimatedDecisionAt.getTime() - noon.getTime()) / 1_000
}

test('a post that is queued while the model is idle sees starting, and a whole start before it', () => {
  const { state, retryAfterSeconds } = estimateDecision({ status: unmeasured, waiting: 0, at: noon })
  assert.equal(state, 'starting')
  assert.equal(retryAfterSeconds, 300)
  assert.ok(secondsFor(unmeasured) > 1_200 && secondsFor(unmeasured) < 1_300, `${secondsFor(unmeasured)} s`)
})

test('before anything was measured a running model is said to decide within about a minute', () => {
  const status: ModelStatus = { ...unmeasured, state: 'running' }
  const { state, retryAfterSeconds } = estimateDecision({ status, waiting: 0, at: noon })
  assert.equal(state, 'running')
  assert.ok(retryAfterSeconds > 15 && retryAfterSeconds <= 60, `${retryAfterSeconds} s`)
})

test('what was measured takes the place of what was supposed', () => {
  assert.ok(secondsFor({ ...measured, state: 'running' }) <= 6)
  assert.ok(secondsFor(measured) < 140)
  assert.ok(secondsFor({ ...measured, state: 'running', decisionsPerSecond: 1 }, 100) > 100)
})

suite('a start', () => {
  const starting = (passed: number): ModelStatus => ({ ...measured, state: 'starting', since: ago(passed) })
  const known = secondsFor({ ...measured, state: 'running' })

  test('that has begun is shorter by what has passed', () => {
    assert.equal(secondsFor(starting(0)) - secondsFor(starting(60)), 60)
  })
  test('that is all but over still takes a few seconds', () => {
    assert.ok(secondsFor(starting(124)) >= known + 4)
  })
  test('that is overdue is expected to take half as long again as it did', () => {
    assert.ok(Math.abs(secondsFor(starting(160)) - known - 80) <= 1)
  })
  test('that is overdue by a clock that jumped is not told to take for ever', () => {
    assert.ok(secondsFor(starting(86_400)) <= known + 125)
  })
  test('that lies in the future, since the clock was set back, takes a whole start', () => {
    assert.equal(secondsFor(starting(-86_400)), secondsFor(starting(0)))
  })
})

const seconds = (max: number) => fc.double({ min: 0, max, noNaN: true })
const anyStatus: fc.Arbitrary<ModelStatus> = fc.record({
  state: fc.constantFrom('idle', 'starting', 'running'),
  since: fc.integer({ min: -100_000, max: 100_000 }).map(ago),
  busyAt: fc.constant(noon),
  faults: fc.nat(10),
  plannedStartSeconds: fc.integer({ min: 1, max: 86_400 }),
  startSeconds: fc.option(seconds(10_000)),
  decisionsPerSecond: fc.option(seconds(5_000)),
  decisionSeconds: fc.option(seconds(600)),
})
const anyQueue = fc.nat(10_000)

test('whatever was measured, an estimate lies in the future and tells when to ask', () => {
  fc.assert(
    fc.property(anyStatus, anyQueue, (status, waiting) => {
      const { estimatedDecisionAt, retryAfterSeconds, state } = estimateDecision({ status, waiting, at: noon })
      assert.ok(estimatedDecisionAt.getTime() >= noon.getTime() + 1_000)
      assert.ok(Number.isInteger(retryAfterSeconds) && retryAfterSeconds >= 1)
      assert.ok(retryAfterSeconds <= (state === 'running' ? 60 : 300))
    }),
  )
})

test('a longer queue is never told to be quicker', () => {
  fc.assert(
    fc.property(anyStatus, anyQueue, anyQueue, (status, one, other) => {
      const [short, long] = [Math.min(one, other), Math.max(one, other)]
      assert.ok(secondsFor(status, short) <= secondsFor(status, long))
    }),
  )
})

test('a model that must still start is never told to be quicker than the same one when it runs', () => {
  fc.assert(
    fc.property(anyStatus, anyQueue, fc.constantFrom('idle', 'starting'), (status, waiting, state) => {
      assert.ok(secondsFor({ ...status, state }, waiting) >= secondsFor({ ...status, state: 'running' }, waiting))
    }),
  )
})

suite('of 500 posts nine of ten are decided no later than told', () => {
  const situations = [
    { name: 'when nothing was measured yet', slowdown: null },
    { name: 'when the machine is as fast as it was', slowdown: 1 },
    { name: 'when the machine has become half as slow again', slowdown: 1.5 },
  ]
  for (const { name, slowdown } of situations)
    test(name, () => {
      for (const perSecond of [1, 10, 100])
        for (const burstSeconds of [0, 5, 60])
          for (const seed of [1, 2, 3, 4, 5]) {
            const average = slowdown && perSecond * slowdown
            const share = simulate({ perSecond, average, burstSeconds, seed })
            assert.ok(share >= 0.9, `${share} at ${perSecond} a second, queued within ${burstSeconds} s`)
          }
    })
})

type Simulation = { perSecond: number; average: number | null; burstSeconds: number; seed: number }

/** The share of posts that were decided in time by a model whose speed scatters by half, in steps of 100 ms. */
function simulate({ perSecond, average, burstSeconds, seed }: Simulation): number {
  const gauss = gaussFrom(seed)
  const told: number[] = []
  let [queued, decided, inTime, scatter, work] = [0, 0, 0, 0, 0]
  let [decidedInSecond, waitingBefore, busy] = [0, 0, noTime]
  for (let step = 0; decided < 500; step += 1) {
    const now = step / 10
    for (; queued < Math.min(500, 1 + (500 * now) / burstSeconds || 500); queued += 1) {
      const status: ModelStatus = { ...measured, state: 'running', decisionsPerSecond: average }
      told.push(now + secondsFor(status, told.length - decided))
    }
    scatter = 0.9 * scatter + Math.sqrt(1 - 0.9 ** 2) * gauss()
    work = queued > decided ? work + (perSecond / 10) * Math.exp(0.5 * scatter - 0.125) : 0
    for (; work >= 1 && decided < queued; work -= 1) {
      if (now + 0.5 <= Number(told[decided])) inTime += 1
      decided += 1
      decidedInSecond += 1
    }
    if (step % 10 !== 9) continue
    const waiting = queued - decided
    const isBusy = waiting > 0 && waitingBefore > 0
    busy = isBusy ? { seconds: busy.seconds + 1, decisions: busy.decisions + decidedInSecond } : noTime
    if (tellsSpeed(busy)) [average, busy] = [averageRate(average, busy), noTime]
    waitingBefore = waiting
    decidedInSecond = 0
  }
  return inTime / 500
}

/** Normally distributed numbers, the same for the same seed: the sum of twelve even ones. */
function gaussFrom(seed: number): () => number {
  let state = seed * 7_919
  const even = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return () => Array.from({ length: 12 }, even).reduce((sum, one) => sum + one, -6)
}
