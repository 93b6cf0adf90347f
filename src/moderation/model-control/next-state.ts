import type { ModelState } from '../../../generated/database-types.ts'
import type { Act, ModelDriver } from './drivers.ts'

/**
 * The result of one check of the model and its queue. Durations come from a monotonic clock, because the system clock
 * may jump.
 */
export type Observation = {
  state: ModelState
  /** The number of waiting posts and edits. */
  waiting: number
  healthy: boolean
  /** Consecutive failed health checks, including this one. */
  failures: number
  /** Consecutive failed calls by workers. */
  faults: number
  /**
   * When something was last waiting or decided, and the current time. Both come from the service clock, so that tests
   * can skip a day.
   */
  busyAt: Date
  at: Date
  /** How long the model has been starting. */
  startingSeconds: number
  /** How long a start should take. */
  expectedStartSeconds: number
  /** How long the model has run with posts waiting but without a decision or other progress. */
  undecidedSeconds: number
  /** The time since this controller last started or stopped the model. */
  secondsSinceAct: number
  driver: Pick<ModelDriver, 'canStart' | 'endsWithWorker' | 'revival'> & { isDown: boolean }
  settings: { MODEL_IDLE_SECONDS: number; MODEL_TIMEOUT_SECONDS: number }
}

export type Step = { state: ModelState; acts: readonly Act[]; because: string | null }

/** Returns the step of the first matching row. If no row matches, nothing changes. */
export function nextState(seen: Observation): Step {
  const row = rows.find(({ from, when }) => from === seen.state && when(seen))
  if (!row) return { state: seen.state, acts: [], because: null }
  const acts = row.acts === 'revival' ? seen.driver.revival : row.acts
  return { state: row.to, acts: seen.driver.canStart ? acts : [], because: row.because }
}

type Row = {
  from: ModelState
  because: string
  when: (seen: Observation) => boolean
  to: ModelState
  acts: readonly Act[] | 'revival'
}

export const rows: readonly Row[] = [
  { from: 'idle', because: 'posts are waiting', when: isWanted, to: 'starting', acts: ['start'] },
  { from: 'idle', because: 'it is already running', when: isThereAnyway, to: 'running', acts: [] },
  { from: 'idle', because: 'it did not stop', when: didNotStop, to: 'idle', acts: ['stop'] },
  { from: 'starting', because: 'it is healthy', when: ({ healthy }) => healthy, to: 'running', acts: [] },
  { from: 'starting', because: 'its start is overdue', when: isOverdue, to: 'starting', acts: ['stop', 'start'] },
  { from: 'starting', because: 'it failed to start', when: didNotStart, to: 'starting', acts: ['start'] },
  {
    from: 'running',
    because: 'it does not respond to requests',
    when: isStalled,
    to: 'starting',
    acts: ['stop', 'start'],
  },
  { from: 'running', because: 'it is unreachable', when: isLost, to: 'starting', acts: 'revival' },
  { from: 'running', because: 'nothing is waiting', when: isIdle, to: 'idle', acts: ['stop'] },
]

function isWanted({ waiting }: Observation): boolean {
  return waiting > 0
}

function isThereAnyway({ healthy, driver }: Observation): boolean {
  return healthy && !driver.canStart
}

/**
 * True if a stop failed, or if the previous leader did not complete one. The command driver does not stop a model that
 * someone else started.
 */
function didNotStop({ healthy, driver, secondsSinceAct }: Observation): boolean {
  const isThere = !driver.isDown || (healthy && !driver.endsWithWorker)
  return driver.canStart && isThere && secondsSinceAct >= stopAgainSeconds
}

/**
 * A start is overdue after three times its usual duration, but never within the first minute, because a busy machine is
 * slow.
 */
function isOverdue({ startingSeconds, expectedStartSeconds }: Observation): boolean {
  return startingSeconds > Math.max(3 * expectedStartSeconds, 60)
}

function didNotStart({ driver, secondsSinceAct }: Observation): boolean {
  return driver.isDown && secondsSinceAct >= startAgainSeconds
}

/**
 * A model can pass its health check and still fail every other request. The workers' calls reveal this: at least three
 * in a row failed, and nothing was decided for twice the call timeout. One difficult post is not enough, and a busy
 * model is not restarted, because it makes progress.
 */
function isStalled({ waiting, faults, undecidedSeconds, settings }: Observation): boolean {
  return waiting > 0 && faults >= 3 && undecidedSeconds >= 2 * settings.MODEL_TIMEOUT_SECONDS
}

/** One failed check can be a coincidence. On a busy machine, even two can. */
function isLost({ failures }: Observation): boolean {
  return failures >= failuresUntilLost
}

function isIdle({ healthy, waiting, driver, busyAt, at, settings }: Observation): boolean {
  const idleSeconds = (at.getTime() - busyAt.getTime()) / 1_000
  return driver.canStart && healthy && waiting === 0 && idleSeconds >= settings.MODEL_IDLE_SECONDS
}

export const failuresUntilLost = 3
/** A command that crashes immediately, or a failing webhook, is not retried at every check. */
const startAgainSeconds = 5
/** A machine takes a while to shut down. */
const stopAgainSeconds = 60
