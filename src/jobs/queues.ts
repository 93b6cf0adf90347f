import { type JobName, jobNamed, jobNames } from './jobs.ts'

const daySeconds = 86_400

/** A job may wait long for its worker: losing it silently would be worse than running it late. */
const keepWaitingSeconds = 365 * daySeconds
/** Permanently failed jobs are kept for inspection. Scheduled jobs run every minute and would pile up faster. */
const keepFailedSeconds = { once: 14 * daySeconds, scheduled: daySeconds }

/** In pg-boss terms. */
export type QueueOptions = {
  policy: 'standard' | 'exclusive'
  notify: boolean
  retryLimit: number
  retryDelay: number
  retryBackoff: boolean
  retryDelayMax: number
  heartbeatSeconds: number
  expireInSeconds: number
  retentionSeconds: number
  deleteAfterSeconds: number
}

/** The pg-boss options of a job's queue. */
export function queueOptions(name: JobName): QueueOptions {
  const { retry, heartbeatSeconds, expireSeconds, schedule } = jobNamed(name)
  return {
    // `exclusive`: no second job is added while one waits or runs, so that a slow sweep does not overlap itself.
    policy: schedule ? 'exclusive' : 'standard',
    notify: true,
    retryLimit: retry.limit,
    retryDelay: retry.delaySeconds,
    retryBackoff: true,
    retryDelayMax: retry.maxDelaySeconds,
    heartbeatSeconds,
    expireInSeconds: expireSeconds,
    retentionSeconds: keepWaitingSeconds,
    deleteAfterSeconds: schedule ? keepFailedSeconds.scheduled : keepFailedSeconds.once,
  }
}

type Queue = { name: string; schedule?: string | undefined; options: Partial<QueueOptions> }

/** Everything that a prepared database depends on, as data. */
export const queues: readonly Queue[] = [
  // The internal queue of pg-boss for schedules. By default it would keep the jobs of each minute for a week.
  { name: '__pgboss__send-it', options: { policy: 'standard', notify: true, deleteAfterSeconds: 3_600 } },
  ...jobNames.map((name) => ({ name, schedule: jobNamed(name).schedule, options: queueOptions(name) })),
]
