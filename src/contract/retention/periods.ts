import { inWords } from '../time/time-words.ts'
import { appPeriods } from './app-periods.ts'
import { draftPeriods } from './draft-periods.ts'
import { day, hour, job, minute, month, type Period, part, row } from './period.ts'
import { streamPeriods } from './stream-periods.ts'

/**
 * How long we keep what does not stay: the only place where these periods are written. Jobs, pages, emails and documents
 * read them here. `tables.ts` covers every table, with the reasons of those that stay.
 */
export const retention = {
  'idempotent-answers': {
    ...row,
    table: 'idempotent_answers',
    what: 'the stored response to an `Idempotency-Key`',
    keptSeconds: day,
    from: 'the first call',
    why: 'A retry gets the first response.',
  },
  deliveries: {
    ...row,
    table: 'deliveries',
    what: 'webhook deliveries and their attempts',
    keptSeconds: month,
    from: 'the event, or until the endpoint is deleted',
    why: 'You can view and replay them.',
  },
  'webhook-secrets': {
    ...row,
    table: 'webhook_secrets',
    what: 'a replaced webhook secret',
    keptSeconds: 0,
    from: 'it stops signing',
    why: 'It signs along with the new secret, so that you can switch without losing a delivery.',
  },
  'deleted-webhooks': {
    ...row,
    table: 'webhooks',
    what: 'a deleted webhook endpoint',
    keptSeconds: minute,
    from: 'its deletion, when its deliveries are gone',
    why: 'An event that is being recorded may still add a delivery.',
  },
  'rejected-edits': {
    ...part,
    table: 'post_edits',
    what: 'the text of a rejected edit',
    keptSeconds: month,
    from: 'the decision, or until an open appeal is decided',
    why: 'You can appeal, and a person can check the decision. There is no other reason to keep a text that was never public.',
  },
  ...draftPeriods,
  ...streamPeriods,
  signatures: {
    ...row,
    table: 'post_signatures',
    what: 'the fingerprint of a post that finds near-duplicates',
    keptSeconds: 7 * day,
    from: 'the submission',
    why: 'New posts are compared with those of the previous week.',
  },
  withdrawals: {
    ...row,
    table: 'withdrawals',
    what: 'the id of a post that was taken down, in [/deleted.json](/deleted.json)',
    keptSeconds: month,
    from: 'it was taken down',
    why: 'Mirrors and calendars use it to remove their copies.',
    deletedBy: 'forget-withdrawals',
  },
  'empty-listings': {
    ...row,
    table: 'shelves',
    what: 'the name of a topic without posts',
    // Not earlier than a withdrawal: a rebuild that began before must still learn from the row that its page is gone.
    keptSeconds: 2 * month,
    from: 'the last post left it',
    why: 'Its page must be deleted first. A topic is an author’s text.',
    deletedBy: 'forget-withdrawals',
  },
  'report-texts': {
    ...part,
    table: 'reports',
    what: 'the text, email address and account of a reporter',
    keptSeconds: 90 * day,
    from: 'the case was closed',
    why: 'We can ask the reporter, and an appeal can be decided.',
  },
  'relay-texts': {
    ...part,
    table: 'relayed_messages',
    what: 'the text of a message to a seller that could not be sent',
    keptSeconds: 3 * day,
    from: 'the message, or until it is sent',
    why: 'By then we have stopped trying to send it.',
  },
  relays: {
    ...row,
    table: 'relayed_messages',
    what: 'who wrote to which seller',
    keptSeconds: month,
    from: 'the message',
    why: 'Sellers can complain about a message.',
  },
  'reader-messages': {
    ...row,
    table: 'reader_messages',
    what: 'a message to a seller by somebody without an account',
    keptSeconds: 3 * day,
    from: 'its sender confirms it, or until it is sent; without a confirmation, until the link expires',
    why: 'By then we have stopped trying to send it.',
  },
  'allowance-uses': {
    ...row,
    table: 'allowance_uses',
    what: 'the counts of daily limits',
    keptSeconds: day,
    from: 'the end of the day',
    why: 'Clocks differ, so the day before still counts. Older counts would reveal who was active.',
  },
  'key-spending': {
    ...row,
    table: 'key_spending',
    what: 'the daily total that a key has spent',
    keptSeconds: day,
    from: 'the end of the day',
    why: 'The daily cap of the key is compared with it. The ledger has each charge.',
  },
  'deletion-requests': {
    ...part,
    table: 'accounts',
    what: 'an account deletion that the owner has not confirmed',
    keptSeconds: 7 * day,
    from: 'the request',
    why: 'An owner who does not answer keeps the account.',
    deletedBy: 'lapse-deletions',
  },
  'owner-links': {
    ...row,
    table: 'owner_links',
    what: 'a link to the owner page',
    keptSeconds: 0,
    from: 'it has expired and other links are created',
    why: 'It identifies the account that an owner wants to open.',
    deletedBy: 'createOwnerLink',
  },
  'owner-visits': {
    ...row,
    table: 'owner_visits',
    what: 'a visit to the owner page before the owner signs in',
    keptSeconds: 0,
    from: 'it expires',
    why: 'It remembers the account whose link was opened.',
  },
  'owner-codes': {
    ...row,
    table: 'owner_codes',
    what: 'a sign-in code',
    keptSeconds: day,
    from: 'it expires',
    why: 'The number of wrong codes per day is limited.',
  },
  ...appPeriods,
  'owner-link-mails': {
    ...row,
    table: 'owner_link_mails',
    what: 'a request for an email with a link to the owner page',
    keptSeconds: hour,
    from: 'the request or the email',
    why: 'These emails are limited per hour. A link that could not be sent by then must be requested again.',
  },
  'owner-sessions': {
    ...row,
    table: 'owner_sessions',
    what: 'an ended session of an owner',
    keptSeconds: month,
    from: 'it ended or was last used',
    why: 'Misuse of an account can be investigated.',
  },
  'provider-events': {
    ...row,
    table: 'provider_events',
    what: 'the ids of the payment provider’s notifications',
    keptSeconds: month,
    from: 'they arrived',
    // The provider retries an event for three days and keeps a log of thirty.
    why: 'A notification that arrives twice is ignored.',
  },
  'spent-challenges': {
    ...row,
    table: 'spent_challenges',
    what: 'a used passkey challenge',
    keptSeconds: hour,
    from: 'its use',
    why: 'A challenge is accepted once.',
    isInternal: true,
  },
  'staff-sessions': {
    ...row,
    table: 'staff_sessions',
    what: 'an ended session of a staff member',
    keptSeconds: month,
    from: 'it ended or was last used',
    why: 'Misuse of the desk can be investigated.',
    isInternal: true,
  },
  'desk-claims': {
    ...row,
    table: 'desk_claims',
    what: 'a claim on a case',
    keptSeconds: day,
    from: 'it expires',
    why: 'The member who had the case open may still return to it.',
    isInternal: true,
  },
  'unreviewed-cases': {
    ...row,
    table: 'open_cases',
    what: 'a check or an audit that nobody has reviewed, in the queue',
    keptSeconds: month,
    from: 'the decision',
    why: 'By then the decision has been in effect too long. The statistics still count it.',
    isInternal: true,
  },
  'desk-skips': {
    ...row,
    table: 'desk_skips',
    what: 'a skipped case',
    keptSeconds: hour,
    from: 'it returns to the member’s queue',
    why: 'Clocks differ.',
    isInternal: true,
  },
  'waiting-jobs': {
    ...job,
    what: 'a job that waits for its worker',
    keptSeconds: 365 * day,
    from: 'it could run',
    why: 'Losing it silently would be worse than running it late.',
  },
  'failed-jobs': {
    ...job,
    what: 'a job that failed permanently',
    keptSeconds: 14 * day,
    from: 'the last attempt',
    why: 'An operator can inspect it.',
  },
  'failed-scheduled-jobs': {
    ...job,
    what: 'a scheduled job that failed permanently',
    keptSeconds: day,
    from: 'the last attempt',
    why: 'Scheduled jobs run every minute and would pile up.',
  },
} as const satisfies Record<string, Period>

export type RetentionName = keyof typeof retention

/** By a dynamic name. */
export const retentionOf = (name: RetentionName): Period => retention[name]

export const retentionNames = Object.keys(retention) as RetentionName[]

/** Those that the job `purge-expired` deletes. */
export type PurgedName = {
  [Name in RetentionName]: (typeof retention)[Name]['deletedBy'] extends 'purge-expired' ? Name : never
}[RetentionName]

/** The period in milliseconds. */
export const keptMsOf = (name: RetentionName): number => retention[name].keptSeconds * 1_000

/** What is older than this has expired. */
export const expiryCutoff = (name: RetentionName, at: Date): Date => new Date(at.getTime() - keptMsOf(name))

/** `30 days` */
export const keptFor = (name: RetentionName): string => inWords(retention[name].keptSeconds)
