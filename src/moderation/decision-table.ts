import { isAbusive, type PolicyCategoryId } from '../policy/policy.ts'
import type { Opinion, StageAnswer } from './ask-model.ts'

export type Verdict =
  | { outcome: 'publish' }
  | { outcome: 'low_quality' }
  | { outcome: 'abuse'; category: PolicyCategoryId }
  | { outcome: 'review'; category: PolicyCategoryId | null }

/** What one stage says, as far as the table asks. */
export type Reading =
  | 'accepts'
  /** Not sure, and nothing abusive is in its mind. */
  | 'doubts'
  /** Not sure, and what it has in mind is abusive. */
  | 'suspects_abuse'
  | 'refuses_quality'
  | 'refuses_abuse'

/**
 * The classifier's reading, then the judge's. One stage alone may publish nothing, fine nobody, and refuse only as low
 * quality, which is refunded. A ten-fold charge and a strike need two stages that name the same category.
 */
export const decisionTable: Record<Reading, Record<Reading, Verdict['outcome'] | 'abuse_if_same_category'>> = {
  accepts: {
    accepts: 'publish',
    doubts: 'review',
    suspects_abuse: 'review',
    refuses_quality: 'low_quality',
    refuses_abuse: 'review',
  },
  doubts: {
    accepts: 'review',
    doubts: 'review',
    suspects_abuse: 'review',
    refuses_quality: 'low_quality',
    refuses_abuse: 'review',
  },
  suspects_abuse: {
    accepts: 'review',
    doubts: 'review',
    suspects_abuse: 'review',
    refuses_quality: 'review',
    refuses_abuse: 'review',
  },
  refuses_quality: {
    accepts: 'low_quality',
    doubts: 'low_quality',
    suspects_abuse: 'review',
    refuses_quality: 'low_quality',
    refuses_abuse: 'review',
  },
  refuses_abuse: {
    accepts: 'review',
    doubts: 'review',
    suspects_abuse: 'review',
    refuses_quality: 'review',
    refuses_abuse: 'abuse_if_same_category',
  },
}

/** What happens to the post. Decisions §6: fairness of automatic decisions. */
export function decide({ classifier, judge }: Pick<Opinion, 'classifier' | 'judge'>): Verdict {
  const outcome = decisionTable[readingOf(classifier)][readingOf(judge)]
  if (outcome === 'publish' || outcome === 'low_quality') return { outcome }
  const { category } = classifier
  if (outcome !== 'review' && category !== null && category === judge.category) return { outcome: 'abuse', category }
  return { outcome: 'review', category: categoryToReview(classifier, judge) }
}

/** A stage that is less sure than this of what it says has said nothing but a doubt. */
const leastSure = 0.5

function readingOf({ verdict, category, score }: StageAnswer): Reading {
  if (verdict === 'accept' && score >= leastSure) return 'accepts'
  if (verdict !== 'reject' || score < leastSure) return isAbusive(category) ? 'suspects_abuse' : 'doubts'
  return isAbusive(category) ? 'refuses_abuse' : 'refuses_quality'
}

/** The gravest that was named, so that whoever reviews looks there first; the classifier's, when both are as grave. */
function categoryToReview(...stages: readonly StageAnswer[]): PolicyCategoryId | null {
  const gravity = ({ verdict, category }: StageAnswer) => (isAbusive(category) ? 2 : 0) + (verdict === 'reject' ? 1 : 0)
  return stages.reduce((gravest, stage) =>
    stage.category !== null && (gravest.category === null || gravity(stage) > gravity(gravest)) ? stage : gravest,
  ).category
}
