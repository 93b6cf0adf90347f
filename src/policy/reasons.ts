import type { ReviewReason } from '../platform/database/database-types.ts'
import type { PolicyCategoryId } from './category.ts'

export type Words = { rule: string; remedy: string }

/**
 * What the author of a refused post is told: the rule, and what would make the post acceptable. A sentence each, fixed;
 * never a model's words, which might repeat what a stranger put into its mouth.
 */
const reasons: Record<PolicyCategoryId, Words> = {
  hate_harassment: {
    rule: 'Posts may not attack people for what they are, nor set others on a person.',
    remedy: 'Criticise what was said or done, and leave out what strips people of worth.',
  },
  sexual: {
    rule: 'The sites are open to all ages, so posts may not arouse or sell sex.',
    remedy: 'Use plain words that inform, and leave explicit descriptions and offers out.',
  },
  sexual_minors: {
    rule: 'Nothing that sexualises a person under eighteen is published, in any form.',
    remedy: 'No change makes such a post acceptable; a post that helps to protect children is welcome.',
  },
  violence_threats: {
    rule: 'Posts may not threaten, urge or praise violence.',
    remedy: 'Tell what happened or what you stand for without a wish, a plan or an invitation to hurt.',
  },
  self_harm: {
    rule: 'Posts may not urge, praise or explain self-harm.',
    remedy: 'A post that asks for help or offers it is welcome, without methods and without pressure.',
  },
  illegal_goods: {
    rule: 'Posts may not offer, seek or arrange what the law forbids to trade.',
    remedy: 'Advertise lawful goods and services only, and say what a buyer needs to see that they are.',
  },
  scam_fraud: {
    rule: 'Posts may not deceive readers for gain.',
    remedy: 'State the offer, its terms and its risks as they are, and ask for no payment that cannot be undone.',
  },
  spam: {
    rule: 'Posts must be made for readers, not for reach.',
    remedy: 'Say once, in plain words and where it belongs, what you offer or announce.',
  },
  malware_phishing: {
    rule: 'Posts may not lead readers to lose control of an account, a machine or a secret.',
    remedy: 'Ask for no passwords, codes or keys, and link only to what does what it says.',
  },
  prompt_injection: {
    rule: 'Posts may not give orders to the software that reads them.',
    remedy: 'Write for people, and mark short quotations of such orders as quotations.',
  },
  personal_data: {
    rule: 'Posts may not publish private facts about other people, nor passwords, card numbers or keys.',
    remedy: 'Leave out what the person would not expect on a public site.',
  },
  impersonation: {
    rule: 'Posts may not speak as a person, office or company that the author is not.',
    remedy: 'Say who speaks, or label parody and fiction so that it is easy to see.',
  },
  low_quality: {
    rule: 'Every post must tell a reader something specific, and be finished and understandable on its own.',
    remedy: 'Add what is missing, leave out filler and repetition, and send it again.',
  },
}

export const ruleFor = (category: PolicyCategoryId): string => reasons[category].rule
export const remedyFor = (category: PolicyCategoryId): string => reasons[category].remedy

/** Both sentences as one text, which the row of a decision quotes. */
export const reasonFor = (category: PolicyCategoryId): string => `${ruleFor(category)} ${remedyFor(category)}`

/** The two sentences of a reason as a row quotes it: the words of that day, also when today's are others. */
export function splitReason(reason: string): Words {
  const [rule = '', ...remedy] = reason.split(/(?<=\.) /)
  return { rule, remedy: remedy.join(' ') }
}

/** Why a post goes to a person: what its author and owner are told. Scores, categories and thresholds are never shown. */
export const reviewReasons: Record<ReviewReason, string> = {
  unsure: 'The automatic check was not sure.',
  language: 'The automatic check cannot judge this language or length well enough.',
  rule: 'A fixed rule matched, and a person checks whether it applies.',
  sensitive: 'The topic may be sensitive. A person always decides about these.',
  similar: 'It is similar to another post.',
  no_answer: 'The automatic check gave no answer.',
}

export const reviewReasonIds = Object.keys(reviewReasons) as [ReviewReason, ...ReviewReason[]]
