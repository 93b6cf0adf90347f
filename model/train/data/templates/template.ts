import type { LearntCategory } from '../../../server/local/local-model.ts'

/** Synthetic posts on one subject. `{name}` is filled from the slots; what comes near breaks nothing and is published. */
export type Templates = {
  readonly category: LearntCategory | null
  /** What a violating post of this subject may break beside, which therefore stays unknown. */
  readonly perhaps: readonly LearntCategory[]
  readonly violating: readonly string[]
  readonly near: readonly string[]
}
