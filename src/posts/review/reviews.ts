import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { DecisionOutcome, ReviewReason } from '../../../generated/database-types.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
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

type Wanted = { postId: string; edit: number; since: Date }

/**
 * The review records of posts or edits that wait for a person, in two statements. Without a row, a post has waited since
 * it was submitted.
 */
export async function readReviews(
  db: Database | Transaction,
  wanted: readonly Wanted[],
  at: Date,
): Promise<ReviewRecord[]> {
  const rows = await db
    .selectFrom('reviews')
    .select(['post_id', 'edit', 'reason', 'opened_at', 'fee_returned_at'])
    .where('post_id', '=', sql<string>`any(${wanted.map(({ postId }) => postId)})`)
    .execute()
  const waiting = wanted.map(({ postId, edit, since }) => ({
    since,
    row: rows.find((row) => row.post_id === postId && row.edit === edit),
  }))
  const expected = await expectDecisions(
    db,
    waiting.map(({ since, row }) => row?.opened_at ?? since),
    at,
  )
  return waiting.map(({ row }, index) => ({
    reason: row?.reason ?? 'unsure',
    expected_decision_at: (expected[index] as Date).toISOString(),
    fee_returned_at: row?.fee_returned_at?.toISOString() ?? null,
  }))
}

export async function expectedDecisionAt(
  db: Database | Transaction,
  { openedAt, at }: { openedAt: Date; at: Date },
): Promise<Date> {
  const [expected] = await expectDecisions(db, [openedAt], at)
  return expected as Date
}

type Counted = {
  expected_seconds: number
  usual_seconds: number | null
  decided_per_hour: number | null
  counts: number[]
}

/** Two lookups in one statement: the pace, which a worker measures every minute, and a bounded count of the posts ahead. */
async function expectDecisions(db: Database | Transaction, openedAt: readonly Date[], at: Date): Promise<Date[]> {
  const times = openedAt.toSorted((one, other) => one.getTime() - other.getTime())
  const { rows } = await sql<Counted>`
    select expected_seconds, usual_seconds, decided_per_hour, array(
      select count(counted.place) from generate_series(0, ${times.length - 1}::int) as places(place) left join (
        select width_bucket(opened_at, ${times}::timestamptz[]) as place from (
          select opened_at from reviews where waits and opened_at < ${times.at(-1)}
          order by opened_at limit ${sql.lit(maxCountedReviews)}
        ) as ahead
      ) as counted using (place) group by places.place order by places.place
    ) as counts from review_pace`.execute(db)
  const [found] = rows
  assert(found, 'review_pace has one row')
  const pace = {
    expectedSeconds: found.expected_seconds,
    usualSeconds: found.usual_seconds,
    decidedPerHour: found.decided_per_hour,
  }
  const inFrontOf = (time: Date) =>
    found.counts.slice(0, times.indexOf(time) + 1).reduce((sum, count) => sum + Number(count), 0)
  return openedAt.map((time) => expectDecision({ openedAt: time, at, inFront: inFrontOf(time), pace }))
}

/** When to poll again: at the expected decision, but at most once a minute and at least once an hour. */
export const retryAfterSeconds = ({ expected_decision_at }: ReviewRecord, at: Date): number =>
  Math.min(Math.max(Math.ceil((Date.parse(expected_decision_at) - at.getTime()) / 1_000), 60), 3_600)
