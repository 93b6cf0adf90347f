import { sql } from 'kysely'
import { readTrust } from '../../accounts/trust/read-trust.ts'
import { allowances } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems/problem.ts'
import { secondsToMidnight, startOfUtcDay } from '../../contract/time/utc-day.ts'
import type { Transaction } from '../../platform/database/database.ts'

const { max, problem } = allowances['reviews-per-new-account']

/**
 * Rejects a post or an edit of a new account before the charge while its earlier ones take too much of people's time:
 * they went to a person today, or still wait for one. Such a post must neither be published unseen nor get lost.
 */
export async function assertReviewQuota(tx: Transaction, { accountId, at }: { accountId: string; at: Date }) {
  const { rows } = await sql`
    select from reviews where account_id = ${accountId} and (waits or opened_at >= ${startOfUtcDay(at)})
    limit ${max}`.execute(tx)
  if (rows.length < max || (await readTrust(tx, { accountId, at })).level === 'trusted') return
  throw new Problem(
    problem,
    `${max} posts or edits of this account went to a person today or still wait for one. Until the account is trusted, it can send more when these are decided and the next UTC day has begun.`,
    { headers: { 'retry-after': String(secondsToMidnight(at)) } },
  )
}
