import { metrics } from '@opentelemetry/api'
import type { Logger } from '../../platform/observability/logger.ts'

type Decided = { postId: string; edit: number; outcome: string; category: string | null; modelSeconds: number }

/** Counts and logs each automated decision: ids and codes, never user text. */
export function decisionObserver(logger: Logger) {
  const meter = metrics.getMeter('broadside')
  const decisions = meter.createCounter('moderation.decisions', {
    description: 'Moderation decisions, by outcome and category.',
  })
  const seconds = meter.createHistogram('moderation.model.seconds', {
    description: 'Time the model took to judge a post.',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30] },
  })
  return ({ postId, edit, outcome, category, modelSeconds }: Decided) => {
    decisions.add(1, { outcome, category: category ?? 'none' })
    seconds.record(modelSeconds)
    const ms = Math.round(modelSeconds * 1_000)
    logger.info({ post_id: postId, edit, outcome, category, model_ms: ms }, 'decided')
  }
}
