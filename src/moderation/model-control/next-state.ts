import type { ModelState } from '../../platform/database/database-types.ts'
import type { Act, ModelDriver } from './drivers.ts'

/** What one look at the model and its queue brought. Seconds are measured and not read from the clock, which may jump. */
export type Observation = {
  state: ModelState
  /** Posts and edits that wait. */
  waiting: number
  healthy: boolean
  /** Looks in a row, this one included, at which it was not healthy. */
  failures: number
  /** Calls in a row that brought the workers no answer. */
  faults: number
  /** When something last waited or was decided, and now: by the clock, so that a day can be passed in a test. */
  busyAt: Date
  at: Date
  /** How long it has been starting. */
  startingSeconds: number
  /** How long a start should take. */
  expectedStartSeconds: number
  /** How long it has run, with something waiting all the time, without a decision or any other progress. */
  undecidedSeconds: number
  /** Since this controller last started or stopped it. */
  secondsSinceAct: number
  driver: Pick<ModelDriver, 'canStart' | 'endsWithWorker' | 'revival'> & { isDown: boolean }
  settings: { MODEL_IDLE_SECONDS: number; MODEL_TIMEOUT_SECONDS: number }
}

export type Step = { state: ModelState; acts: readonly Act[]; because: string | null }

/** What comes next: the first row of the table that fits, or else everything stays as it is. */
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
  { from: 'idle', because: 'something waits', when: isWanted, to: 'starting', acts: ['start'] },
  { from: 'idle', because: 'it is there without our doing', when: isThereAnyway, to: 'running', acts: [] },
  { from: 'idle', because: 'it was stopped and is still there', when: didNotStop, to: 'idle', acts: ['stop'] },
  { from: 'starting', because: 'it answers', when: ({ healthy }) => healthy, to: 'running', acts: [] },
  { from: 'starting', because: 'it takes far too long', when: isOverdue, to: 'starting', acts: ['stop', 'start'] },
  { from: 'starting', because: 'its start did not take', when: didNotStart, to: 'starting', acts: ['start'] },
  { from: 'running', because: 'it answers no questions', when: isStalled, to: 'starting', acts: ['stop', 'start'] },
  { from: 'running', because: 'it gives no sign of life', when: isLost, to: 'starting', acts: 'revival' },
  { from: 'running', because: 'nothing waits', when: isIdle, to: 'idle', acts: ['stop'] },
]

function isWanted({ waiting }: Observation): boolean {
  return waiting > 0
}

function isThereAnyway({ healthy, driver }: Observation): boolean {
  return healthy && !driver.canStart
}

/** A stop that failed, or that the one before did not get to. What runs here without our doing is not ours to stop. */
function didNotStop({ healthy, driver, secondsSinceAct }: Observation): boolean {
  const isThere = !driver.isDown || (healthy && !driver.endsWithWorker)
  return driver.canStart && isThere && secondsSinceAct >= stopAgainSeconds
}

/** Three times what a start takes is no longer chance; and even a quick one is given a minute on a busy machine. */
function isOverdue({ startingSeconds, expectedStartSeconds }: Observation): boolean {
  return startingSeconds > Math.max(3 * expectedStartSeconds, 60)
}

function didNotStart({ driver, secondsSinceAct }: Observation): boolean {
  return driver.isDown && secondsSinceAct >= startAgainSeconds
}

/**
 * A model can say that it is well and answer nothing else. The workers' calls tell, when several in a row came to
 * nothing and none was decided in twice the time that a call is given: so one post that is hard to judge is not enough.
 * A model that is only busy makes progress, and is left alone.
 */
function isStalled({ waiting, faults, undecidedSeconds, settings }: Observation): boolean {
  return waiting > 0 && faults >= 3 && undecidedSeconds >= 2 * settings.MODEL_TIMEOUT_SECONDS
}

/** One missed look may be chance, on a busy machine even two. */
function isLost({ failures }: Observation): boolean {
  return failures >= failuresUntilLost
}

function isIdle({ healthy, waiting, driver, busyAt, at, settings }: Observation): boolean {
  const idleSeconds = (at.getTime() - busyAt.getTime()) / 1_000
  return driver.canStart && healthy && waiting === 0 && idleSeconds >= settings.MODEL_IDLE_SECONDS
}

export const failuresUntilLost = 3
/** A command that crashes at once, or a webhook that fails, is not tried at every look. */
const startAgainSeconds = 5
/** A machine takes a while to be gone. */
const stopAgainSeconds = 60
