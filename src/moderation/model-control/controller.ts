import { lanes, type ModerationLane } from '../../jobs/moderation-lanes.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import { readHealth } from '../../platform/outbound-http/configured-service.ts'
import { pause } from '../../platform/repeat.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { driverFrom, driverSettings, healthUrl, type ModelDriver } from './drivers.ts'
import { runAsLeader } from './leader-election.ts'
import {
  averageRate,
  averageStart,
  type BusyTime,
  countModelDecisions,
  lastDecisionId,
  noTime,
  tellsSpeed,
} from './measure.ts'
import { type ModelReading, type ModelStatusValues, readModel } from './model-status.ts'
import { failuresUntilLost, nextState, type Step } from './next-state.ts'

export const controllerSettings = [
  ...driverSettings,
  'MODEL_IDLE_SECONDS',
  'MODEL_START_SECONDS',
  'MODEL_TIMEOUT_SECONDS',
] as const

type Options = {
  /** For a dedicated connection, without a transaction pooler in between. */
  databaseUrl: string
  clock: Clock
  logger: Logger
  settings: Settings<(typeof controllerSettings)[number]>
  driver?: ModelDriver
  tickMs?: number
}

export type Controller = { isElected: () => boolean } & AsyncDisposable

/**
 * Starts and stops the model on demand and stores its state in the database. Every worker calls this, but only the
 * elected one acts. If it dies, another takes over within two seconds.
 */
export function startController(options: Options): Controller {
  const { databaseUrl, clock, logger, settings, driver = driverFrom(settings, logger), tickMs = 1_000 } = options
  const stop = new AbortController()
  let isElected = false
  const serve = async (db: Database) => {
    isElected = true
    logger.info('this worker is now the model controller')
    try {
      await lead({ db, clock, logger, settings, driver }, tickMs, stop.signal)
    } finally {
      isElected = false
    }
  }
  // A new leader could not stop a model that this worker runs as a child process, so the model stops now.
  const onFollower = () => driver.letGo()
  const seeking = runAsLeader({ databaseUrl, signal: stop.signal, serve, onFollower, logger, retryMs: tickMs })
  return {
    isElected: () => isElected,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await seeking
      await driver[Symbol.asyncDispose]()
    },
  }
}

export type Leadership = Pick<Options, 'clock' | 'logger' | 'settings'> & { db: Database; driver: ModelDriver }

async function lead(leadership: Leadership, tickMs: number, signal: AbortSignal): Promise<void> {
  const { db, settings } = leadership
  // Stored so that processes that estimate waiting times do not need this setting.
  await db.updateTable('model_status').set({ planned_start_seconds: settings.MODEL_START_SECONDS }).execute()
  const term = beginLeaderTerm(await lastDecisionId(db))
  while (!signal.aborted) {
    const begun = performance.now()
    await tick(leadership, term)
    await pause(Math.max(0, begun + tickMs - performance.now()), signal)
  }
  if (leadership.driver.endsWithWorker) await resign(leadership)
}

/** Workers see the state `idle` before the model stops, and the leadership is released only afterwards. */
async function resign({ db, clock, driver }: Leadership): Promise<void> {
  await db.updateTable('model_status').set({ state: 'idle', since: clock.now() }).where('state', '<>', 'idle').execute()
  await driver.letGo()
}

export type LeaderTerm = ReturnType<typeof beginLeaderTerm>

/** The observations of a controller during its term. All times are monotonic. */
export function beginLeaderTerm(decisionId: number) {
  const now = performance.now()
  return {
    lookedAt: now,
    /** The posts in each lane that were ready at the last check, and the busy time since the last measurement. */
    ready: { short: 0, long: 0 },
    busy: { short: noTime, long: noTime },
    wasRunning: false,
    decisionId,
    /** The windows that the model had finished at the last check, if it reports them. */
    finished: null as number | null,
    /** When the model last decided or finished something, or had nothing to do. */
    decidedAt: now,
    /** When the current state began, as observed by this controller. */
    stateAt: now,
    actedAt: Number.NEGATIVE_INFINITY,
    /** When the start that is being measured began; null if none is measured. */
    startedAt: null as number | null,
    // A model inherited from the previous leader may be dead, so one failed check is enough.
    failures: failuresUntilLost - 1,
  }
}

