import { readTrust } from '../../accounts/trust/read-trust.ts'
import { allowances } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems/problem.ts'
import { secondsToMidnight, startOfUtcDay } from '../../contract/time/utc-day.ts'
import type { Database, JointStatement } from '../../platform/database/database.ts'

const { max, problem } = allowances['reviews-per-new-account']

type Author = { accountId: string; at: Date }

/** Posts and edits of the account that went to a person today or still wait for one, up to the quota. */
export function reviewsStatement({ accountId, at }: Author): JointStatement {
  return {
    text: 'select from reviews where account_id = $1 and (waits or opened_at >= $2) limit $3',
    values: [accountId, startOfUtcDay(at), max],
  }
}

/**
 * Rejects a post or an edit of a new account before the charge while its earlier ones take too much of people's time.
 * Such a post must neither be published unseen nor get lost.
 */
export async function assertReviewQuota(db: Database, { accountId, at }: Author, reviews: readonly object[]) {
  if (reviews.length < max || (await readTrust(db, { accountId, at })).level === 'trusted') return
  throw new Problem(
    problem,
    `${max} posts or edits of this account went to a person today or still wait for one. Until the account is trusted, it can send more when these are decided and the next UTC day has begun.`,
    { headers: { 'retry-after': String(secondsToMidnight(at)) } },
  )
}
