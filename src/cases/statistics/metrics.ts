import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { observeAtScrape } from '../../platform/observability/instruments.ts'
import { countCases } from '../queue.ts'
import { countNotCarriedOut } from './count-work.ts'
import { casesCounted } from './desk-statistics.ts'

/** Exports gauges for waiting cases and unapplied decisions. They are read at each scrape. */
export function observeDesk(db: Database, clock: Clock): Disposable {
  const names = ['desk.cases.open', 'desk.cases.oldest.seconds', 'desk.checks.overdue', 'desk.decisions.due'] as const
  return observeAtScrape(names, async (observe) => {
    const now = clock.now()
    const counted = await countCases(db, { at: now, countTo: casesCounted })
    for (const { kind, open, oldest } of counted) {
      observe('desk.cases.open', open, { kind })
      observe('desk.cases.oldest.seconds', oldest ? (now.getTime() - oldest.getTime()) / 1_000 : 0, { kind })
    }
    // Sums all kinds, because an appealed check is queued as an appeal and can still be overdue.
    observe(
      'desk.checks.overdue',
      counted.reduce((sum, one) => sum + one.overdue, 0),
    )
    observe('desk.decisions.due', await countNotCarriedOut(db, now))
  })
}
