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
  /** What is missing to be trusted. */
  needs: string[]
}

const dayMs = 86_400_000

/** An account's level of trust at a moment. */
export function assessAccount(facts: TrustFacts, at: Date, numbers: TrustThresholds = trustThresholds): Trust {
  const needs = requirements.flatMap(({ missing }) => missing(facts, at, numbers) ?? [])
  if (needs.length > 0) return { level: 'new', since: facts.lastAbuseAt ?? facts.createdAt, needs }
  return { level: 'trusted', since: trustedSince(facts, numbers), needs }
}

/** The moment at which the last requirement was met. */
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
  /** The standing that this post is judged with. */
  treatedAs: Standing
  /** Why it is `new`; empty when it is `trusted`. */
  because: Because[]
}

/** How one post or edit is treated. A new account's posts are treated as new, whatever they are. */
export function assessPost(trust: Trust, post: PostFacts, numbers: TrustThresholds = trustThresholds): Assessment {
  const because: Because[] =
    trust.level === 'new' ? ['new_account'] : exceptionIds.filter((id) => exceptions[id].applies(post, numbers))
  return { ...trust, treatedAs: because.length === 0 ? 'trusted' : 'new', because }
}
