import type { PolicyCategoryId } from '../../../src/policy/policy.ts'

/** By this name it is asked for. */
export const localModelName = 'broadside-local'

/** What the model has learnt, in the order of its outputs. All other categories score 0: they belong to the rules. */
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

/** A calibrated probability for each category, 0 to 1; 0 for what the model has not learnt. */
export type LocalScores = Record<PolicyCategoryId, number>

/** `judged: false` says that the scores mean nothing: the text is in another language, or too long to read whole. */
export type LocalAnswer = {
  scores: LocalScores
  /** How likely the text breaks any rule, learnt or not. It tells posts that may be published from the others. */
  overall: number
  judged: boolean
  reason?: 'language' | 'length'
}

export type LocalModel = {
  name: string
  /** Twelve hexadecimal digits of the weights' hash. */
  version: string
  /** Rejects with `ModelUnavailable` when it was not tried. An aborted signal says that nobody waits any more. */
  score(texts: readonly string[], signal?: AbortSignal): Promise<LocalAnswer[]>
  /** Whether it can answer now; a model without it always can. */
  isWell?: () => boolean
  /** Windows that it has read since its start, and that wait to be read: a busy model makes progress. */
  progress?: () => { finished: number; waiting: number }
} & AsyncDisposable

/** The question was not tried, so it says nothing about the text: it may be asked again later. */
export class ModelUnavailable extends Error {}
