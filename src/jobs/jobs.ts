import { z } from 'zod'
import type { Deference } from './urgency.ts'

type JobDefinition = {
  /** Identifiers only: the handler reads the rows again, does nothing if no work is left, and can run twice. */
  payload: z.ZodObject
  /** Concurrency per process. */
  concurrency: number
  /** Waits about `delaySeconds`, then twice as long each time, up to `maxDelaySeconds`. */
  retry: { limit: number; delaySeconds: number; maxDelaySeconds: number }
  /** A run without a heartbeat for this long counts as dead and restarts elsewhere. pg-boss requires at least 10. */
  heartbeatSeconds: number
  /** A longer run is stopped by its signal and restarted. */
  expireSeconds: number
  /** On a busy machine, more urgent jobs of the same process go first: see urgency.ts. */
  defersTo?: Deference
  /** Accounts take turns: see `share` in enqueue.ts. */
  isShared?: true
  /** Schedule as five cron fields in UTC. At most one such job exists at a time. */
  schedule?: string
}

/** A sweep looks for rows that are due. After a failure the next sweep follows soon, so it needs few retries. */
const everyMinute = {
  payload: z.object({}),
  concurrency: 1,
  retry: { limit: 2, delaySeconds: 5, maxDelaySeconds: 20 },
  heartbeatSeconds: 10,
  expireSeconds: 300,
  schedule: '* * * * *',
} satisfies JobDefinition

/** Retries for a month, because a person must fix a full disk. */
const filesRetry = { limit: 100_000, delaySeconds: 1, maxDelaySeconds: 30 }

/** Retries for more than a day, because a mail server can be down that long. */
const mail = {
  concurrency: 2,
  retry: { limit: 200, delaySeconds: 10, maxDelaySeconds: 600 },
  heartbeatSeconds: 10,
  expireSeconds: 120,
} satisfies Omit<JobDefinition, 'payload'>

/** Retries for weeks: the payment provider can be down for days, and no payment may be lost. */
const money = {
  concurrency: 2,
  retry: { limit: 10_000, delaySeconds: 1, maxDelaySeconds: 300 },
  heartbeatSeconds: 10,
  expireSeconds: 120,
} satisfies Omit<JobDefinition, 'payload'>

const postToJudge = z.object({ post_id: z.string(), edit: z.int().min(0) })

/** What is decided is published before more is decided, and pages of posts come before the lists that show them. */
const behindPublications = (running: number) => ({ to: 'publish-post', running })

const judging = {
  payload: postToJudge,
  // The handler decides when a post has waited too long for the model and goes to review. The queue must not give up
  // before that: 1,000 retries take more than eight hours.
  retry: { limit: 1_000, delaySeconds: 1, maxDelaySeconds: 30 },
  heartbeatSeconds: 10,
  expireSeconds: 300,
  isShared: true,
  defersTo: behindPublications(4),
} satisfies Omit<JobDefinition, 'concurrency'>

