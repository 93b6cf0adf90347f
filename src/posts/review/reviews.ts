import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database/database.ts'
import type { DecisionOutcome, ReviewReason } from '../../platform/database/database-types.ts'
import { expectDecision, maxCountedReviews } from './expected-decision.ts'
import type { ReviewRecord } from './review-record.ts'

type Opened = { postId: string; edit: number; accountId: string; reason: ReviewReason; at: Date }

/** Records that a post or edit waits for a person, and returns the review record for its author. */
export async function openReview(
  tx: Transaction,
  { postId, edit, accountId, reason, at }: Opened,
): Promise<ReviewRecord> {
  await tx
    .insertInto('reviews')
    .values({ post_id: postId, edit, account_id: accountId, reason, opened_at: at })
    .execute()
  const expected = await expectedDecisionAt(tx, { openedAt: at, at })
  return { reason, expected_decision_at: expected.toISOString(), fee_returned_at: null }
}

type Decided = { postId: string; edit: number; outcome: DecisionOutcome; at: Date }

/** Records a person's decision, if the post or edit was waiting for one. */
export async function closeReview(tx: Transaction, { postId, edit, outcome, at }: Decided): Promise<void> {
  await tx
    .updateTable('reviews')
    .set({ decided_at: at, outcome })
    .where('post_id', '=', postId)
    .where('edit', '=', edit)
    .where('waits', '=', true)
    .execute()
}

type Wanted = { postId: string; edit: number; since: Date; at: Date }

/** The review record of a post or edit that waits for a person. Without a row, it has waited since it was submitted. */
export async function readReview(
  db: Database | Transaction,
  { postId, edit, since, at }: Wanted,
): Promise<ReviewRecord> {
  const row = await db
    .selectFrom('reviews')
    .select(['reason', 'opened_at', 'fee_returned_at'])
    .where('post_id', '=', postId)
    .where('edit', '=', edit)
    .executeTakeFirst()
  const expected = await expectedDecisionAt(db, { openedAt: row?.opened_at ?? since, at })
  return {
    reason: row?.reason ?? 'unsure',
    expected_decision_at: expected.toISOString(),
    fee_returned_at: row?.fee_returned_at?.toISOString() ?? null,
  }
}

/** Two lookups: the pace, which a worker measures every minute, and a bounded count of the posts ahead. */
export async function expectedDecisionAt(
  db: Database | Transaction,
  { openedAt, at }: { openedAt: Date; at: Date },
): Promise<Date> {
  const pace = await db
    .selectFrom('review_pace')
    .select(['expected_seconds', 'usual_seconds', 'decided_per_hour'])
    .select(inFrontOf(openedAt).as('in_front'))
    .executeTakeFirstOrThrow()
  return expectDecision({
    openedAt,
    at,
    inFront: pace.in_front,
    pace: {
      expectedSeconds: pace.expected_seconds,
      usualSeconds: pace.usual_seconds,
      decidedPerHour: pace.decided_per_hour,
    },
  })
}

const inFrontOf = (openedAt: Date) => sql<number>`(
  select count(*) from (
    select from reviews where waits and opened_at < ${openedAt} limit ${sql.lit(maxCountedReviews)}
  ) as counted)`

/** When to poll again: at the expected decision, but at most once a minute and at least once an hour. */
export const retryAfterSeconds = ({ expected_decision_at }: ReviewRecord, at: Date): number =>
  Math.min(Math.max(Math.ceil((Date.parse(expected_decision_at) - at.getTime()) / 1_000), 60), 3_600)
