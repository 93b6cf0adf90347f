import type { Transaction } from '../platform/database.ts'
import { policy } from '../policy/policy.ts'
import { reasonFor } from '../policy/reasons.ts'
import type { Decision } from './apply-decision.ts'

export type NewDecision = Pick<Decision, 'postId' | 'edit' | 'outcome' | 'category' | 'by' | 'at'>

/** The append-only row that the status record quotes. Gives its number. */
export async function recordDecision(tx: Transaction, decision: NewDecision): Promise<number> {
  const { postId, edit, outcome, category, by, at } = decision
  const { id } = await tx
    .insertInto('moderation_decisions')
    .values({
      post_id: postId,
      edit,
      outcome,
      category,
      reason: category && reasonFor(category),
      automated: by.automated,
      actor: by.actor,
      policy_version: policy.version,
      model: by.model ?? null,
      model_version: by.modelVersion ?? null,
      scores: JSON.stringify(by.scores ?? {}),
      decided_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
