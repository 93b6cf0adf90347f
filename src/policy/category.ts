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
