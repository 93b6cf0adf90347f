import { type BatchObservableResult, metrics } from '@opentelemetry/api'
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'

export type KeptRun = { judged: number; not_judged: number; published: number; published_ids: string[]; at: Date }

/** The last run of each of the last two days that had one, the newest first. */
export async function readCanaryRuns(db: Database): Promise<KeptRun[]> {
  const { rows } = await sql<KeptRun>`
    select judged, not_judged, published, published_ids, at from (
      select distinct on (day) * from canary_runs order by day desc, id desc
    ) last order by day desc limit 2`.execute(db)
  return rows
}

export type CanaryAlarm = 'published' | 'stale' | 'not_judged'

/** They run once a day: half a day more is no delay, but a fault. */
const staleHours = 36

/** Whether the newest run is too old to say anything of today. */
export const isStale = ([newest]: readonly KeptRun[], now: Date): boolean =>
  newest !== undefined && now.getTime() - newest.at.getTime() > staleHours * 3_600_000

/** What somebody must look at, by the newest run; of a model without an answer, when it had none the day before either. */
export function alarmOf([newest, before]: readonly KeptRun[], now: Date): CanaryAlarm | null {
  if (!newest) return null
  if (newest.published > 0) return 'published'
  if (isStale([newest], now)) return 'stale'
  return before && newest.not_judged > 0 && before.not_judged > 0 ? 'not_judged' : null
}

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
