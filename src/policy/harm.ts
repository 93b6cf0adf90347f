import type { PolicyCategoryId } from './category.ts'

/** How much a day more of it may cost somebody: what waits for a person is taken in this order. */
export const harmLevels: Record<PolicyCategoryId, 0 | 1 | 2 | 3> = {
  sexual_minors: 3,
  violence_threats: 3,
  self_harm: 3,
  hate_harassment: 2,
  illegal_goods: 2,
  scam_fraud: 2,
  malware_phishing: 2,
  personal_data: 2,
  impersonation: 2,
  prompt_injection: 1,
  sexual: 1,
  spam: 1,
  low_quality: 0,
}

/** These do not wait in line. */
export const urgentLevel = 3
/** What nobody has named a category for may be anything. */
export const unknownLevel = 1
