import type { JudgeReading } from './adapter.ts'

/** The answer for a post whose parts were answered so; there is at least one. */
export function worstOf<Answer extends { answer: JudgeReading }>(answers: readonly Answer[]): Answer {
  const isPoorThroughout = answers.every(({ answer }) => answer.category === 'low_quality')
  const fair = answers.map((one) => ({ ...one, answer: isPoorThroughout ? one.answer : withoutHaste(one.answer) }))
  const worst = fair.reduce((one, other) => (weightOf(other.answer) > weightOf(one.answer) ? other : one))
  const addressesMachine = answers.some(({ answer }) => answer.addressesMachine)
  return { ...worst, answer: { ...worst.answer, ...(addressesMachine && { addressesMachine }) } }
}

/** A dull part is no fault of the whole: a person looks. */
const withoutHaste = (reading: JudgeReading): JudgeReading =>
  reading.verdict === 'reject' && reading.category === 'low_quality' ? { ...reading, verdict: 'review' } : reading

/**
 * What concerns minors is hidden behind nothing, a doubt about abuse not behind low quality, a refusal not behind a
 * doubt. Of two that accept, the one that is less sure counts.
 */
function weightOf({ verdict, category, score }: JudgeReading): number {
  if (verdict === 'accept') return -score
  const isAbout = category === 'sexual_minors' ? 8 : category === 'low_quality' ? 0 : 4
  return 1 + isAbout + (verdict === 'reject' ? 2 : 0) + score
}
