/** Also the ids of rejections and reports. The order is that of the published document. */
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
  /** What it covers, what it does not, and the line between. */
  readonly definition: string
  /** Synthetic, each beginning with the kind of post. A non-violating one comes close and is published. */
  readonly examples: { readonly violating: readonly string[]; readonly non_violating: readonly string[] }
}

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
