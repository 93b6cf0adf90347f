import { type BatchObservableResult, metrics } from '@opentelemetry/api'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { alarmOf, isStale, readCanaryRuns } from './read-runs.ts'

/** Tells whoever scrapes how the newest run of the canaries went. Asked for at each scrape. */
export function observeCanaries(db: Database, clock: Clock): Disposable {
  const meter = metrics.getMeter('broadside')
  const published = meter.createObservableGauge('broadside.canaries.published', {
    description: 'Canaries of the newest run that would have been published. More than 0 is an alarm.',
  })
  const unjudged = meter.createObservableGauge('broadside.canaries.unjudged', {
    description: '1 when the model had no answer to a canary on two days in a row, else 0.',
  })
  const stale = meter.createObservableGauge('broadside.canaries.stale', {
    description: '1 when the newest run of the canaries is older than a day and a half, else 0.',
  })
  const gauges = [published, unjudged, stale]
  const observe = async (result: BatchObservableResult) => {
    const runs = await readCanaryRuns(db)
    const alarm = alarmOf(runs, clock.now())
    result.observe(published, runs[0]?.published ?? 0)
    result.observe(unjudged, alarm === 'not_judged' ? 1 : 0)
    result.observe(stale, isStale(runs, clock.now()) ? 1 : 0)
  }
  meter.addBatchObservableCallback(observe, gauges)
  return { [Symbol.dispose]: () => meter.removeBatchObservableCallback(observe, gauges) }
}
