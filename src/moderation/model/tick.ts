import { type Lane, lanes } from '../../jobs/lanes.ts'
import type { Database } from '../../platform/database.ts'
import { readHealth } from '../../platform/outbound-http/configured-service.ts'
import type { Office } from './controller.ts'
import { healthUrl } from './drivers.ts'
import { averageRate, averageStart, type BusyTime, countDecisions, noTime, tellsSpeed } from './measure.ts'
import { failuresUntilLost, nextState, type Step } from './next-state.ts'
import { type ModelStatus, type Reading, readModel } from './read-status.ts'

export type Term = ReturnType<typeof beginTerm>

/** What a controller knows from having watched. All times are the process's own, which do not jump. */
export function beginTerm(decisionId: number) {
  const now = performance.now()
  return {
    lookedAt: now,
    /** Posts of each lane that waited for a place at the last look, and the time through which some did. */
    ready: { short: 0, long: 0 },
    busy: { short: noTime, long: noTime },
    wasRunning: false,
    decisionId,
    /** Windows that the model had finished at the last look, if it says so. */
    finished: null as number | null,
    /** When it last decided or finished something, or had nothing to do. */
    decidedAt: now,
    /** When the present state began, as far as this controller saw. */
    stateAt: now,
    actedAt: Number.NEGATIVE_INFINITY,
    /** When a start began that is worth measuring. */
    startedAt: null as number | null,
    // What the one before left behind may be dead: one failed look is enough.
    failures: failuresUntilLost - 1,
  }
}

/** One look and what follows from it. Each part of it has a time limit, so the whole has one. */
export async function tick(office: Office, term: Term): Promise<void> {
  const look = await lookAround(office, term)
  const step = decide(office, term, look)
  const after = statusAfter(term, look, step)
  remember(term, look, step)
  // The connection is the office: who has lost it gets no further than this, and so does not act.
  await write(office.db, look.status, after, step)
  await act(office, term, look, step)
}

type Look = Awaited<ReturnType<typeof lookAround>>

/** A model that takes longer to say that it is well is not. */
const healthTimeoutMs = 2_000

async function lookAround({ db, clock, settings }: Office, term: Term) {
  const [reading, { isWell: healthy, progress }] = await Promise.all([
    readModel(db),
    readHealth(healthUrl(settings), healthTimeoutMs),
  ])
  const { status, waiting } = reading
  const decisions = await countDecisions(db, term.decisionId)
  const [at, now] = [clock.now(), performance.now()]
  const finished = progress?.finished ?? null
  // A model that is at work is busy, however long its answers take.
  const isWorking = decisions.made > 0 || (finished !== null && finished !== term.finished)
  // A clock that was set back would leave a time in the future, which must not count as busy until it comes.
  const isBusy = waiting > 0 || decisions.made > 0 || status.busyAt > at
  const busyAt = isBusy ? at : status.busyAt
  const busy = busyTimes(term, reading, decisions.windows, now)
  return {
    ...{ status, waiting, lanes: reading.lanes, healthy, decisions, finished, isWorking, busyAt, busy, at, now },
  }
}

/** Speed is what the model does while posts wait for a place: with fewer posts, it would tell how many come. */
function busyTimes(term: Term, reading: Reading, judged: Record<Lane, number>, now: number): Record<Lane, BusyTime> {
  const seconds = (now - term.lookedAt) / 1_000
  const isRunning = term.wasRunning && reading.status.state === 'running'
  const busyTime = (lane: Lane) =>
    isRunning && term.ready[lane] > 0 && reading.lanes[lane].ready > 0
      ? { seconds: term.busy[lane].seconds + seconds, windows: term.busy[lane].windows + judged[lane] }
      : noTime
  return { short: busyTime('short'), long: busyTime('long') }
}

