import type { DecisionOutcome } from '../../../generated/database-types.ts'

/**
 * The share of automated decisions that a person audits. With 6 errors in 300 rejections, precision is 98 %, with a 95
 * % confidence interval from 95.7 % to 99.1 %. Rejections are rarer than publications, so a larger share of them is
 * sampled.
 */
const auditShares: Record<DecisionOutcome, number> = {
  publish: 0.02,
  low_quality: 0.1,
  abuse: 0.1,
  review: 0,
  remove: 0,
  restore: 0,
}

export type Sampled = {
  outcome: DecisionOutcome
  /** A larger share, if the decision table requests one. */
  sample?: number | undefined
}

/**
 * The rate at which this decision was sampled for an audit; null if it was not sampled. `draw` returns numbers in [0,
 * 1).
 */
export function drawSample({ outcome, sample = 0 }: Sampled, draw: () => number): number | null {
  const usual = auditShares[outcome]
  const share = usual === 0 ? 0 : Math.max(usual, sample)
  return draw() < share ? share : null
}
