import { z } from 'zod'

type JobDefinition = {
  /** Identifiers only: the handler reads the rows again, ends quietly when nothing is left to do, and bears a second run. */
  payload: z.ZodObject
  /** How many one process runs at a time. */
  concurrency: number
  /** Waits about `delaySeconds`, then twice as long each time, up to `maxDelaySeconds`. */
  retry: { limit: number; delaySeconds: number; maxDelaySeconds: number }
  /** A run that has not been heard of for so long is taken for dead, and started elsewhere. pg-boss allows no less than 10. */
  heartbeatSeconds: number
  /** A run that lives but takes longer is told to stop by its signal, and started again. */
  expireSeconds: number
  /** How late a job may start that was put off, if not two seconds. pg-boss allows no less than 0.5. */
  pollSeconds?: number
  /** When it is enqueued by itself: five fields of cron, in UTC. Of such a job there is never more than one. */
  schedule?: string
}

/** A sweep looks for rows whose time has come. One that fails is soon followed by the next, so it is hardly retried. */
const everyMinute = {
  payload: z.object({}),
  concurrency: 1,
  retry: { limit: 2, delaySeconds: 5, maxDelaySeconds: 20 },
  heartbeatSeconds: 10,
  expireSeconds: 300,
  schedule: '* * * * *',
} satisfies JobDefinition

/** A full disk is put right by a person; until then, for a month, the queue must not give up. */
const filesRetry = { limit: 100_000, delaySeconds: 1, maxDelaySeconds: 30 }

/** Every job there is. `npm run broadside -- migrate` makes or changes the queues accordingly. */
export const jobs = {
  'moderate-post': {
    payload: z.object({ post_id: z.string(), edit: z.int().min(0) }),
    concurrency: 8,
    // The handler knows when a post has waited long enough for the model and goes to a person. Until then the queue,
    // which cannot know, must not give up: 1,000 tries are more than eight hours.
    retry: { limit: 1_000, delaySeconds: 1, maxDelaySeconds: 30 },
    heartbeatSeconds: 10,
    expireSeconds: 300,
  },
  // Writes the files of one post, and asks for the lists that it stands in.
  'publish-post': {
    payload: z.object({ post_id: z.string() }),
    concurrency: 4,
    retry: filesRetry,
    heartbeatSeconds: 10,
    expireSeconds: 60,
  },
  // Writes one list with its feeds, one archive page, one part of the sitemap …
  'build-page': {
    payload: z.object({ kind: z.string(), page: z.string() }),
    concurrency: 3,
    retry: filesRetry,
    heartbeatSeconds: 10,
    expireSeconds: 120,
    pollSeconds: 0.5,
  },
  // A mail server may be away for a day.
  'tell-of-disabled-webhook': {
    payload: z.object({ webhook_id: z.string() }),
    concurrency: 1,
    retry: { limit: 200, delaySeconds: 10, maxDelaySeconds: 600 },
    heartbeatSeconds: 10,
    expireSeconds: 120,
  },
  'expire-posts': everyMinute,
  'forget-allowance-days': everyMinute,
  'forget-deliveries': everyMinute,
  'forget-idempotent-answers': everyMinute,
  'forget-signatures': everyMinute,
  'forget-withdrawals': everyMinute,
  'lapse-deletions': everyMinute,
  // A post that waits without a job, as after a restored backup or a job that failed for good, gets a new one.
  'requeue-stranded-posts': everyMinute,
  'settle-reports': everyMinute,
} satisfies Record<string, JobDefinition>

export type JobName = keyof typeof jobs
export type JobPayload<Name extends JobName> = z.output<(typeof jobs)[Name]['payload']>

export const jobNames = Object.keys(jobs) as JobName[]

/** The definition of a job, by a name that is not known in advance. */
export const jobNamed = (name: JobName): JobDefinition => jobs[name]
