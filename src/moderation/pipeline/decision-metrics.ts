import { openCounter, openHistogram } from '../../platform/observability/instruments.ts'
import type { Logger } from '../../platform/observability/logger.ts'

type Decided = { postId: string; edit: number; outcome: string; category: string | null; modelSeconds: number }

/** Counts and logs each automated decision: ids and codes, never user text. */
export function decisionObserver(logger: Logger) {
  const decisions = openCounter('moderation.decisions')
  const seconds = openHistogram('moderation.model.seconds')
  return ({ postId, edit, outcome, category, modelSeconds }: Decided) => {
    decisions.add(1, { outcome, category: category ?? 'none' })
    seconds.record(modelSeconds)
    const ms = Math.round(modelSeconds * 1_000)
    logger.info({ post_id: postId, edit, outcome, category, model_ms: ms }, 'decided')
  }
}
