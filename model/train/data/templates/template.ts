import type { LearntCategory } from '../../../server/local/local-model.ts'

/** Synthetic posts on one subject. `{name}` is filled from the slots; near misses break nothing and are published. */
export type Templates = {
  readonly category: LearntCategory | null
  /** Categories that a violating post on this subject may also break, which stay unknown. */
  readonly perhaps: readonly LearntCategory[]
  readonly violating: readonly string[]
  readonly near: readonly string[]
}