function decide({ settings, driver }: Office, term: Term, look: Look): Step {
  const { status, waiting, healthy, isWorking, busyAt, at, now } = look
  term.failures = healthy || isWorking ? 0 : term.failures + 1
  if (isWorking || waiting === 0 || !term.wasRunning) term.decidedAt = now
  const secondsSince = (then: number) => (now - then) / 1_000
  const { canStart, endsWithWorker, revival } = driver
  return nextState({
    state: status.state,
    waiting,
    healthy,
    failures: term.failures,
    faults: status.faults,
    busyAt,
    at,
    startingSeconds: secondsSince(term.stateAt),
    expectedStartSeconds: status.startSeconds ?? status.plannedStartSeconds,
    undecidedSeconds: secondsSince(term.decidedAt),
    secondsSinceAct: secondsSince(term.actedAt),
    driver: { canStart, endsWithWorker, revival, isDown: driver.isDown() },
    settings,
  })
}

/** A start over again counts as another state of the same name. */
const isNewState = ({ status }: Look, { state, acts }: Step) =>
  state !== status.state || (state === 'starting' && acts.includes('stop'))

function statusAfter(term: Term, look: Look, step: Step): ModelStatus {
  const { status, busyAt, busy, at, now } = look
  const isNew = isNewState(look, step)
  const speedOf = (lane: Lane) => {
    const known = status.windowsPerSecond[lane]
    return tellsSpeed(busy[lane]) ? averageRate(known, busy[lane]) : known
  }
  const hasStarted = step.state === 'running' && term.startedAt !== null
  return {
    ...status,
    state: step.state,
    since: isNew ? at : status.since,
    busyAt: isNew ? at : busyAt,
    faults: isNew ? 0 : status.faults,
    ...(hasStarted && { startSeconds: averageStart(status.startSeconds, (now - Number(term.startedAt)) / 1_000) }),
    windowsPerSecond: { short: speedOf('short'), long: speedOf('long') },
  }
}

function remember(term: Term, look: Look, step: Step): void {
  term.lookedAt = look.now
  for (const lane of lanes) {
    term.ready[lane] = look.lanes[lane].ready
    term.busy[lane] = tellsSpeed(look.busy[lane]) ? noTime : look.busy[lane]
  }
  term.finished = look.finished
  term.wasRunning = look.status.state === 'running'
  term.decisionId = look.decisions.lastId
  if (isNewState(look, step)) term.stateAt = look.now
  if (step.state !== 'starting') term.startedAt = null
}

/** Only what changed: of the times of decisions and of `faults` the workers know more than this look. */
async function write(db: Database, before: ModelStatus, after: ModelStatus, { acts }: Step): Promise<void> {
  const changes = {
    ...((after.state !== before.state || acts.length > 0) && { state: after.state }),
    ...(after.since !== before.since && { since: after.since }),
    ...(after.busyAt !== before.busyAt && { busy_at: after.busyAt }),
    ...(after.faults !== before.faults && { faults: after.faults }),
    ...(after.startSeconds !== before.startSeconds && { start_seconds: after.startSeconds }),
    ...(after.windowsPerSecond.short !== before.windowsPerSecond.short && {
      windows_per_second: after.windowsPerSecond.short,
    }),
    ...(after.windowsPerSecond.long !== before.windowsPerSecond.long && {
      long_windows_per_second: after.windowsPerSecond.long,
    }),
  }
  if (Object.keys(changes).length > 0) await db.updateTable('model_status').set(changes).execute()
}

async function act({ driver, logger }: Office, term: Term, look: Look, step: Step): Promise<void> {
  const { status, healthy } = look
  if (isNewState(look, step) || step.acts.length > 0)
    logger.info({ from: status.state, to: step.state, because: step.because, acts: step.acts }, 'the model’s state')
  for (const name of step.acts) {
    // One that answers already is not started, and one that was only out of sight may be back at once.
    const isRealStart = status.state === 'idle' || step.acts.includes('stop') || term.startedAt !== null
    if (name === 'start') term.startedAt = isRealStart && !healthy ? performance.now() : null
    await driver[name]().catch((error) => logger.warn({ error, act: name }, 'the model’s driver failed'))
  }
  if (step.acts.length > 0) term.actedAt = performance.now()
}
