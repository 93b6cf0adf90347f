import { sql } from 'kysely'
import type { PostStatus, ReviewReason } from '../../../generated/database-types.ts'
import type { Database } from '../../platform/database/database.ts'

export type OwnPostRow = {
  id: string
  kind: string
  status: PostStatus
  /** The post was rejected, and a person has reversed that. */
  isReversed: boolean
  content: object | null
  created_at: Date
  charged_micros: number
  refunded_micros: number
  category: string | null
  reason: string | null
  automated: boolean | null
  /** Whether the post was appealed, and whether the appeal was against the latest rejection or removal. */
  appeal: 'none' | 'of_this' | 'of_earlier'
  /** Why the post is in review, and when its fee was returned; null unless it is in review. */
  review_reason: ReviewReason | null
  fee_returned_at: Date | null
}

/** Whether `posts` is rejected and a person has reversed that. A rejection is final, so any reversal is later. */
export const rejectionReversed = sql<boolean>`(posts.status = 'rejected' and exists (
  select from moderation_decisions where post_id = posts.id and edit = 0 and outcome = 'restore'
))`

/** A list by status looks at this many posts, so that it stays fast for an account with few such posts among many. */
const postsSearched = 10_000

type Wanted = {
  accountId: string
  before: string | null
  /** Only posts with one of these; null for all. */
  statuses: readonly PostStatus[] | null
  limit: number
}

/**
 * The account's posts, newest first, each with its cost. Rejected and removed posts include the latest decision against
 * them.
 */
export async function listPosts(db: Database, { accountId, before, statuses, limit }: Wanted): Promise<OwnPostRow[]> {
  // A post's charges form a range in the index on subjects: '0' is the character after '/', which precedes an edit
  // number.
  const wanted = sql`select * from posts where account_id = ${accountId} ${before ? sql`and id < ${before}` : sql``}
    order by id desc limit ${statuses ? postsSearched : limit}`
  const { rows } = await sql<OwnPostRow>`
    select posts.id, posts.kind, posts.status, ${rejectionReversed} as "isReversed", posts.content, posts.created_at,
      money.charged_micros, money.refunded_micros, refusal.category, refusal.reason, refusal.automated,
      case when appeals.submitted_at is null then 'none' when appeals.submitted_at >= refusal.decided_at then 'of_this'
        else 'of_earlier' end as appeal, review.reason as review_reason, review.fee_returned_at
    from (${wanted}) posts
    cross join lateral (
      select coalesce(sum(amount_micros) filter (where reason in ('post', 'edit', 'penalty')), 0)::bigint as charged_micros,
        coalesce(sum(amount_micros) filter (where reason in ('refund', 'review_return', 'penalty_return')), 0)::bigint as refunded_micros
      from ledger_transfers where subject >= posts.id and subject < posts.id || '0'
    ) money
    left join lateral (
      select category, reason, automated, decided_at from moderation_decisions
      where post_id = posts.id and edit = 0 and outcome in ('low_quality', 'abuse', 'remove')
        and posts.status in ('rejected', 'removed')
      order by id desc limit 1
    ) refusal on true
    left join reviews review on review.post_id = posts.id and review.edit = 0 and review.waits
    left join appeals on appeals.post_id = posts.id and appeals.edit = 0
    ${statuses ? sql`where posts.status = any (${statuses}::post_status[])` : sql``}
    order by posts.id desc limit ${limit}`.execute(db)
  return rows
}
