import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { observeAtScrape } from '../../platform/observability/instruments.ts'

/** An empty partition costs nothing, because a search does not look into the future. */
export const monthsAhead = 12

/** The start of a month in UTC, counted from the month of `at`. */
export const monthStart = (at: Date, months = 0): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months))

/** Creates the partitions of the coming months, and returns how many were missing. None before the entries are divided. */
export async function addSearchMonths(db: Database, at: Date): Promise<number> {
  const through = monthStart(at, monthsAhead)
  const { rows } = await sql<{ added: number }>`select add_search_months(${through}) as added`.execute(db)
  return rows[0]?.added ?? 0
}

/** How many months after this one have a partition; infinite as long as one partition holds all times. */
export async function countMonthsAhead(db: Database, at: Date): Promise<number> {
  const { rows } = await sql<{ ends_at: Date | null }>`
    select case when bool_or(ends_at is null) then null else max(ends_at) end as ends_at from search_partitions`.execute(
    db,
  )
  const endsAt = rows[0]?.ends_at
  if (!endsAt) return Number.POSITIVE_INFINITY
  const months = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
  return months(endsAt) - months(at) - 1
}

/** Exports how many months are prepared, at most a year. */
export function observeSearchMonths(db: Database, clock: Clock): Disposable {
  return observeAtScrape(['search.months.ahead'], async (observe) => {
    observe('search.months.ahead', Math.min(await countMonthsAhead(db, clock.now()), monthsAhead))
  })
}
