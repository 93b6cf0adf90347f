import type { PolicyCategoryId } from '../../policy/policy.ts'
import type { PostToJudge } from '../pipeline/opinion.ts'

/** A judge's verdict on a post or a part of it. */
export type JudgeReading = {
  verdict: 'accept' | 'review' | 'reject'
  category: PolicyCategoryId | null
  /** The judge's confidence in its verdict, from 0 to 1. */
  score: number
  /** True if the post addresses the judge. Not every adapter can detect this. */
  addressesMachine?: boolean
  /** False if the model family does not cover all policy categories. */
  coversAll?: boolean
}

/** One part of a post, and its position. */
export type PostPart = { post: PostToJudge; number: number; of: number }

/** How to query a model family and read its responses. */
export type Adapter = {
  /** Categories the family does not cover. Only the rules and the local model detect these. */
  notCovered: readonly PolicyCategoryId[]
  ask: (model: string, part: PostPart) => Question
}

export type Question = {
  /** The body of the completion request. */
  body: object
  /** Throws a ModelError unless the response has exactly the requested format. */
  read: (content: string) => JudgeReading
}

/** Common to all adapters: requests one complete, deterministic response. */
export const plainAnswer = { temperature: 0, n: 1, stream: false } as const
