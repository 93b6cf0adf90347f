import type { TextPart } from '../../contract/text/text.ts'
import type { PolicyCategoryId } from '../../policy/policy.ts'

export type CategoryScores = Record<PolicyCategoryId, number>

/** The findings of the rules. They run in the worker's process, so they are always available. */
export type RulesAnswer = { scores: CategoryScores; mentionsMinors: boolean }

/** The local model's answer. */
export type LocalModelAnswer = {
  scores: CategoryScores
  /** The probability of any violation, including categories it does not know. */
  overall: number
  /** False if it cannot judge a text of this language or length. */
  judged: boolean
  /** False if the scores come from other weights than the thresholds were chosen for; true if omitted. */
  known?: boolean
}

export type JudgeVerdict = {
  verdict: 'accept' | 'review' | 'reject'
  category: PolicyCategoryId | null
  /** Its confidence, from 0 to 1. */
  score: number
  /** False if it does not cover some policy categories; true if omitted. */
  coversAll?: boolean
}

/** The stages' findings about a post. Without a judge, or if it failed, the other stages limit what may happen. */
export type Opinion = {
  rules: RulesAnswer
  local: LocalModelAnswer
  judge: JudgeVerdict | 'absent' | 'failed'
}

/** The input of the stages: everything a reader will see, as the canonical copy that all stages share. */
export type PostToJudge = { kind: string; authorName: string; texts: readonly TextPart[] }
