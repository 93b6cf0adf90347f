import { z } from 'zod'
import { type PolicyCategoryId, policyCategoryIds } from '../../policy/policy.ts'

const cost = z.number().positive()

/**
 * What mistakes cost, in units of one review, and how many posts are expected to break a rule. A post is published without
 * a person when the expected cost of publishing it is below that of a review and of the author's wait.
 */
export const costsSchema = z.strictObject({
  /** The share of new accounts' posts that break a rule. The local model was calibrated on posts of which half do. */
  prior: z.number().min(0.0001).max(0.5),
  /** The same of trusted accounts' posts, as a part of `prior`. */
  trusted: z.number().min(0.01).max(1),
  review: cost,
  /** What it costs that a harmless post waits for the review. */
  delay: cost,
  /** What it costs that a post of this category is published; `default` for those without a number of their own. */
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

/** What an operator may set: any of the numbers. */
const costsChange = costsSchema.partial().extend({
  published_violation: costsSchema.shape.published_violation.partial().optional(),
})

/** The costs with an operator's numbers, as JSON, in place of ours. */
export function readCosts(text: string, costs: Costs): Costs {
  const result = costsChange.safeParse(jsonOf(text))
  if (!result.success) {
    const { path, message } = result.error.issues[0] ?? { path: [], message: 'not valid' }
    throw new Error(`MODERATION_COSTS is not valid at /${path.join('/')}: ${message}. See docs/runbooks/moderation.md.`)
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

/** Below this probability, on the scale of the local model, publishing costs less than a review. */
export function publishBelow(costs: Costs, standing: 'new' | 'trusted', violationCost?: number): number {
  const worth = Math.min(0.99, (costs.review + costs.delay) / (violationCost ?? costs.published_violation.default))
  const prior = standing === 'trusted' ? costs.prior * costs.trusted : costs.prior
  // The model's odds are for even classes: they are divided by the odds of the prior.
  const odds = oddsOf(worth) / oddsOf(prior)
  return odds / (1 + odds)
}

const oddsOf = (probability: number) => probability / (1 - probability)

/** What it would cost to publish this post if it breaks a rule: the categories' costs, weighed by how likely each is. */
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
