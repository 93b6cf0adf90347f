import { answerText, type ReadText, readTextParts } from '../answer-texts.ts'
import type { Encode, Encoded } from '../encoder/compare.ts'
import type { LocalAnswer } from '../local-model.ts'
import { type ScoredPart, scorePart } from '../scoring/score.ts'
import type { Weights } from '../scoring/weights.ts'

/** A task for a thread: a text, or one part of a text that is too long for one task. */
export type Task = { text: string } | { part: string }
export type TaskAnswer = { answer: LocalAnswer } | { read: ReadText } | { scored: ScoredPart }

/** A text with more parts is scored in several steps, so that short requests get their turn in between. */
export const partsAtOnce = 8

/** Scores the tasks of one batch. All their parts are encoded together, each only once. */
export async function answerTasks(weights: Weights, encode: Encode, tasks: readonly Task[]): Promise<TaskAnswer[]> {
  const steps = tasks.map((task) => ('text' in task ? readTextParts(task.text) : task))
  const parts = new Set(steps.flatMap((step) => ('part' in step ? [step.part] : isLong(step) ? [] : step.parts)))
  const encoded = await encode([...parts])
  const known = new Map([...parts].map((part, index) => [part, encoded[index] as Encoded]))
  const encodedOf = (part: string) => known.get(part) as Encoded
  return steps.map((step) => {
    if ('part' in step) return { scored: scorePart(weights, step.part, encodedOf(step.part)) }
    return isLong(step) ? { read: step } : { answer: answerText(weights, step, encodedOf) }
  })
}

const isLong = ({ parts }: ReadText) => parts.length > partsAtOnce
