import type { ReviewReason } from '../platform/database-types.ts'

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
