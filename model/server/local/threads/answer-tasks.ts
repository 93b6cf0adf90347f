import { answerText, readTextParts } from '../answer-texts.ts'
import type { Encode, Encoded } from '../encoder/compare.ts'
import type { ReadText } from '../join-scores.ts'
import { scorePart } from '../scoring/score.ts'
import type { Weights } from '../scoring/weights.ts'
import { partsAtOnce, type Task, type TaskAnswer } from './tasks.ts'

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
