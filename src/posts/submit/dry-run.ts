import { OperationAnswer } from '../../contract/define-operation.ts'
import type { Kind } from '../../kinds/index.ts'
import type { ModerationEstimate } from '../status/moderation-estimate.ts'
import type { Quote } from './quote.ts'

/** Rolls back a dry run after every step has succeeded. */
export class DryRunDone extends Error {
  readonly balanceAfterMicros: number
  constructor(balanceAfterMicros: number) {
    super('a dry run ends here')
    this.balanceAfterMicros = balanceAfterMicros
  }
}

type Outcome = {
  kind: Kind
  quote: Quote
  balanceMicros: number
  balanceAfterMicros: number
  moderation: ModerationEstimate
}

export function dryRunAnswerOf({ kind, quote, balanceMicros, balanceAfterMicros, moderation }: Outcome) {
  return new OperationAnswer({
    dry_run: true as const,
    kind: kind.name,
    charge: { post_micros: quote.postMicros, links_micros: quote.linksMicros, total_micros: quote.totalMicros },
    balance_micros: balanceMicros,
    balance_after_micros: balanceAfterMicros,
    standing: 'good' as const,
    prefilter: { passed: true as const, notes: [] },
    moderation: { state: moderation.state, estimated_decision_at: moderation.estimated_decision_at },
  })
}
