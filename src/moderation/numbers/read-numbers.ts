import { startOfUtcDay, utcDay } from '../../contract/utc-day.ts'
import type { Database } from '../../platform/database.ts'
import { addCounts, type Counts } from '../../policy/moderation-counts.ts'
import { countSpan } from './count-span.ts'

const dayMs = 86_400_000

export type Numbers = {
  /** One for each day of the span, today included, the oldest first. */
  days: readonly { day: string; counts: Counts }[]
  totals: Counts
}

/** What was decided on all sites in the last days, today included, counted now: for those who decide. */
export async function readNumbers(db: Database, { days, at }: { days: number; at: Date }): Promise<Numbers> {
  const today = startOfUtcDay(at)
  const from = new Date(today.getTime() - (days - 1) * dayMs)
  const counted = await countSpan(db, { from, to: new Date(today.getTime() + dayMs) })
  const byDay = Map.groupBy(counted, ({ day }) => day)
  const series = Array.from({ length: days }, (_, index) => {
    const day = utcDay(new Date(from.getTime() + index * dayMs))
    return { day, counts: addCounts((byDay.get(day) ?? []).map(({ counts }) => counts)) }
  })
  return { days: series, totals: addCounts(series.map(({ counts }) => counts)) }
}
