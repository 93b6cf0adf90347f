import { z } from 'zod'
import { type PolicyCategoryId, policyCategoryIds } from '../../policy/policy.ts'

const cost = z.number().positive()

/**
 * The cost of mistakes, in units of one review, and the expected share of violating posts. A post is published without
 * a review if the expected cost of publishing it is below the cost of a review plus the author's wait.
 */
export const costsSchema = z.strictObject({
  /**
   * The share of new accounts' posts that violate a rule. The local model was calibrated on a set in which half of the
   * posts do.
   */
  prior: z.number().min(0.0001).max(0.5),
  /** The same for trusted accounts, as a fraction of `prior`. */
  trusted: z.number().min(0.01).max(1),
  review: cost,
  /** The cost of a harmless post waiting for review. */
  delay: cost,
  /** The cost of publishing a violation, by category; `default` applies to categories that are not listed. */
  published_violation: z
    .object({ default: cost })
    .extend(
      Object.fromEntries(policyCategoryIds.map((id) => [id, cost.optional()])) as Record<
        PolicyCategoryId,
        z.ZodOptional<typeof cost>
      >,
    )
    .strict(),
})

export type Costs = z.output<typeof costsSchema>

/** The numbers that an operator can override. */
const costsChange = costsSchema.partial().extend({
  published_violation: costsSchema.shape.published_violation.partial().optional(),
})

/** Applies the operator's overrides, given as JSON, to the costs. */
export function readCosts(text: string, costs: Costs): Costs {
  const result = costsChange.safeParse(jsonOf(text))
  if (!result.success) {
    const { path, message } = result.error.issues[0] ?? { path: [], message: 'invalid value' }
    throw new Error(`MODERATION_COSTS is invalid at /${path.join('/')}: ${message}. See docs/runbooks/moderation.md.`)
  }
  const { published_violation, ...change } = result.data
  return costsSchema.parse({
    ...costs,
    ...change,
    published_violation: { ...costs.published_violation, ...published_violation },
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Below this probability, on the local model's scale, publishing costs less than a review. */
export function publishBelow(costs: Costs, standing: 'new' | 'trusted', violationCost?: number): number {
  const worth = Math.min(0.99, (costs.review + costs.delay) / (violationCost ?? costs.published_violation.default))
  const prior = standing === 'trusted' ? costs.prior * costs.trusted : costs.prior
  // The model's scores assume balanced classes, so the odds are divided by the prior odds.
  const odds = oddsOf(worth) / oddsOf(prior)
  return odds / (1 + odds)
}

const oddsOf = (probability: number) => probability / (1 - probability)

/** The cost of publishing this post if it violates a rule: the category costs, weighted by probability. */
export function violationCost(costs: Costs, scores: Readonly<Record<PolicyCategoryId, number>>): number {
  const { default: usual, ...own } = costs.published_violation
  if (Object.keys(own).length === 0) return usual
  let [sum, weight] = [0, 0]
  for (const id of policyCategoryIds) {
    sum += scores[id] * (own[id] ?? usual)
    weight += scores[id]
  }
  return weight > 0 ? sum / weight : usual
}
