import assert from 'node:assert/strict'
import { SpanKind } from '@opentelemetry/api'
import type { Job, PgBoss } from 'pg-boss'
import { openCounter, openHistogram } from '../platform/observability/instruments.ts'
import type { Logger } from '../platform/observability/logger.ts'
import { errorTypeOf, inTrace } from '../platform/observability/tracing.ts'
import { connectWorker } from './connect-worker.ts'
import { startFindingDue } from './find-due.ts'
import { type JobName, type JobPayload, jobNamed } from './jobs.ts'
import { makeSlot, type Run, type WorkerSlot } from './slots.ts'
import { openUrgency } from './urgency.ts'

/** `attempt` counts from 1. The signal is aborted when the run times out or the process ends. */
export type Handler<Name extends JobName> = (
  payload: JobPayload<Name>,
  run: { signal: AbortSignal; attempt: number },
) => Promise<void>

export type Handlers = { [Name in JobName]?: Handler<Name> }

type Options = {
  /** Connects as broadside_worker, which has all the necessary privileges. */
  databaseUrl: string
  handlers: Handlers
  logger: Logger
  /** The jobs to run; by default all that have a handler. */
  names?: readonly JobName[]
  /** Jobs among them that start paused. */
  paused?: readonly JobName[]
  /** Taking or completing a job uses a connection only briefly. One more connection listens for new jobs. */
  poolMax?: number
  /** How long running jobs can take to finish on close. Unfinished jobs return to the queue. */
  graceSeconds?: number
}

export type RunningJobs = {
  /** Stops taking jobs with this name. Resolves when no more can start; running jobs continue. */
  pause: (name: JobName) => Promise<void>
  resume: (name: JobName) => void
  close: () => Promise<void>
} & AsyncDisposable

/** Runs jobs until it is closed, even if connections break meanwhile. */
export async function startJobs(options: Options): Promise<RunningJobs> {
  const { databaseUrl, handlers, logger, paused = [], poolMax = 4, graceSeconds = 10 } = options
  const names = options.names ?? (Object.keys(handlers) as JobName[])
  for (const name of names) assert(handlers[name], `the job ${name} has no handler`)
  const boss = await connectWorker(databaseUrl, { poolMax, logger })
  const urgency = openUrgency()
  const refreshNowAndThen = keepStatisticsFresh(boss)
  const slots = new Map(
    names.map((name) => {
      const run = runnerFor(boss, name, handlers[name] as Handler<JobName>, logger)
      const inTurn = (job: Job) => urgency.run(name, jobNamed(name).defersTo, () => run(job))
      return [name, slotsFor(boss, name, (job) => inTurn(job).finally(refreshNowAndThen))]
    }),
  )
  const slotsOf = (name: JobName): WorkerSlot[] => {
    const found = slots.get(name)
    assert(found, `this process does not handle jobs named ${name}`)
    return found
  }
  const wake = (name: JobName) => {
    for (const slot of slotsOf(name)) slot.wake()
  }
  const finding = startFindingDue(boss, { names, wake })
  const stop = async () => {
    for (const slot of [...slots.values()].flat()) void slot.close()
    await finding[Symbol.asyncDispose]()
    await boss.stop({ graceful: true, timeout: graceSeconds * 1_000 })
  }
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= stop()
    return closed
  }
  const resume = (name: JobName) => {
    if (!closed) for (const slot of slotsOf(name)) slot.open()
  }
  for (const name of names) if (!paused.includes(name)) resume(name)
  return {
    pause: async (name) => void (await Promise.all(slotsOf(name).map((slot) => slot.close()))),
    resume,
    close,
    [Symbol.asyncDispose]: close,
  }
}

const slotsFor = (boss: PgBoss, name: JobName, run: Run): WorkerSlot[] =>
  Array.from({ length: jobNamed(name).concurrency }, () => makeSlot(boss, name, run))

function runnerFor(boss: PgBoss, name: JobName, handle: Handler<JobName>, logger: Logger): Run {
  const { payload, retry } = jobNamed(name)
  const duration = openHistogram('messaging.process.duration')
  const failures = openCounter('jobs.failures')
  // Prometheus sees an increase only if there was a value before.
  failures.add(0, { queue: name, final: 'true' })
  const labels = {
    'messaging.system': 'pg-boss',
    'messaging.operation.name': 'process',
    'messaging.destination.name': name,
  }
  const runOnce = async (job: Job) => {
    const { id, retryCount, signal } = job
    const startedAt = performance.now()
    const seconds = () => (performance.now() - startedAt) / 1_000
    try {
      await handle(payload.parse(job.data) as JobPayload<JobName>, { signal, attempt: retryCount + 1 })
      duration.record(seconds(), labels)
    } catch (error) {
      const isLast = retryCount >= retry.limit
      duration.record(seconds(), { ...labels, 'error.type': errorTypeOf(error) })
      failures.add(1, { queue: name, final: String(isLast) })
      const outcome = isLast ? 'job failed permanently' : 'job failed and will be retried'
      logger[isLast ? 'error' : 'warn']({ job: name, job_id: id, attempt: retryCount + 1, error }, outcome)
      throw withoutDetails(error)
    }
    // Completed jobs are deleted. With an hour of completed jobs at 100 per second, each pg-boss query (every two
    // seconds) took 300 ms instead of 8. A job that another run has already taken is not deleted.
    await boss.deleteJob(name, { id, retryCount })
  }
  return (job: Job) => {
    const { traceparent } = (job.data ?? {}) as { traceparent?: unknown }
    const attributes = { ...labels, 'messaging.message.id': job.id }
    return inTrace(`process ${name}`, { kind: SpanKind.CONSUMER, attributes, traceparent }, () => runOnce(job))
  }
}

/** pg-boss stores thrown errors with the job, and PostgreSQL errors quote rows. The details are in the log. */
function withoutDetails(error: unknown): Error {
  const { name, code } = error instanceof Error ? (error as Error & { code?: unknown }) : { name: 'not an Error' }
  return Object.assign(new Error(typeof code === 'string' ? `${name} ${code}` : name), { stack: undefined })
}

/** Few enough that a new backlog is soon processed quickly, and enough to cost almost nothing per job. */
const jobsBetween = 500

/**
 * Returns a function to call after each job, which analyzes the job table from time to time. The table is empty at one
 * moment and has thousands of rows at the next, and autovacuum checks only once a minute. Until then, PostgreSQL
 * assumes an empty table and reads all waiting jobs to find one: with 5,000 jobs, workers took 200 per second instead
 * of 900.
 */
export function keepStatisticsFresh(boss: PgBoss): () => Promise<void> {
  let jobs = 0
  return async () => {
    jobs += 1
    // Errors are ignored: the next statement reports a lost connection, and the statistics can wait.
    if (jobs % jobsBetween === 0)
      await boss
        .getDb()
        .executeSql('select pgboss.refresh_statistics()')
        .catch(() => {})
  }
}
