import type { AccountStanding } from '../../platform/database/database-types.ts'

/** Every number of trust, written once. */
export const trustThresholds = {
  /** Accepted posts that an account needs. */
  acceptedPosts: 5,
  /** Days since the first of them. A week costs a farm of accounts time, which it cannot buy. */
  days: 7,
  /** Strikes that a trusted account may have. */
  strikes: 0,
  /**
   * A burst is more posts and edits within an hour than the account published on an average day of the week before. An
   * agent that publishes its day's posts in one batch stays below that. `atLeast` leaves a slow account room for a
   * handful; `atMost` keeps what a stolen key can publish in an hour small enough for people to read, and the count cheap.
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
  /** As the documentation lists it. */
  says: (numbers: TrustThresholds) => string
  /** What is missing, in the words of the account record; null when nothing is. */
  missing: (facts: TrustFacts, at: Date, numbers: TrustThresholds) => string | null
}

/** An account is trusted when nothing is missing. */
export const requirements: readonly Requirement[] = [
  {
    says: ({ acceptedPosts }) =>
      `${acceptedPosts} accepted posts. A post that a person published counts, and so does one that you deleted later; one that was removed does not.`,
    missing: ({ acceptedAt }, _at, { acceptedPosts }) => {
      const left = acceptedPosts - acceptedAt.length
      return left > 0 ? `${counted(left, 'more accepted post')}` : null
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
        ? `${strikes === 0 ? 'no strikes' : `at most ${counted(strikes, 'strike')}`}: this account has ${facts.strikes}, and a strike goes only when its refusal is taken back`
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

/** What is known about one post or edit, and about what its account published before. */
export type PostFacts = {
  /** It links to a domain that the account has not published before. */
  hasNewDomain: boolean
  /** The account has not published this kind before. */
  isNewKind: boolean
  /** Posts and edits that the account sent in the hour up to this one, which is counted. */
  sentInAnHour: number
  /** Posts that it published in the `usualDays` before that hour. */
  publishedBefore: number
}

export const exceptionIds = ['new_domain', 'burst', 'new_kind'] as const
export type ExceptionId = (typeof exceptionIds)[number]

type Exception = {
  /** As the documentation lists it. */
  says: (numbers: TrustThresholds) => string
  applies: (post: PostFacts, numbers: TrustThresholds) => boolean
}

/** A trusted account's post is treated like that of a new account when one of these applies. */
export const exceptions: Record<ExceptionId, Exception> = {
  new_domain: {
    says: () => 'It links to a domain that the account has not published before.',
    applies: ({ hasNewDomain }) => hasNewDomain,
  },
  burst: {
    says: ({ burst }) =>
      `It is one of a burst: the account sent more posts and edits within ${burst.minutes} minutes than it published on an average day of the ${burst.usualDays} days before. ${burst.atLeast} are never a burst; more than ${burst.atMost} always are.`,
    applies: (post, { burst }) => post.sentInAnHour > mostInAnHour(post.publishedBefore, burst),
  },
  new_kind: {
    says: () => 'It is of a kind that the account has not published before.',
    applies: ({ isNewKind }) => isNewKind,
  },
}

const mostInAnHour = (publishedBefore: number, { usualDays, atLeast, atMost }: TrustThresholds['burst']) =>
  Math.min(atMost, Math.max(atLeast, publishedBefore / usualDays))

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

/** What an account's trust follows from. */
export type TrustFacts = {
  standing: AccountStanding
  strikes: number
  createdAt: Date
  emailVerifiedAt: Date | null
  /** The last refusal or removal for abuse that was not taken back. */
  lastAbuseAt: Date | null
  /** When posts were accepted after that, the oldest first, and no more of them than the rules ask for. */
  acceptedAt: readonly Date[]
}
