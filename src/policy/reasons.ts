import type { ReviewReason } from '../../generated/database-types.ts'
import type { PolicyCategoryId } from './category.ts'

export type Words = { rule: string; remedy: string }

/**
 * What the author of a rejected post sees: the rule, and what would make the post acceptable. Each is one fixed
 * sentence, never a model's words, which might repeat injected text.
 */
const reasons: Record<PolicyCategoryId, Words> = {
  hate_harassment: {
    rule: 'Posts may not attack people for who they are or incite others against a person.',
    remedy: 'Criticise what was said or done, and remove anything that demeans people.',
  },
  sexual: {
    rule: 'The sites are open to all ages, so posts may not arouse or sell sex.',
    remedy: 'Use plain, informative words, and leave out explicit descriptions and offers.',
  },
  sexual_minors: {
    rule: 'Nothing that sexualises a person under eighteen is published, in any form.',
    remedy: 'No change makes such a post acceptable; a post that helps to protect children is welcome.',
  },
  violence_threats: {
    rule: 'Posts may not threaten, encourage or praise violence.',
    remedy: 'Describe what happened or what you believe without wishing, planning or inviting harm.',
  },
  self_harm: {
    rule: 'Posts may not encourage, praise or explain self-harm.',
    remedy: 'Posts that ask for help or offer it are welcome, without methods and without pressure.',
  },
  illegal_goods: {
    rule: 'Posts may not offer, seek or arrange illegal trade.',
    remedy: 'Advertise only legal goods and services, and say what a buyer needs to know to see that they are legal.',
  },
  scam_fraud: {
    rule: 'Posts may not deceive readers for gain.',
    remedy: 'State the offer, its terms and its risks truthfully, and do not ask for irreversible payments.',
  },
  spam: {
    rule: 'Posts must be made for readers, not for reach.',
    remedy: 'Say what you offer or announce once, in plain words, where it belongs.',
  },
  malware_phishing: {
    rule: 'Posts may not lead readers to lose control of an account, a device or a secret.',
    remedy: 'Do not ask for passwords, codes or keys, and link only to what you describe.',
  },
  prompt_injection: {
    rule: 'Posts may not give instructions to the software that reads them.',
    remedy: 'Write for people, and mark short quotations of such instructions as quotations.',
  },
  personal_data: {
    rule: 'Posts may not contain private information about other people, or passwords, card numbers or keys.',
    remedy: 'Leave out anything the person would not expect to see on a public site.',
  },
  impersonation: {
    rule: 'Posts may not speak as a person, office or company that the author is not.',
    remedy: 'Say who is speaking, or clearly label parody and fiction.',
  },
  low_quality: {
    rule: 'Every post must tell a reader something specific, and be finished and understandable on its own.',
    remedy: 'Add what is missing, remove filler and repetition, and submit it again.',
  },
}

export const ruleFor = (category: PolicyCategoryId): string => reasons[category].rule
export const remedyFor = (category: PolicyCategoryId): string => reasons[category].remedy

/** Both sentences as one text, as stored with a decision. */
export const reasonFor = (category: PolicyCategoryId): string => `${ruleFor(category)} ${remedyFor(category)}`

/** Splits a stored reason into its two sentences, even if the current wording differs. */
export function splitReason(reason: string): Words {
  const [rule = '', ...remedy] = reason.split(/(?<=\.) /)
  return { rule, remedy: remedy.join(' ') }
}

/** Why a post needs a review, as shown to its author and owner. Scores, categories and thresholds are never shown. */
export const reviewReasons: Record<ReviewReason, string> = {
  unsure: 'The automatic check was inconclusive.',
  language: 'The automatic check cannot reliably judge a text in this language or of this length.',
  rule: 'A fixed rule matched, and a person must check whether it applies.',
  sensitive: 'The topic may be sensitive. A person always decides such posts.',
  similar: 'Another account posted nearly the same text before.',
  no_answer: 'The automatic check gave no result.',
}

export const reviewReasonIds = Object.keys(reviewReasons) as [ReviewReason, ...ReviewReason[]]
