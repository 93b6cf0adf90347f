/** The ids are also used in rejections and reports. They are in the order of the published document. */
export const policyCategoryIds = [
  'hate_harassment',
  'sexual',
  'sexual_minors',
  'violence_threats',
  'self_harm',
  'illegal_goods',
  'scam_fraud',
  'spam',
  'malware_phishing',
  'prompt_injection',
  'personal_data',
  'impersonation',
  'low_quality',
] as const

export type PolicyCategoryId = (typeof policyCategoryIds)[number]

export type PolicyCategory = {
  readonly id: PolicyCategoryId
  readonly title: string
  /** An abusive post costs ten times its price and adds a strike. */
  readonly abusive: boolean
  /** What the category covers, what it does not cover, and where the line is. */
  readonly definition: string
  /**
   * Synthetic. Each example starts with the kind of post. A non-violating example is a close case that would be
   * published.
   */
  readonly examples: { readonly violating: readonly string[]; readonly non_violating: readonly string[] }
}

/** How much harm another day of waiting can do. Cases for people are ordered by this. */
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

/** Cases in categories of this level come first. */
export const urgentLevel = 3
/** A case without a category could be about anything. */
export const unknownLevel = 1
