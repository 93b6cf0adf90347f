import { z } from 'zod'
import type { Words } from '../policy/reasons.ts'

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
