import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ModelState } from '../../../generated/database-types.ts'
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
  ['a post is waiting', { ...off, waiting: 1 }, 'starting', ['start'], 'posts are waiting'],
  ['a post is waiting and a model is already running', { ...off, waiting: 1, healthy: true }, 'starting', ['start']],
  ['the stop failed', { ...off, driver: webhooks }, 'idle', ['stop'], 'it did not stop'],
  ['the previous leader did not complete the stop', { ...off, healthy: true, driver: farAway }, 'idle', ['stop']],
  ['it was just stopped', { ...off, healthy: true, driver: farAway, secondsSinceAct: 59 }, 'idle'],
  ['a model that someone else started is running', { ...off, healthy: true }, 'idle'],
  ['an always-on model responds', { ...off, healthy: true, driver: alwaysOn }, 'running', [], 'it is already running'],
  ['an always-on model does not respond', { ...off, driver: alwaysOn }, 'idle'],
  ['a post waits for an always-on model', { ...off, waiting: 1, driver: alwaysOn }, 'starting'],

  ['it responds', { ...coming, healthy: true }, 'running', [], 'it is healthy'],
  ['it does not respond yet', coming, 'starting'],
  ['it is late', { ...coming, startingSeconds: 300 }, 'starting'],
  ['it is far too late', { ...coming, startingSeconds: 301 }, 'starting', ['stop', 'start'], 'its start is overdue'],
  [
    'a start that usually takes a second takes a minute',
    { ...coming, startingSeconds: 60, expectedStartSeconds: 1 },
    'starting',
  ],
  [
    'a start that usually takes a second takes longer than a minute',
    { ...coming, startingSeconds: 61, expectedStartSeconds: 1 },
    'starting',
    ['stop', 'start'],
  ],
  ['it has crashed', { ...coming, driver: { ...command, isDown: true } }, 'starting', ['start'], 'it failed to start'],
  ['it crashed immediately', { ...coming, secondsSinceAct: 4, driver: { ...command, isDown: true } }, 'starting'],
  ['an always-on model stays unreachable', { ...coming, startingSeconds: 9_999, driver: alwaysOn }, 'starting'],

  ['it works', {}, 'running'],
  ['it works slowly', { undecidedSeconds: 500 }, 'running'],
  ['a difficult post makes calls fail', { ...stalled, undecidedSeconds: 59 }, 'running'],
  ['some calls fail', { ...stalled, faults: 2 }, 'running'],
  ['calls failed, and nothing is waiting', { ...stalled, waiting: 0 }, 'running'],
  ['it is healthy and responds to no calls', stalled, 'starting', ['stop', 'start'], 'it does not respond to requests'],
  [
    'it is healthy on another machine and responds to no calls',
    { ...stalled, driver: webhooks },
    'starting',
    ['stop', 'start'],
  ],
  ['two health checks failed', { healthy: false, failures: 2 }, 'running'],
  ['three health checks failed', { healthy: false, failures: 3 }, 'starting', ['stop', 'start'], 'it is unreachable'],
  [
    'three health checks on another machine failed',
    { healthy: false, failures: 3, driver: webhooks },
    'starting',
    ['start'],
  ],
  ['three health checks of an always-on model failed', { healthy: false, failures: 3, driver: alwaysOn }, 'starting'],
  ['nothing has been waiting for a long time', unused, 'idle', ['stop'], 'nothing is waiting'],
  ['nothing has been waiting for a short time', { ...unused, busyAt: ago(899) }, 'running'],
  ['nothing was waiting for a long time, until now', { ...unused, waiting: 1 }, 'running'],
  [
    'nothing has been waiting for a long time, and a health check failed',
    { ...unused, healthy: false, failures: 1 },
    'running',
  ],
  ['nothing is waiting for an always-on model', { ...unused, driver: alwaysOn }, 'running'],
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

test('every row of the table has a test', () => {
  const tried = cases.map(([, seen]) => nextState({ ...well, ...seen }).because)
  assert.deepEqual(
    rows.filter(({ because }) => !tried.includes(because)),
    [],
  )
})
