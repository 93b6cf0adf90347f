import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ModelState } from '../../platform/database/database-types.ts'
import type { Act } from './drivers.ts'
import { nextState, type Observation, rows } from './next-state.ts'

const noon = new Date('2026-11-15T12:00:00Z')
const ago = (seconds: number) => new Date(noon.getTime() - seconds * 1_000)

const command = { canStart: true, endsWithWorker: true, revival: ['stop', 'start'], isDown: false } as const
const webhooks = { canStart: true, endsWithWorker: false, revival: ['start'], isDown: false } as const
const alwaysOn = { canStart: false, endsWithWorker: false, revival: [], isDown: false } as const

const farAway = { ...webhooks, isDown: true } as const

/** A healthy, running model with work to do. */
const well: Observation = {
  state: 'running',
  waiting: 5,
  healthy: true,
  failures: 0,
  faults: 0,
  busyAt: noon,
  at: noon,
  startingSeconds: 10,
  expectedStartSeconds: 100,
  undecidedSeconds: 0,
  secondsSinceAct: 1_000,
  driver: command,
  settings: { MODEL_IDLE_SECONDS: 900, MODEL_TIMEOUT_SECONDS: 30 },
}
const off = { state: 'idle', waiting: 0, healthy: false, failures: 9, driver: { ...command, isDown: true } } as const
const coming = { state: 'starting', healthy: false, failures: 9 } as const
const unused = { waiting: 0, busyAt: ago(900) } as const
const stalled = { faults: 3, undecidedSeconds: 60 } as const

type Case = [when: string, seen: Partial<Observation>, to: ModelState, acts?: readonly Act[], because?: string]

const cases: Case[] = [
  ['nothing is waiting', off, 'idle'],
  ['a post waits', { ...off, waiting: 1 }, 'starting', ['start'], 'posts are waiting'],
  ['a post waits and there is a model already', { ...off, waiting: 1, healthy: true }, 'starting', ['start']],
  ['the stop failed', { ...off, driver: webhooks }, 'idle', ['stop'], 'it did not stop'],
  ['the one before did not get to the stop', { ...off, healthy: true, driver: farAway }, 'idle', ['stop']],
  ['it was stopped just now', { ...off, healthy: true, driver: farAway, secondsSinceAct: 59 }, 'idle'],
  ['somebody else’s model runs', { ...off, healthy: true }, 'idle'],
  [
    'a model that is always on answers',
    { ...off, healthy: true, driver: alwaysOn },
    'running',
    [],
    'it is already running',
  ],
  ['a model that is always on does not answer', { ...off, driver: alwaysOn }, 'idle'],
  ['a post waits for a model that is always on', { ...off, waiting: 1, driver: alwaysOn }, 'starting'],

  ['it answers', { ...coming, healthy: true }, 'running', [], 'it is healthy'],
  ['it does not answer yet', coming, 'starting'],
  ['it is late', { ...coming, startingSeconds: 300 }, 'starting'],
  ['it is far too late', { ...coming, startingSeconds: 301 }, 'starting', ['stop', 'start'], 'its start is overdue'],
  ['a start of a second takes a minute', { ...coming, startingSeconds: 60, expectedStartSeconds: 1 }, 'starting'],
  [
    'a start of a second takes longer',
    { ...coming, startingSeconds: 61, expectedStartSeconds: 1 },
    'starting',
    ['stop', 'start'],
  ],
  ['it has crashed', { ...coming, driver: { ...command, isDown: true } }, 'starting', ['start'], 'it failed to start'],
  ['it crashed at once', { ...coming, secondsSinceAct: 4, driver: { ...command, isDown: true } }, 'starting'],
  ['a model that is always on stays away', { ...coming, startingSeconds: 9_999, driver: alwaysOn }, 'starting'],

  ['all is well', {}, 'running'],
  ['all is well, and slow', { undecidedSeconds: 500 }, 'running'],
  ['a hard post makes calls fail', { ...stalled, undecidedSeconds: 59 }, 'running'],
  ['calls fail now and then', { ...stalled, faults: 2 }, 'running'],
  ['calls failed, and nothing waits', { ...stalled, waiting: 0 }, 'running'],
  ['it is well and answers no calls', stalled, 'starting', ['stop', 'start'], 'it answers no requests'],
  ['it is well and answers no calls, far away', { ...stalled, driver: webhooks }, 'starting', ['stop', 'start']],
  ['it was not seen twice', { healthy: false, failures: 2 }, 'running'],
  ['it was not seen thrice', { healthy: false, failures: 3 }, 'starting', ['stop', 'start'], 'it is unreachable'],
  ['it was not seen thrice, far away', { healthy: false, failures: 3, driver: webhooks }, 'starting', ['start']],
  ['one that is always on was not seen thrice', { healthy: false, failures: 3, driver: alwaysOn }, 'starting'],
  ['nothing waits for long', unused, 'idle', ['stop'], 'nothing is waiting'],
  ['nothing waits for a while', { ...unused, busyAt: ago(899) }, 'running'],
  ['nothing waited for long, until now', { ...unused, waiting: 1 }, 'running'],
  ['nothing waits for long, and it was not seen', { ...unused, healthy: false, failures: 1 }, 'running'],
  ['nothing waits for one that is always on', { ...unused, driver: alwaysOn }, 'running'],
]

for (const state of ['idle', 'starting', 'running'] as const)
  suite(`a model that is ${state}`, () => {
    for (const [when, seen, to, acts = [], because] of cases) {
      const observation = { ...well, ...seen }
      if (observation.state !== state) continue
      test(`${when} → ${[to, ...acts].join(' + ')}`, () => {
        const step = nextState(observation)
        assert.deepEqual({ state: step.state, acts: step.acts }, { state: to, acts })
        if (because) assert.equal(step.because, because)
      })
    }
  })

test('every row of the table has its test', () => {
  const tried = cases.map(([, seen]) => nextState({ ...well, ...seen }).because)
  assert.deepEqual(
    rows.filter(({ because }) => !tried.includes(because)),
    [],
  )
})
