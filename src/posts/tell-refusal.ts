import { isAbusive, type PolicyCategoryId, policy } from '../policy/policy.ts'
import { reasonFor, remedyFor, ruleFor } from '../policy/reasons.ts'
import { statementOf } from './statement.ts'

type Refused = {
  baseUrl: string
  postId: string
  category: PolicyCategoryId
  automated: boolean
  refunded: boolean
  strike: boolean
  canAppeal: boolean
}

/** A refusal in the words of today's policy, as the event of its decision tells it. */
export function tellRefusal({ refunded, strike, ...refused }: Refused) {
  const { category } = refused
  const words = { rule: ruleFor(category), remedy: remedyFor(category) }
  return {
    category,
    reason: reasonFor(category),
    abusive: isAbusive(category),
    refunded,
    strike,
    statement: statementOf({ ...refused, policyVersion: policy.version, words }),
  }
}
