import type { TextPart } from '../../contract/text/text.ts'
import type { PolicyCategoryId } from '../../policy/policy.ts'

export type CategoryScores = Record<PolicyCategoryId, number>

/** What the rules say. They run in the worker's own process, so they always say something. */
export type RulesAnswer = { scores: CategoryScores; mentionsMinors: boolean }

/** What the local model says. */
export type LocalModelAnswer = {
  scores: CategoryScores
  /** How likely any rule is broken, also one that it has no category for. */
  overall: number
  /** False when it cannot judge this text, by its language or its length. */
  judged: boolean
  /** False when other weights said it than those that the thresholds were chosen for; true when left out. */
  known?: boolean
}

export type JudgeVerdict = {
  verdict: 'accept' | 'review' | 'reject'
  category: PolicyCategoryId | null
  /** How sure it is, from 0 to 1. */
  score: number
  /** False when it has no word for some of the policy's categories; true when left out. */
  coversAll?: boolean
}

/** What the stages say of a post. Without a judge, or with one that failed, the others decide what may happen. */
export type Opinion = {
  rules: RulesAnswer
  local: LocalModelAnswer
  judge: JudgeVerdict | 'absent' | 'failed'
}

/** What is judged: everything that a reader will see, as the canonical copy that all stages share. */
export type PostToJudge = { kind: string; authorName: string; texts: readonly TextPart[] }
