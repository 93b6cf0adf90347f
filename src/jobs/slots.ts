import type { Job, PgBoss } from 'pg-boss'
import { type JobName, quickJobs } from './jobs.ts'

/** Runs one job and completes it. If it throws, pg-boss retries the job. */
export type Run = (job: Job) => Promise<void>

export type WorkerSlot = { open: () => void; close: () => Promise<void>; wake: () => void }

/**
 * Runs one job at a time while it is open. Each slot is a separate pg-boss worker, so that its id is known and it can
 * be notified to take the next job immediately. Without that, a pg-boss worker for single jobs sleeps until its next
 * poll after every job, however many jobs wait.
 */
export function makeSlot(boss: PgBoss, name: JobName, run: Run): WorkerSlot {
  let shouldBeOpen = false
  let worker: string | undefined
  let busy = Promise.withResolvers<void>()
  // Changes run in order: a slot that is reopened while its last job runs waits for that job to end.
  let change = Promise.resolve()

  const wake = () => {
    if (worker) boss.notifyWorker(worker)
  }
  const take = async ([job]: Job[]) => {
    if (!job) return
    busy.resolve()
    try {
      await run(job)
    } finally {
      busy = Promise.withResolvers()
      wake()
    }
  }
  const settle = async () => {
    if (shouldBeOpen && !worker) worker = await boss.work(name, { ...fetching, ...polling, ...heartbeatOf(name) }, take)
    if (!shouldBeOpen && worker) {
      await boss.offWork(name, { id: worker, wait: true })
      worker = undefined
    }
  }
  return {
    open: () => {
      shouldBeOpen = true
      change = change.then(settle)
    },
    /** Resolves when no more jobs can start. A running job continues. */
    close: async () => {
      shouldBeOpen = false
      change = change.then(settle)
      await Promise.race([change, busy.promise])
    },
    /** Takes the next job now, if there is one. */
    wake,
  }
}

/**
 * Matches every priority. With this parameter, pg prepares the statement. Planning it each time took 0.8 ms, more than
 * the rest of a trivial job.
 */
const fetching = { minPriority: -(2 ** 31) }

/** Slots are woken: by notifications, and by `startFindingDue`. */
const polling = { pollingIntervalSeconds: 60, notifyPollingIntervalSeconds: 60 }

const heartbeatOf = (name: JobName) => (quickJobs.some((quick) => quick === name) ? { heartbeatRefreshSeconds: 1 } : {})
