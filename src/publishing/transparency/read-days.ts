import type { Database } from '../../platform/database/database.ts'
import { addCounts, type Counts } from '../../policy/moderation-counts.ts'

const daysShown = 90

export type DailyReviewHours = { review_hours_median: number | null; review_hours_p90: number | null }
export type CountedDay = { day: string; counts: Counts } & DailyReviewHours

export type TransparencyView = {
  /** The latest days, oldest first. Empty until the first day is over. */
  days: readonly CountedDay[]
  firstDay: string | null
  totals: { last30: Counts; last90: Counts; all: Counts }
  /** The head of the audit chain when the last day was counted: in plain, unlike in the transparency log (decision 0097). */
  audit: { entries: number; hash: string } | null
}

/** The stored counts of a site. Its last counted day determines the latest days, not the clock. */
export async function readDays(db: Database, kind: string): Promise<TransparencyView> {
  const rows = await db
    .selectFrom('moderation_days')
    .select(['day', 'counts'])
    .where('kind', '=', kind)
    .orderBy('day')
    .execute()
  const days = rows.map(({ day, counts }): CountedDay => {
    const { review_hours_median, review_hours_p90, ...named } = counts as Counts & DailyReviewHours
    return { day: String(day), counts: addCounts([named]), review_hours_median, review_hours_p90 }
  })
  const sum = (of: readonly CountedDay[]) => addCounts(of.map(({ counts }) => counts))
  return {
    days: days.slice(-daysShown),
    firstDay: days[0]?.day ?? null,
    totals: { last30: sum(days.slice(-30)), last90: sum(days.slice(-daysShown)), all: sum(days) },
    audit: await readHead(db),
  }
}

async function readHead(db: Database): Promise<TransparencyView['audit']> {
  const last = await db
    .selectFrom('counted_days')
    .select(['audit_entries as entries', 'audit_hash as hash'])
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.entries && last.hash ? { entries: last.entries, hash: last.hash } : null
}
