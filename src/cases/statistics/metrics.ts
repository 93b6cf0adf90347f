import { type BatchObservableResult, metrics } from '@opentelemetry/api'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { countNotCarriedOut } from './count-work.ts'
import { countEveryKind } from './desk-statistics.ts'

/** Tells whoever scrapes what waits for a person, and what was decided and is not done. Asked for at each scrape. */
export function observeDesk(db: Database, clock: Clock): Disposable {
  const meter = metrics.getMeter('broadside')
  const open = meter.createObservableGauge('desk.cases.open', { description: 'Cases that wait for a person, by kind.' })
  const age = meter.createObservableGauge('desk.cases.oldest.seconds', {
    description: 'How long the oldest of a kind has waited; 0 when none does.',
    unit: 's',
  })
  const overdue = meter.createObservableGauge('desk.checks.overdue', {
    description: 'Ten-fold charges of the model alone that no person has looked at within the day.',
  })
  const due = meter.createObservableGauge('desk.decisions.due', {
    description: 'Decisions that can no longer be undone and are not carried out. More than 0 for a minute is a fault.',
  })
  const gauges = [open, age, overdue, due]
  const observe = async (result: BatchObservableResult) => {
    const now = clock.now()
    const counted = await countEveryKind(db, now)
    for (const { kind, open: count, oldest } of counted) {
      result.observe(open, count, { kind })
      result.observe(age, oldest ? (now.getTime() - oldest.getTime()) / 1_000 : 0, { kind })
    }
    // A check that its author has appealed waits as an appeal, and is no less late.
    result.observe(
      overdue,
      counted.reduce((sum, one) => sum + one.overdue, 0),
    )
    result.observe(due, await countNotCarriedOut(db, now))
  }
  meter.addBatchObservableCallback(observe, gauges)
  return { [Symbol.dispose]: () => meter.removeBatchObservableCallback(observe, gauges) }
}
