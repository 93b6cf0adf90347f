import type { Transaction } from '../../platform/database.ts'
import type { DecisionOutcome, ReviewReason } from '../../platform/database-types.ts'
import { expectedDecisionAt } from './read-review.ts'
import type { ReviewRecord } from './review-record.ts'

type Opened = { postId: string; edit: number; accountId: string; reason: ReviewReason; at: Date }

/** Writes down that a post or edit goes to a person, and gives what its author is told. */
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

/** Writes down what a person decided, if the post or edit had waited for one. */
export async function closeReview(tx: Transaction, { postId, edit, outcome, at }: Decided): Promise<void> {
  await tx
    .updateTable('reviews')
    .set({ decided_at: at, outcome })
    .where('post_id', '=', postId)
    .where('edit', '=', edit)
    .where('waits', '=', true)
    .execute()
}