/** Checks the model once and acts on the result. Each step has a time limit. */
export async function tick(leadership: Leadership, term: LeaderTerm): Promise<void> {
  const look = await lookAround(leadership, term)
  const step = decide(leadership, term, look)
  const after = statusAfter(term, look, step)
  remember(term, look, step)
  // Leadership is tied to the connection: a controller that has lost it fails here and does not act.
  await write(leadership.db, look.status, after, step)
  await act(leadership, term, look, step)
}

type Look = Awaited<ReturnType<typeof lookAround>>

/** A model that takes longer to respond to a health check is unhealthy. */
const healthTimeoutMs = 2_000

async function lookAround({ db, clock, settings }: Leadership, term: LeaderTerm) {
  const [reading, { isWell: healthy, progress }] = await Promise.all([
    readModel(db),
    readHealth(healthUrl(settings), healthTimeoutMs),
  ])
  const { status, waiting } = reading
  const decisions = await countModelDecisions(db, term.decisionId)
  const [at, now] = [clock.now(), performance.now()]
  const finished = progress?.finished ?? null
  // A model that makes progress is working, however long its responses take.
  const isWorking = decisions.made > 0 || (finished !== null && finished !== term.finished)
  // If the clock was set back, `busyAt` is in the future and is reset to the current time.
  const isBusy = waiting > 0 || decisions.made > 0 || status.busyAt > at
  const busyAt = isBusy ? at : status.busyAt
  const busy = busyTimes(term, reading, decisions.windows, now)
  return {
    ...{ status, waiting, lanes: reading.lanes, healthy, decisions, finished, isWorking, busyAt, busy, at, now },
  }
}

/** Speed is measured only while posts are waiting; otherwise the result would be the arrival rate. */
function busyTimes(
  term: LeaderTerm,
  reading: ModelReading,
  judged: Record<ModerationLane, number>,
  now: number,
): Record<ModerationLane, BusyTime> {
  const seconds = (now - term.lookedAt) / 1_000
  const isRunning = term.wasRunning && reading.status.state === 'running'
  const busyTime = (lane: ModerationLane) =>
    isRunning && term.ready[lane] > 0 && reading.lanes[lane].ready > 0
      ? { seconds: term.busy[lane].seconds + seconds, windows: term.busy[lane].windows + judged[lane] }
      : noTime
  return { short: busyTime('short'), long: busyTime('long') }
}

function decide({ settings, driver }: Leadership, term: LeaderTerm, look: Look): Step {
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

/** A restart counts as a new state, although its name stays the same. */
const isNewState = ({ status }: Look, { state, acts }: Step) =>
  state !== status.state || (state === 'starting' && acts.includes('stop'))

function statusAfter(term: LeaderTerm, look: Look, step: Step): ModelStatusValues {
  const { status, busyAt, busy, at, now } = look
  const isNew = isNewState(look, step)
  const speedOf = (lane: ModerationLane) => {
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

function remember(term: LeaderTerm, look: Look, step: Step): void {
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

/** Writes only changed columns, because workers may have written newer decision times and `faults` since this check. */
async function write(db: Database, before: ModelStatusValues, after: ModelStatusValues, { acts }: Step): Promise<void> {
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

async function act({ driver, logger }: Leadership, term: LeaderTerm, look: Look, step: Step): Promise<void> {
  const { status, healthy } = look
  if (isNewState(look, step) || step.acts.length > 0)
    logger.info({ from: status.state, to: step.state, because: step.because, acts: step.acts }, 'model state changed')
  for (const name of step.acts) {
    // Only a real start is measured: a model that already responds is not started, and a model that was only
    // unreachable may be back immediately.
    const isRealStart = status.state === 'idle' || step.acts.includes('stop') || term.startedAt !== null
    if (name === 'start') term.startedAt = isRealStart && !healthy ? performance.now() : null
    await driver[name]().catch((error) => logger.warn({ error, act: name }, 'model driver failed'))
  }
  if (step.acts.length > 0) term.actedAt = performance.now()
}
