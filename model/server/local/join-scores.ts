import type { LocalAnswer } from './local-model.ts'
import { joinParts, type ScoredPart } from './scoring/score.ts'

/** The parts of a text to score, and its language. `reason` says why the scores are meaningless, if they are. */
export type ReadText = { parts: string[]; language: 'english' | 'other'; reason?: 'language' | 'length' }

/** Combines the scored parts of a text into one result. */
export function answerScored(
  weights: Parameters<typeof joinParts>[0],
  read: ReadText,
  scored: readonly ScoredPart[],
): LocalAnswer {
  return withReason(read, joinParts(weights, read, scored))
}

export const withReason = ({ reason }: ReadText, scored: Pick<LocalAnswer, 'scores' | 'overall'>): LocalAnswer =>
  reason === undefined ? { ...scored, judged: true } : { ...scored, judged: false, reason }
