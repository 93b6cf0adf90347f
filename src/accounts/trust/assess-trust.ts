import {
  type ExceptionId,
  exceptionIds,
  exceptions,
  type PostFacts,
  requirements,
  type TrustFacts,
  type TrustThresholds,
  trustThresholds,
} from './trust-rules.ts'

export type Trust = {
  level: 'new' | 'trusted'
  /** When the account reached this level. */
  since: Date
  /** The missing requirements for trust. */
  needs: string[]
}

const dayMs = 86_400_000

/** An account's trust level at a given time. */
export function assessAccount(facts: TrustFacts, at: Date, numbers: TrustThresholds = trustThresholds): Trust {
  const needs = requirements.flatMap(({ missing }) => missing(facts, at, numbers) ?? [])
  if (needs.length > 0) return { level: 'new', since: facts.lastAbuseAt ?? facts.createdAt, needs }
  return { level: 'trusted', since: trustedSince(facts, numbers), needs }
}

/** When the last requirement was met. */
function trustedSince(
  { acceptedAt, emailVerifiedAt, createdAt }: TrustFacts,
  { acceptedPosts, days }: TrustThresholds,
) {
  const [first, last] = [acceptedAt[0], acceptedAt[acceptedPosts - 1]]
  const moments = [createdAt, emailVerifiedAt, last, first && new Date(first.getTime() + days * dayMs)]
  return new Date(Math.max(...moments.map((moment) => moment?.getTime() ?? 0)))
}

export type Standing = 'new' | 'trusted'
export type Because = 'new_account' | ExceptionId

export type Assessment = Trust & {
  /** The trust level that this post is judged with. */
  treatedAs: Standing
  /** Why it is `new`; empty if it is `trusted`. */
  because: Because[]
}

/** The trust level of one post or edit. Posts from a new account are always treated as new. */
export function assessPost(trust: Trust, post: PostFacts, numbers: TrustThresholds = trustThresholds): Assessment {
  const because: Because[] =
    trust.level === 'new' ? ['new_account'] : exceptionIds.filter((id) => exceptions[id].applies(post, numbers))
  return { ...trust, treatedAs: because.length === 0 ? 'trusted' : 'new', because }
}
