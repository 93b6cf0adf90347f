import type { ReadText } from '../join-scores.ts'
import type { LocalAnswer } from '../local-model.ts'
import type { ScoredPart } from '../scoring/score.ts'

/** A task for a thread: a text, or one part of a text that is too long for one task. */
export type Task = { text: string } | { part: string }
export type TaskAnswer = { answer: LocalAnswer } | { read: ReadText } | { scored: ScoredPart }

/** A text with more parts is scored in several steps, so that short requests get their turn in between. */
export const partsAtOnce = 8
