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
  /** Accounts take turns: see `share` in enqueue.ts. */
  isShared?: true
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

/** A mail server may be away for a day. */
const mail = {
  concurrency: 2,
  retry: { limit: 200, delaySeconds: 10, maxDelaySeconds: 600 },
  heartbeatSeconds: 10,
  expireSeconds: 120,
} satisfies Omit<JobDefinition, 'payload'>

/** The payment provider may be away for days, and money must not be forgotten for it. */
const money = {
  concurrency: 2,
  retry: { limit: 10_000, delaySeconds: 1, maxDelaySeconds: 300 },
  heartbeatSeconds: 10,
  expireSeconds: 120,
} satisfies Omit<JobDefinition, 'payload'>

const postToJudge = z.object({ post_id: z.string(), edit: z.int().min(0) })

const judging = {
  payload: postToJudge,
  // The handler knows when a post has waited long enough for the model and goes to a person. Until then the queue,
  // which cannot know, must not give up: 1,000 tries are more than eight hours.
  retry: { limit: 1_000, delaySeconds: 1, maxDelaySeconds: 30 },
  heartbeatSeconds: 10,
  expireSeconds: 300,
  isShared: true,
} satisfies Omit<JobDefinition, 'concurrency'>

/** Every job there is. `npm run broadside -- migrate` makes or changes the queues accordingly. */
export const jobs = {
  // While the model does not run: decides what the rules decide alone, and hands the rest on to the model.
  'screen-post': { ...judging, concurrency: 4, expireSeconds: 60 },
  'moderate-post': { ...judging, concurrency: 8 },
  // Long posts have places of their own, so that they cannot take those of short ones. A worker has at most
  // 8 × 16 + 3 × 48 windows of text with the model: about three seconds of one processor.
  'moderate-long-post': { ...judging, concurrency: 3 },
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
  'tell-of-disabled-webhook': { ...mail, payload: z.object({ webhook_id: z.string() }) },
  // A code that comes late is of no use: the owner asks for another.
  'mail-code': {
    ...mail,
    payload: z.object({ code_id: z.int() }),
    retry: { limit: 20, delaySeconds: 1, maxDelaySeconds: 60 },
  },
  'mail-owner-link': { ...mail, payload: z.object({ mail_id: z.int() }) },
  'mail-staff-link': { ...mail, payload: z.object({ link_id: z.int() }) },
  'tell-owner': { ...mail, payload: z.object({ account_id: z.string(), about: z.string(), subject: z.string() }) },
  'relay-message': { ...mail, payload: z.object({ relay_id: z.string() }) },
  // Reads what the provider knows of a payment and books what is missing. One of the two names is enough.
  'settle-payment': {
    ...money,
    payload: z.object({ payment_id: z.string().nullable(), intent: z.string().nullable() }),
  },
  'read-card': { ...money, payload: z.object({ account_id: z.string() }) },
  'tell-provider-of-email': { ...money, payload: z.object({ account_id: z.string() }) },
  'recharge-balance': { ...money, payload: z.object({ account_id: z.string() }) },
  'send-refund': { ...money, payload: z.object({ refund_id: z.string() }) },
  // What follows when an owner has closed an account: texts that were not public go, pages lose the name.
  'clear-closed-account': { ...money, payload: z.object({ account_id: z.string() }), expireSeconds: 600 },
  'ask-for-recharges': everyMinute,
  // In the hour when least happens.
  'reconcile-payments': {
    ...everyMinute,
    schedule: '17 3 * * *',
    expireSeconds: 1_800,
    retry: { limit: 5, delaySeconds: 60, maxDelaySeconds: 600 },
  },
  // Soon after midnight, when all that began before it has ended.
  'count-moderation-days': {
    ...everyMinute,
    schedule: '11 0 * * *',
    expireSeconds: 1_800,
    retry: { limit: 5, delaySeconds: 60, maxDelaySeconds: 600 },
  },
  // Taken only while the model runs, as posts are.
  'run-canaries': {
    ...everyMinute,
    schedule: '41 5 * * *',
    expireSeconds: 1_800,
    retry: { limit: 3, delaySeconds: 60, maxDelaySeconds: 600 },
  },
  'forget-owner-sessions': everyMinute,
  'expire-posts': everyMinute,
  'forget-allowance-days': everyMinute,
  'forget-deliveries': everyMinute,
  'forget-idempotent-answers': everyMinute,
  'forget-rejected-edits': everyMinute,
  'forget-relayed-messages': everyMinute,
  'forget-signatures': everyMinute,
  'forget-staff-sessions': everyMinute,
  'forget-withdrawals': everyMinute,
  'measure-review-pace': everyMinute,
  'return-review-fees': everyMinute,
  'lapse-deletions': everyMinute,
  // A post that waits without a job, as after a restored backup or a job that failed for good, gets a new one.
  'requeue-stranded-posts': everyMinute,
  'settle-reports': everyMinute,
  'tell-of-reviews': everyMinute,
} satisfies Record<string, JobDefinition>

/** The jobs that ask the model about a post. */
export const moderationJobs = ['moderate-post', 'moderate-long-post'] as const satisfies readonly (keyof typeof jobs)[]

export type JobName = keyof typeof jobs
export type JobPayload<Name extends JobName> = z.output<(typeof jobs)[Name]['payload']>

export const jobNames = Object.keys(jobs) as JobName[]

/** The definition of a job, by a name that is not known in advance. */
export const jobNamed = (name: JobName): JobDefinition => jobs[name]
