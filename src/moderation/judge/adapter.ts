import type { PolicyCategoryId } from '../../policy/policy.ts'
import type { PostToJudge } from '../pipeline/opinion.ts'

/** What a judge said of a post, or of a part of one. */
export type JudgeReading = {
  verdict: 'accept' | 'review' | 'reject'
  category: PolicyCategoryId | null
  /** How sure the judge is of the verdict, from 0 to 1. */
  score: number
  /** True when the post speaks to whoever judges it. Not every form can tell. */
  addressesMachine?: boolean
  /** False when the family has no word for some of the policy's categories. */
  coversAll?: boolean
}

/** One part of a post, and where it stands in it. */
export type PostPart = { post: PostToJudge; number: number; of: number }

/** How a family of models is asked, and how its words are read. */
export type Adapter = {
  /** What the family has no word for: rules and the local model are alone with these. */
  notCovered: readonly PolicyCategoryId[]
  ask: (model: string, part: PostPart) => Question
}

export type Question = {
  /** The body of the request for a completion. */
  body: object
  /** Throws a ModelError for anything but an answer in exactly the form that was asked for. */
  read: (content: string) => JudgeReading
}

/** The same for all forms: one answer, whole, and the same each time. */
export const plainAnswer = { temperature: 0, n: 1, stream: false } as const
