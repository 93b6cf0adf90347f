import { readTrust } from '../../accounts/trust/read-trust.ts'
import { allowances } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems/problem.ts'
import { secondsToMidnight, startOfUtcDay } from '../../contract/time/utc-day.ts'
import type { Database } from '../../platform/database/database.ts'

const { max, problem } = allowances['reviews-per-new-account']

type Author = { accountId: string; at: Date }

/**
 * Rejects a post or an edit of a new account before the charge while its earlier ones take too much of people's time.
 * Such a post must neither be published unseen nor get lost.
 */
export async function assertReviewQuota(db: Database, { accountId, at }: Author): Promise<void> {
  if ((await countReviews(db, { accountId, at })) < max) return
  if ((await readTrust(db, { accountId, at })).level === 'trusted') return
  throw new Problem(
    problem,
    `${max} posts or edits of this account went to a person today or still wait for one. Until the account is trusted, it can send more when these are decided and the next UTC day has begun.`,
    { headers: { 'retry-after': String(secondsToMidnight(at)) } },
  )
}

/** Posts and edits of the account that went to a person today or still wait for one, counted up to the quota. */
async function countReviews(db: Database, { accountId, at }: Author): Promise<number> {
  const reviews = await db
    .selectFrom('reviews')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where((review) => review.or([review('waits', '=', true), review('opened_at', '>=', startOfUtcDay(at))]))
    .limit(max)
    .execute()
  return reviews.length
}
