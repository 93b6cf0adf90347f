import { type BatchObservableResult, metrics } from '@opentelemetry/api'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { countCases } from '../queue.ts'
import { countNotCarriedOut } from './count-work.ts'
import { casesCounted } from './desk-statistics.ts'

/** Exports gauges for waiting cases and unapplied decisions. They are read at each scrape. */
export function observeDesk(db: Database, clock: Clock): Disposable {
  const meter = metrics.getMeter('broadside')
  const open = meter.createObservableGauge('desk.cases.open', {
    description: `Cases waiting for a person, by kind; at most ${casesCounted} of each are counted.`,
  })
  const age = meter.createObservableGauge('desk.cases.oldest.seconds', {
    description: 'Age of the oldest waiting case of each kind; 0 if none is waiting.',
    unit: 's',
  })
  const overdue = meter.createObservableGauge('desk.checks.overdue', {
    description: 'Automated tenfold charges that no person has reviewed within a day.',
  })
  const due = meter.createObservableGauge('desk.decisions.due', {
    description:
      'Decisions past the undo window that are not applied yet. A value above 0 for more than a minute is a fault.',
  })
  const gauges = [open, age, overdue, due]
  const observe = async (result: BatchObservableResult) => {
    const now = clock.now()
    const counted = await countCases(db, { at: now, countTo: casesCounted })
    for (const { kind, open: count, oldest } of counted) {
      result.observe(open, count, { kind })
      result.observe(age, oldest ? (now.getTime() - oldest.getTime()) / 1_000 : 0, { kind })
    }
    // Sums all kinds, because an appealed check is queued as an appeal and can still be overdue.
    result.observe(
      overdue,
      counted.reduce((sum, one) => sum + one.overdue, 0),
    )
    result.observe(due, await countNotCarriedOut(db, now))
  }
  meter.addBatchObservableCallback(observe, gauges)
  return { [Symbol.dispose]: () => meter.removeBatchObservableCallback(observe, gauges) }
}
