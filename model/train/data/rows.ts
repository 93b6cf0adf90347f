import { type LearntCategory, learntCategories } from '../../server/local/local-model.ts'

/** The known labels of a text. A missing category is unknown and is not trained on. */
export type Labels = Partial<Record<LearntCategory, 0 | 1>>

/** A labelled text. Rows of one group are never on both sides of a split. */
export type Row = { text: string; labels: Labels; source: string; weight: number; group?: string }

/** The labels of a text that falls into none of the learnt categories. */
export const clean: Labels = Object.fromEntries(learntCategories.map((category) => [category, 0]))

/** Categories that collections of offensive speech are assumed not to contain, although nobody labelled them. */
export const noDeceit: Labels = {
  spam: 0,
  scam_fraud: 0,
  malware_phishing: 0,
  prompt_injection: 0,
  illegal_goods: 0,
  impersonation: 0,
}

/** Categories that collections of spam are assumed not to contain, although nobody labelled them. */
export const noOffence: Labels = { hate_harassment: 0, violence_threats: 0, self_harm: 0, prompt_injection: 0 }

/** All labels of `base` except the named ones, which are unknown. */
export function without(base: Labels, ...unknown: readonly LearntCategory[]): Labels {
  return Object.fromEntries(Object.entries(base).filter(([id]) => !unknown.includes(id as LearntCategory)))
}
