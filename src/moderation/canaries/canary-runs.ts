import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { observeAtScrape } from '../../platform/observability/instruments.ts'

export type KeptRun = { judged: number; not_judged: number; published: number; published_ids: string[]; at: Date }

/** The last run of each of the two latest days with a run, newest first. */
export async function readCanaryRuns(db: Database): Promise<KeptRun[]> {
  const { rows } = await sql<KeptRun>`
    select judged, not_judged, published, published_ids, at from (
      select distinct on (day) * from canary_runs order by day desc, id desc
    ) last order by day desc limit 2`.execute(db)
  return rows
}

export type CanaryAlarm = 'published' | 'stale' | 'not_judged'

/** Canaries run once a day. A delay of another half day is a fault. */
const staleHours = 36

/** Whether the latest run is too old to be meaningful. */
export const isStale = ([newest]: readonly KeptRun[], now: Date): boolean =>
  newest !== undefined && now.getTime() - newest.at.getTime() > staleHours * 3_600_000

/**
 * The alarm raised by the latest run. Canaries that were not judged raise one only if that also happened the day
 * before.
 */
export function alarmOf([newest, before]: readonly KeptRun[], now: Date): CanaryAlarm | null {
  if (!newest) return null
  if (newest.published > 0) return 'published'
  if (isStale([newest], now)) return 'stale'
  return before && newest.not_judged > 0 && before.not_judged > 0 ? 'not_judged' : null
}

/** Exports the result of the latest canary run as gauges. They are read at each scrape. */
export function observeCanaries(db: Database, clock: Clock): Disposable {
  const names = ['broadside.canaries.published', 'broadside.canaries.unjudged', 'broadside.canaries.stale'] as const
  return observeAtScrape(names, async (observe) => {
    const runs = await readCanaryRuns(db)
    const alarm = alarmOf(runs, clock.now())
    observe('broadside.canaries.published', runs[0]?.published ?? 0)
    observe('broadside.canaries.unjudged', alarm === 'not_judged' ? 1 : 0)
    observe('broadside.canaries.stale', isStale(runs, clock.now()) ? 1 : 0)
  })
}