/** All jobs. `npm run broadside -- migrate` creates or changes the queues accordingly. */
export const jobs = {
  // While the model is not running, decides the posts that the rules can decide alone and passes on the rest.
  'screen-post': { ...judging, concurrency: 4, expireSeconds: 60 },
  'moderate-post': { ...judging, concurrency: 8 },
  // Long posts have separate slots, so that they cannot take those of short posts. A worker sends the model at most
  // 8 × 16 + 3 × 48 windows of text at a time: about three seconds of one CPU core.
  'moderate-long-post': { ...judging, concurrency: 3 },
  // Writes the files of one post.
  'publish-post': {
    payload: z.object({ post_id: z.string() }),
    // Most of the time of a run is waiting for the page store and the database.
    concurrency: 8,
    retry: filesRetry,
    heartbeatSeconds: 10,
    expireSeconds: 60,
  },
  // Updates the listings of one post and enqueues their pages. The posts of a site do this one after the other.
  'list-post': {
    payload: z.object({ post_id: z.string() }),
    concurrency: 3,
    retry: filesRetry,
    heartbeatSeconds: 10,
    expireSeconds: 60,
    defersTo: behindPublications(3),
  },
  // Rewrites the pages that change with the date, such as the events of today. Some time zones are 15, 30 or 45 minutes
  // apart from the full hours of UTC.
  'build-date-pages': { ...everyMinute, schedule: '*/15 * * * *' },
  // Writes the proof that a post is in the transparency log.
  'write-proof': {
    payload: z.object({ post_id: z.string() }),
    concurrency: 4,
    retry: filesRetry,
    heartbeatSeconds: 10,
    expireSeconds: 60,
    defersTo: behindPublications(4),
  },
  // Writes one page: a listing with its feeds, an archive page, a part of the sitemap and so on.
  'build-page': {
    payload: z.object({ kind: z.string(), page: z.string() }),
    concurrency: 3,
    retry: filesRetry,
    heartbeatSeconds: 10,
    expireSeconds: 120,
    defersTo: behindPublications(2),
  },
  'tell-of-disabled-webhook': { ...mail, payload: z.object({ webhook_id: z.string() }) },
  // A late code is useless, because the owner requests another.
  'mail-code': {
    ...mail,
    payload: z.object({ code_id: z.int() }),
    retry: { limit: 20, delaySeconds: 1, maxDelaySeconds: 60 },
  },
  'mail-mailbox-code': {
    ...mail,
    payload: z.object({ code_id: z.int() }),
    retry: { limit: 20, delaySeconds: 1, maxDelaySeconds: 60 },
  },
  'mail-owner-link': { ...mail, payload: z.object({ mail_id: z.int() }) },
  'mail-staff-link': { ...mail, payload: z.object({ link_id: z.int() }) },
  // Each verified domain is read once a day.
  'check-domains': { ...everyMinute, schedule: '23 * * * *', expireSeconds: 1_800 },
  // Rewrites what shows an account's posts after its domain has changed.
  'refresh-author-pages': {
    payload: z.object({ account_id: z.string() }),
    concurrency: 1,
    retry: { limit: 10_000, delaySeconds: 1, maxDelaySeconds: 300 },
    heartbeatSeconds: 10,
    expireSeconds: 1_800,
  },
  'tell-owner': { ...mail, payload: z.object({ account_id: z.string(), about: z.string(), subject: z.string() }) },
  'relay-message': { ...mail, payload: z.object({ relay_id: z.string() }) },
  // Messages to sellers by people without an account: first the link that confirms their address.
  'mail-contact-link': { ...mail, payload: z.object({ message_id: z.string() }) },
  'relay-reader-message': { ...mail, payload: z.object({ message_id: z.string() }) },
  // Reads a payment from the provider and books the missing transfers. One of the two ids is enough.
  'settle-payment': {
    ...money,
    payload: z.object({ payment_id: z.string().nullable(), intent: z.string().nullable() }),
  },
  'read-card': { ...money, payload: z.object({ account_id: z.string() }) },
  'tell-provider-of-email': { ...money, payload: z.object({ account_id: z.string() }) },
  'recharge-balance': { ...money, payload: z.object({ account_id: z.string() }) },
  'send-refund': { ...money, payload: z.object({ refund_id: z.string() }) },
  // Runs after an owner has closed an account: deletes unpublished texts and removes the name from pages.
  'clear-closed-account': { ...money, payload: z.object({ account_id: z.string() }), expireSeconds: 600 },
  // Erases a post of a closed account that staff have removed: its author can no longer delete it.
  'erase-removed-post': { ...money, payload: z.object({ post_id: z.string() }) },
  'ask-for-recharges': everyMinute,
  // Runs in the quietest hour.
  'reconcile-payments': {
    ...everyMinute,
    schedule: '17 3 * * *',
    expireSeconds: 1_800,
    retry: { limit: 5, delaySeconds: 60, maxDelaySeconds: 600 },
  },
  // Runs soon after midnight, when all work that started before midnight has ended.
  'count-moderation-days': {
    ...everyMinute,
    schedule: '11 0 * * *',
    expireSeconds: 1_800,
    retry: { limit: 5, delaySeconds: 60, maxDelaySeconds: 600 },
  },
  'expire-posts': everyMinute,
  // Submits a draft that is approved or whose time has come. A job that gives up is found again by the next one.
  'submit-draft': {
    payload: z.object({ draft_id: z.string() }),
    concurrency: 4,
    retry: { limit: 100, delaySeconds: 1, maxDelaySeconds: 30 },
    heartbeatSeconds: 10,
    expireSeconds: 60,
  },
  'submit-due-drafts': everyMinute,
  'expire-drafts': everyMinute,
  'tell-of-drafts': everyMinute,
  // Deletes what has expired: see src/retention.ts. After a flood there may be much to delete in many tables.
  'purge-expired': { ...everyMinute, expireSeconds: 1_800 },
  // Not part of purge-expired: it waits for rebuilds and enqueues pages. Its periods are in the same table.
  'forget-withdrawals': everyMinute,
  // Enqueues posts and listings whose files do not match the database.
  'repair-pages': everyMinute,
  'measure-review-pace': everyMinute,
  'return-review-fees': everyMinute,
  'lapse-deletions': everyMinute,
  // Enqueues a new job for posts that wait without one, for example after a restored backup or a permanent failure.
  'requeue-stranded-posts': everyMinute,
  'settle-reports': everyMinute,
  'tell-of-reviews': everyMinute,
} satisfies Record<string, JobDefinition>

/** The jobs that ask the model about a post. */
export const moderationJobs = ['moderate-post', 'moderate-long-post'] as const satisfies readonly (keyof typeof jobs)[]

export type JobName = keyof typeof jobs
export type JobPayload<Name extends JobName> = z.output<(typeof jobs)[Name]['payload']>

export const jobNames = Object.keys(jobs) as JobName[]

/** The definition of a job whose name is not known at compile time. */
export const jobNamed = (name: JobName): JobDefinition => jobs[name]

/** Jobs that take milliseconds, and that readers wait for. Their workers tell every second that they are alive. */
export const quickJobs = [
  'publish-post',
  'list-post',
  'build-page',
  'write-proof',
] as const satisfies readonly JobName[]
