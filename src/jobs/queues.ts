import { type JobName, jobNamed, jobNames } from './jobs.ts'

const daySeconds = 86_400

/** A job may wait long for its worker: to lose it silently would be worse than to run it late. */
const keepWaitingSeconds = 365 * daySeconds
/** A job that failed for good is kept to be looked at. What a schedule does again in a minute piles up faster. */
const keepFailedSeconds = { once: 14 * daySeconds, scheduled: daySeconds }

/** In the words of pg-boss. */
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

/** What pg-boss is to know of a job's queue. */
export function queueOptions(name: JobName): QueueOptions {
  const { retry, heartbeatSeconds, expireSeconds, schedule } = jobNamed(name)
  return {
    // `exclusive`: while one is waiting or running, another is not added. A slow sweep is not run beside itself.
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

/** All that a prepared database depends on, as data. */
export const queues: readonly Queue[] = [
  // pg-boss's own, through which schedules are carried out. By default it would keep each minute's jobs for a week.
  { name: '__pgboss__send-it', options: { policy: 'standard', notify: true, deleteAfterSeconds: 3_600 } },
  ...jobNames.map((name) => ({ name, schedule: jobNamed(name).schedule, options: queueOptions(name) })),
]
