import { type BatchObservableResult, metrics } from '@opentelemetry/api'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { countOpenCases } from './cases.ts'

/** Tells whoever scrapes how many cases wait for a person, and for how long the oldest has. Asked for at each scrape. */
export function observeOpenCases(db: Database, clock: Clock): Disposable {
  const meter = metrics.getMeter('broadside')
  const count = meter.createObservableGauge('reports.cases.open', { description: 'Cases that wait for a person.' })
  const age = meter.createObservableGauge('reports.cases.oldest.seconds', {
    description: 'How long the oldest of them has waited; 0 when none does.',
    unit: 's',
  })
  const observe = async (result: BatchObservableResult) => {
    const { open, oldest } = await countOpenCases(db)
    result.observe(count, open)
    result.observe(age, oldest ? (clock.now().getTime() - oldest.getTime()) / 1_000 : 0)
  }
  meter.addBatchObservableCallback(observe, [count, age])
  return { [Symbol.dispose]: () => meter.removeBatchObservableCallback(observe, [count, age]) }
}
