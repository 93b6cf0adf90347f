import assert from 'node:assert/strict'
import type { Job, PgBoss } from 'pg-boss'
import type { Logger } from '../platform/observability/logger.ts'
import { connectWorker } from './connect-worker.ts'
import { type JobName, type JobPayload, jobNamed } from './jobs.ts'
import { makeSlot, type Run, type WorkerSlot } from './slots.ts'

/** `attempt` counts from 1. The signal is aborted when the run is no longer wanted: its time is up, or the process ends. */
export type Handler<Name extends JobName> = (
  payload: JobPayload<Name>,
  run: { signal: AbortSignal; attempt: number },
) => Promise<void>

export type Handlers = { [Name in JobName]?: Handler<Name> }

type Options = {
  /** As broadside_worker: the rights of that role are all that is needed. */
  databaseUrl: string
  handlers: Handlers
  logger: Logger
  /** The jobs to take; all that have a handler when left out. */
  names?: readonly JobName[]
  /** Those of them that are not taken until they are resumed. */
  paused?: readonly JobName[]
  /** Taking or ending a job holds a connection for a moment only. One more connection listens for new jobs. */
  poolMax?: number
  /** How long jobs that run may take to end when all is closed. What is left goes back to the queue. */
  graceSeconds?: number
}

export type RunningJobs = {
  /** Takes no more jobs of this name, and asks for none. Done when no further one can start; those that run go on. */
  pause: (name: JobName) => Promise<void>
  resume: (name: JobName) => void
  close: () => Promise<void>
} & AsyncDisposable

/** Takes jobs until it is closed, whatever happens to the connections meanwhile. */
export async function startJobs(options: Options): Promise<RunningJobs> {
  const { databaseUrl, handlers, logger, paused = [], poolMax = 4, graceSeconds = 10 } = options
  const names = options.names ?? (Object.keys(handlers) as JobName[])
  for (const name of names) assert(handlers[name], `the job ${name} has no handler`)
  const boss = await connectWorker(databaseUrl, { poolMax, logger })
  const refreshNowAndThen = keepStatisticsFresh(boss)
  const slots = new Map(
    names.map((name) => {
      const run = runnerFor(boss, name, handlers[name] as Handler<JobName>, logger)
      return [name, slotsFor(boss, name, (job) => run(job).finally(refreshNowAndThen))]
    }),
  )
  const slotsOf = (name: JobName): WorkerSlot[] => {
    const found = slots.get(name)
    assert(found, `this process does not take jobs of the name ${name}`)
    return found
  }
  let closed: Promise<void> | undefined
  const close = () => {
    if (!closed) for (const slot of [...slots.values()].flat()) void slot.close()
    closed ??= boss.stop({ graceful: true, timeout: graceSeconds * 1_000 })
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

/** New jobs wake the slots. A poll finds those that were put off, so this is how late a retry may be. */
const usualPoll = { scheduled: 10, others: 2 }

function slotsFor(boss: PgBoss, name: JobName, run: Run): WorkerSlot[] {
  const { concurrency, schedule, pollSeconds = schedule ? usualPoll.scheduled : usualPoll.others } = jobNamed(name)
  return Array.from({ length: concurrency }, () => makeSlot(boss, name, pollSeconds, run))
}

function runnerFor(boss: PgBoss, name: JobName, handle: Handler<JobName>, logger: Logger): Run {
  const { payload, retry } = jobNamed(name)
  return async (job: Job) => {
    const { id, retryCount, signal } = job
    try {
      await handle(payload.parse(job.data) as JobPayload<JobName>, { signal, attempt: retryCount + 1 })
    } catch (error) {
      const isLast = retryCount >= retry.limit
      const outcome = isLast ? 'the job failed for good' : 'the job failed and will be tried again'
      logger[isLast ? 'error' : 'warn']({ job: name, job_id: id, attempt: retryCount + 1, error }, outcome)
      throw withoutDetails(error)
    }
    // Done is gone. An hour of done jobs, at 100 a second, made each of pg-boss's looks at the table, every two seconds,
    // take 300 ms instead of 8. Nothing is deleted that another run has taken up by now.
    await boss.deleteJob(name, { id, retryCount })
  }
}

/** pg-boss stores what is thrown beside the job, and an error of PostgreSQL quotes rows. The log has the rest. */
function withoutDetails(error: unknown): Error {
  const { name, code } = error instanceof Error ? (error as Error & { code?: unknown }) : { name: 'not an Error' }
  return Object.assign(new Error(typeof code === 'string' ? `${name} ${code}` : name), { stack: undefined })
}

/** Often enough that a backlog is soon taken quickly, and rare enough to cost next to nothing for each job. */
const jobsBetween = 500

/**
 * To be called after each job: has the table of jobs analyzed now and then. It is empty at one moment and holds
 * thousands at the next, and autovacuum looks once a minute. Until it does, PostgreSQL takes the table for empty and
 * reads all waiting jobs to find one: of 5,000, the first were taken at 200 a second instead of 900.
 */
export function keepStatisticsFresh(boss: PgBoss): () => Promise<void> {
  let jobs = 0
  return async () => {
    jobs += 1
    // A lost connection is told by whoever needs it next, and these statistics can wait for the next turn.
    if (jobs % jobsBetween === 0)
      await boss
        .getDb()
        .executeSql('select pgboss.refresh_statistics()')
        .catch(() => {})
  }
}
