import type { TextPart } from '../../contract/text/text.ts'
import type { PolicyCategoryId } from '../../policy/policy.ts'

export type CategoryScores = Record<PolicyCategoryId, number>

/** The findings of the rules. They run in the worker's process, so they are always available. */
export type RulesAnswer = { scores: CategoryScores; mentionsMinors: boolean }

export type LocalModelAnswer = {
  scores: CategoryScores
  /** The probability of any violation, including categories that the model does not score. */
  overall: number
  /** False if the model cannot judge a text in this language or of this length. */
  judged: boolean
  /** False if the scores come from weights other than those the thresholds were chosen for; true if omitted. */
  known?: boolean
}

export type JudgeVerdict = {
  verdict: 'accept' | 'review' | 'reject'
  category: PolicyCategoryId | null
  /** The judge's confidence, from 0 to 1. */
  score: number
  /** False if the judge does not cover some policy categories; true if omitted. */
  coversAll?: boolean
}

/** The stages' findings about a post. If there is no judge, or it failed, the decision table allows fewer outcomes. */
export type Opinion = {
  rules: RulesAnswer
  local: LocalModelAnswer
  judge: JudgeVerdict | 'absent' | 'failed'
}

/**
 * The input for the stages: everything a reader will see. `judgeInStages` makes the canonical copy that all stages
 * share.
 */
export type PostToJudge = { kind: string; authorName: string; texts: readonly TextPart[] }
