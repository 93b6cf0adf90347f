import type { PolicyCategoryId } from './category.ts'

/**
 * What the author of a refused post is told: the rule, and what would make the post acceptable. Fixed texts; never a
 * model's words, which might repeat what a stranger put into its mouth.
 */
const reasons: Record<PolicyCategoryId, string> = {
  hate_harassment:
    'Posts may not attack people for what they are, nor set others on a person. Criticise what was said or done, ' +
    'and leave out what strips people of worth.',
  sexual:
    'The sites are open to all ages, so posts may not arouse or sell sex. Use plain words that inform, and leave ' +
    'explicit descriptions and offers out.',
  sexual_minors:
    'Nothing that sexualises a person under eighteen is published, in any form. No change makes such a post ' +
    'acceptable; a post that helps to protect children is welcome.',
  violence_threats:
    'Posts may not threaten, urge or praise violence. Tell what happened or what you stand for without a wish, a ' +
    'plan or an invitation to hurt.',
  self_harm:
    'Posts may not urge, praise or explain self-harm. A post that asks for help or offers it is welcome, without ' +
    'methods and without pressure.',
  illegal_goods:
    'Posts may not offer, seek or arrange what the law forbids to trade. Advertise lawful goods and services only, ' +
    'and say what a buyer needs to see that they are.',
  scam_fraud:
    'Posts may not deceive readers for gain. State the offer, its terms and its risks as they are, and ask for no ' +
    'payment that cannot be undone.',
  spam:
    'Posts must be made for readers, not for reach. Say once, in plain words and where it belongs, what you offer ' +
    'or announce.',
  malware_phishing:
    'Posts may not lead readers to lose control of an account, a machine or a secret. Ask for no passwords, codes or ' +
    'keys, and link only to what does what it says.',
  prompt_injection:
    'Posts may not give orders to the software that reads them. Write for people, and mark short quotations of such ' +
    'orders as quotations.',
  personal_data:
    'Posts may not publish private facts about other people, nor passwords, card numbers or keys. Leave out what the ' +
    'person would not expect on a public site.',
  impersonation:
    'Posts may not speak as a person, office or company that the author is not. Say who speaks, or label parody and ' +
    'fiction so that it is easy to see.',
  low_quality:
    'Every post must tell a reader something specific, and be finished and understandable on its own. Add what is ' +
    'missing, leave out filler and repetition, and send it again.',
}

/** Two short sentences: what the rule is, and what would make the post acceptable. */
export const reasonFor = (category: PolicyCategoryId): string => reasons[category]
