import { z } from 'zod'
import { isAbusive, type PolicyCategoryId, policy } from '../../policy/policy.ts'
import { reasonFor, remedyFor, ruleFor, type Words } from '../../policy/reasons.ts'

/**
 * Why a post was rejected or removed, as shown to its author in the status record and in events. Fixed texts and codes
 * only.
 */
export const statementOfReasons = z
  .strictObject({
    policy_version: z.string().meta({ description: 'The policy version on which the decision is based.' }),
    policy_url: z.url().meta({ description: 'The category in the policy, with examples.' }),
    automated: z.boolean().meta({ description: 'True if the model decided alone; false if a person decided.' }),
    rule: z.string().meta({ description: 'What the rule says.' }),
    remedy: z.string().meta({ description: 'What would make the post acceptable.' }),
    how_to_appeal: z.string().nullable().meta({
      description:
        'The call that appeals this decision. Null if it was appealed or reversed, or can no longer be appealed.',
    }),
  })
  .meta({ description: 'The statement of reasons.' })

export type Statement = z.input<typeof statementOfReasons>

type Refused = {
  baseUrl: string
  postId: string
  policyVersion: string
  category: string | null
  automated: boolean
  words: Words
  canAppeal: boolean
}

export function statementOf(refused: Refused): Statement {
  const { baseUrl, postId, policyVersion, category, automated, words, canAppeal } = refused
  return {
    policy_version: policyVersion,
    policy_url: `${baseUrl}/policy/${category ? `#${category}` : ''}`,
    automated,
    rule: words.rule,
    remedy: words.remedy,
    how_to_appeal: canAppeal ? howToAppeal(baseUrl, postId) : null,
  }
}

const howToAppeal = (baseUrl: string, postId: string) =>
  `POST ${baseUrl}/v1/posts/${postId}/appeal with {"message": "…"}; you can appeal once, even while the account is banned; ` +
  'a person who did not make this decision reviews the appeal.'

type RefusalFacts = {
  baseUrl: string
  postId: string
  category: PolicyCategoryId
  automated: boolean
  refunded: boolean
  strike: boolean
  canAppeal: boolean
}

/** A rejection or removal with the texts of the current policy, as shown in the event for its decision. */
export function describeRefusal({ refunded, strike, ...refused }: RefusalFacts) {
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
