import type { PolicyCategoryId } from '../../../src/policy/policy.ts'

/** The name by which clients request it. */
export const localModelName = 'broadside-local'

/** The categories that the model was trained on, in output order. All others score 0 and are left to the rules. */
export const learntCategories = [
  'hate_harassment',
  'sexual',
  'violence_threats',
  'self_harm',
  'illegal_goods',
  'scam_fraud',
  'spam',
  'malware_phishing',
  'prompt_injection',
  'impersonation',
] as const satisfies readonly PolicyCategoryId[]

export type LearntCategory = (typeof learntCategories)[number]

/** A calibrated probability for each category, 0 to 1; 0 for categories that the model was not trained on. */
export type LocalScores = Record<PolicyCategoryId, number>

/** `judged: false` means that the scores are meaningless: the text is in an unsupported language or too long. */
export type LocalAnswer = {
  scores: LocalScores
  /** The probability of any violation, in a trained category or not. It separates publishable posts from the others. */
  overall: number
  judged: boolean
  reason?: 'language' | 'length'
}

export type LocalModel = {
  name: string
  /** Twelve hexadecimal digits of the weights' hash. */
  version: string
  /**
   * Rejects with `ModelUnavailable` if the model did not try to score the texts. An aborted signal means that nobody is
   * waiting any more.
   */
  score(texts: readonly string[], signal?: AbortSignal): Promise<LocalAnswer[]>
  /** Whether the model can score texts now. A model without this method always can. */
  isWell?: () => boolean
  /** Windows scored since startup, and windows waiting. A busy model makes progress; a stuck one does not. */
  progress?: () => { finished: number; waiting: number }
} & AsyncDisposable

/** The model did not try to score the texts, so the request can be retried later. */
export class ModelUnavailable extends Error {}
