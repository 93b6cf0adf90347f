import { retention } from '../contract/retention/periods.ts'
import { type JobName, jobNamed, jobNames } from './jobs.ts'

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

/** The pg-boss options for a job's queue. */
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
    retentionSeconds: retention['waiting-jobs'].keptSeconds,
    deleteAfterSeconds: retention[schedule ? 'failed-scheduled-jobs' : 'failed-jobs'].keptSeconds,
  }
}

type Queue = { name: string; schedule?: string | undefined; options: Partial<QueueOptions> }

/** All queues and schedules of a prepared database. */
export const queues: readonly Queue[] = [
  // pg-boss's internal queue for schedules. By default, it would keep every minute's jobs for a week.
  { name: '__pgboss__send-it', options: { policy: 'standard', notify: true, deleteAfterSeconds: 3_600 } },
  ...jobNames.map((name) => ({ name, schedule: jobNamed(name).schedule, options: queueOptions(name) })),
]
