import type { Job, PgBoss } from 'pg-boss'
import type { JobName } from './jobs.ts'

/** Runs one job and settles it. When it throws, pg-boss puts the job back for another try. */
export type Run = (job: Job) => Promise<void>

export type WorkerSlot = { open: () => void; close: () => Promise<void> }

/**
 * A place for one job at a time, which takes jobs while it is open. Each slot is a worker of pg-boss of its own: then
 * its identifier is known, and it can be told to take the next job at once. A worker of pg-boss that takes single jobs
 * otherwise sleeps until its next poll after every job, however many wait.
 */
export function makeSlot(boss: PgBoss, name: JobName, pollSeconds: number, run: Run): WorkerSlot {
  let shouldBeOpen = false
  let worker: string | undefined
  let busy = Promise.withResolvers<void>()
  // One change after the other: a slot that is opened again while its last job runs waits for the end of that job.
  let change = Promise.resolve()

  const take = async ([job]: Job[]) => {
    if (!job) return
    busy.resolve()
    try {
      await run(job)
    } finally {
      busy = Promise.withResolvers()
      if (worker) boss.notifyWorker(worker)
    }
  }
  const settle = async () => {
    if (shouldBeOpen && !worker) worker = await boss.work(name, { ...fetching, ...polling(pollSeconds) }, take)
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
    /** Done when no further job can start. One that runs goes on. */
    close: async () => {
      shouldBeOpen = false
      change = change.then(settle)
      await Promise.race([change, busy.promise])
    },
  }
}

/**
 * Every priority is at least the lowest integer. But a statement with a parameter is prepared, and to plan this one took
 * 0.8 ms each time, which is more than all the rest of a trivial job.
 */
const fetching = { minPriority: -(2 ** 31) }

/** Whether or not new jobs are heard of, a poll finds those that were put off. */
const polling = (seconds: number) => ({ pollingIntervalSeconds: seconds, notifyPollingIntervalSeconds: seconds })
