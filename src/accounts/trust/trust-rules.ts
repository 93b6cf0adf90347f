import type { AccountStanding } from '../../../generated/database-types.ts'

export const trustThresholds = {
  /** Accepted posts that an account needs. */
  acceptedPosts: 5,
  /** Days since the first accepted post. A spammer can pay for many accounts but cannot shorten this wait. */
  days: 7,
  /** The maximum number of strikes for a trusted account. */
  strikes: 0,
  /**
   * A burst is more posts and edits within an hour than the account published on an average day of the previous week.
   * An agent that publishes its daily posts in one batch stays below that. `atLeast` lets an account that rarely posts
   * send a few posts. `atMost` limits a stolen key to as many posts per hour as people can read, and keeps the count
   * cheap.
   */
  burst: { minutes: 60, usualDays: 7, atLeast: 5, atMost: 100 },
} as const

export type TrustThresholds = {
  acceptedPosts: number
  days: number
  strikes: number
  burst: { minutes: number; usualDays: number; atLeast: number; atMost: number }
}

const dayMs = 86_400_000

type Requirement = {
  /** As listed in the documentation. */
  says: (numbers: TrustThresholds) => string
  /** The missing requirement, as shown in the account record; null if it is met. */
  missing: (facts: TrustFacts, at: Date, numbers: TrustThresholds) => string | null
}

/** An account is trusted if it meets all requirements. */
export const requirements: readonly Requirement[] = [
  {
    says: ({ acceptedPosts }) =>
      `${acceptedPosts} accepted posts. Posts approved in review count, and so do posts that you deleted later. Removed posts do not count.`,
    missing: ({ acceptedAt, lastAbuseAt }, _at, { acceptedPosts }) => {
      const left = acceptedPosts - acceptedAt.length
      if (left <= 0) return null
      return `${counted(left, 'more accepted post')}${lastAbuseAt ? ' since the last rejection for abuse' : ''}`
    },
  },
  {
    says: ({ days }) => `The first of them was accepted at least ${days} days ago.`,
    missing: ({ acceptedAt: [first] }, at, { days }) => {
      if (!first) return `${counted(days, 'more day')}, counted from the first accepted post`
      const left = Math.ceil((first.getTime() + days * dayMs - at.getTime()) / dayMs)
      return left > 0 ? counted(left, 'more day') : null
    },
  },
  {
    says: ({ strikes }) => (strikes === 0 ? 'No strikes.' : `At most ${counted(strikes, 'strike')}.`),
    missing: (facts, _at, { strikes }) =>
      facts.strikes > strikes
        ? `${strikes === 0 ? 'no strikes' : `at most ${counted(strikes, 'strike')}`}: this account has ${facts.strikes}, and a strike is removed only when the decision that caused it is reversed`
        : null,
  },
  {
    says: () => 'A verified email address.',
    missing: ({ emailVerifiedAt }) =>
      emailVerifiedAt ? null : 'a verified email address, which the owner confirms on the owner page',
  },
  {
    says: () => 'An account that is not banned.',
    missing: ({ standing }) => (standing === 'good' ? null : `good standing: this account is ${standing}`),
  },
]

/** Facts about one post or edit and its account's history. */
export type PostFacts = {
  /** It links to a domain that the account has not linked to in a published post before. */
  hasNewDomain: boolean
  /** The account has not published a post of this kind before. */
  isNewKind: boolean
  /** Posts and edits that the account sent within the last hour, including this one. */
  sentInAnHour: number
  /** Posts that it published in the `usualDays` before that hour. */
  publishedBefore: number
}

export const exceptionIds = ['new_domain', 'burst', 'new_kind'] as const
export type ExceptionId = (typeof exceptionIds)[number]

type Exception = {
  /** As listed in the documentation. */
  says: (numbers: TrustThresholds) => string
  applies: (post: PostFacts, numbers: TrustThresholds) => boolean
}

/** If one of these applies, a trusted account's post is treated like a new account's. */
export const exceptions: Record<ExceptionId, Exception> = {
  new_domain: {
    says: () => 'It links to a domain that the account has not linked to in a published post before.',
    applies: ({ hasNewDomain }) => hasNewDomain,
  },
  burst: {
    says: ({ burst }) =>
      `It is part of a burst: the account sent more posts and edits within ${burst.minutes} minutes than it published on an average day of the previous ${burst.usualDays} days. ${burst.atLeast} or fewer are never a burst; more than ${burst.atMost} always are.`,
    applies: (post, { burst }) => post.sentInAnHour > mostInAnHour(post.publishedBefore, burst),
  },
  new_kind: {
    says: () => 'The account has not published a post of this kind before.',
    applies: ({ isNewKind }) => isNewKind,
  },
}

const mostInAnHour = (publishedBefore: number, { usualDays, atLeast, atMost }: TrustThresholds['burst']) =>
  Math.min(atMost, Math.max(atLeast, publishedBefore / usualDays))

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

/** The facts that determine an account's trust. */
export type TrustFacts = {
  standing: AccountStanding
  strikes: number
  createdAt: Date
  emailVerifiedAt: Date | null
  /** The latest rejection or removal for abuse that was not reversed. */
  lastAbuseAt: Date | null
  /** When the posts after `lastAbuseAt` were accepted, oldest first. At most as many as the rules need. */
  acceptedAt: readonly Date[]
}
