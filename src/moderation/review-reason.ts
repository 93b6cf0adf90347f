import type { ReviewReason } from '../platform/database-types.ts'
import type { PolicyCategoryId } from '../policy/policy.ts'
import type { Decision } from './apply-decision.ts'

const sensitive: readonly (PolicyCategoryId | null)[] = ['sexual', 'sexual_minors', 'self_harm']

/** Rows of the decision table that say by themselves why a person must look. */
const byRow: Record<string, ReviewReason> = {
  minors: 'sensitive',
  judge_failed: 'no_answer',
  rule_hit: 'rule',
  rule_doubts: 'rule',
}

type Scores = { row?: string; judged?: boolean }

/** The class of reason that the author is told. No review is opened for a near-duplicate today: the prefilter refuses those. */
export function reviewReasonOf({ category, by }: Pick<Decision, 'category' | 'by'>): ReviewReason {
  const { row = '', judged } = (by.scores ?? {}) as Scores
  if (sensitive.includes(category)) return 'sensitive'
  if (by.actor.startsWith('system:')) return 'no_answer'
  return byRow[row] ?? (judged === false ? 'language' : 'unsure')
}
