import { z } from 'zod'
import { isAbusive, type PolicyCategoryId, policy } from '../../policy/policy.ts'
import { reasonFor, remedyFor, ruleFor, type Words } from '../../policy/reasons.ts'

/** Why a post was refused, as its author is told in the status record and in events. Fixed texts and codes only. */
export const statementOfReasons = z
  .strictObject({
    policy_version: z.string().meta({ description: 'The version that the decision was made by.' }),
    policy_url: z.url().meta({ description: 'The category in the policy, with examples.' }),
    automated: z.boolean().meta({ description: 'True: the model decided alone. False: a person did.' }),
    rule: z.string().meta({ description: 'What the rule is.' }),
    remedy: z.string().meta({ description: 'What would make the post acceptable.' }),
    how_to_appeal: z.string().nullable().meta({
      description: 'The call that appeals this decision. Null when it was appealed or taken back, or can no longer be.',
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
  `POST ${baseUrl}/v1/posts/${postId}/appeal with {"message": "…"}; once, also while the account is banned; ` +
  'a person who did not make this decision decides.'

type RefusalFacts = {
  baseUrl: string
  postId: string
  category: PolicyCategoryId
  automated: boolean
  refunded: boolean
  strike: boolean
  canAppeal: boolean
}

/** A refusal in the words of today's policy, as the event of its decision tells it. */
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
