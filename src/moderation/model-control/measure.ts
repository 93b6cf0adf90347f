import { sql } from 'kysely'
import { type ModerationLane, mostShortWindows } from '../../jobs/moderation-lanes.ts'
import type { Database } from '../../platform/database/database.ts'

/**
 * Records that the model responded, and how long it took. Each process reports at most one response a second for each
 * lane. A failed report is dropped, because a measurement must not make the decision fail. Do not call this in a
 * transaction.
 */
export async function recordDecisionSeconds(db: Database, lane: ModerationLane, seconds: number): Promise<void> {
  const reporter = reporterOf(db)
  const now = performance.now()
  if (now - reporter.reportedAt[lane] < reportEveryMs) return
  reporter.reportedAt[lane] = now
  const column = secondsColumn[lane]
  const average = sql<number>`coalesce(${sql.ref(column)} * ${1 - newWeight} + ${seconds * newWeight}, ${seconds})`
  await db
    .updateTable('model_status')
    .set({ [column]: average, faults: 0 })
    .execute()
    .catch(() => {})
}

/** The weight of a new measurement in an average. */
const newWeight = 0.3
const secondsColumn = { short: 'decision_seconds', long: 'long_decision_seconds' } as const
const reportEveryMs = 1_000

/** Records a failed call. All are counted; calls that fail during a report are included in the next one. */
export async function reportModelError(db: Database): Promise<void> {
  const reporter = reporterOf(db)
  reporter.faults += 1
  if (reporter.isReporting) return
  reporter.isReporting = true
  try {
    while (reporter.faults > 0) {
      const faults = reporter.faults
      reporter.faults = 0
      await db
        .updateTable('model_status')
        .set((eb) => ({ faults: eb('faults', '+', faults) }))
        .execute()
    }
  } catch {
    // The database is down, and so is the controller. These failures are not counted.
  } finally {
    reporter.isReporting = false
  }
}

type Reporter = { reportedAt: Record<ModerationLane, number>; faults: number; isReporting: boolean }
const reporters = new WeakMap<Database, Reporter>()

function reporterOf(db: Database): Reporter {
  const known = reporters.get(db)
  if (known) return known
  const reportedAt = { short: Number.NEGATIVE_INFINITY, long: Number.NEGATIVE_INFINITY }
  const reporter = { reportedAt, faults: 0, isReporting: false }
  reporters.set(db, reporter)
  return reporter
}

/** A new controller counts the decisions after this one. */
export async function lastDecisionId(db: Database): Promise<number> {
  const { rows } = await sql<{ last: number }>`select coalesce(max(id), 0) as last from moderation_decisions`.execute(
    db,
  )
  return rows[0]?.last ?? 0
}

export type Decisions = {
  /** The number of the model's decisions, and the total of the windows they record. */
  made: number
  windows: Record<ModerationLane, number>
  lastId: number
}

/**
 * Counts the model's decisions after `afterId`. It compares ids and not times, because clocks may jump. A decision that
 * commits after one with a higher id is missed: the measured speed is then slightly too low, which is safe.
 */
export async function countModelDecisions(db: Database, afterId: number): Promise<Decisions> {
  const { rows } = await sql<{ made: number; short: number; long: number; last: number | null }>`
    select count(*) filter (where actor like 'model:%') as made, max(id) as last,
      coalesce(sum(windows) filter (where actor like 'model:%' and windows <= ${mostShortWindows}), 0) as short,
      coalesce(sum(windows) filter (where actor like 'model:%' and windows > ${mostShortWindows}), 0) as long
    from moderation_decisions, lateral (select (scores ->> 'windows')::int as windows) as work
    where id > ${afterId}`.execute(db)
  const { made = 0, short = 0, long = 0, last = null } = rows[0] ?? {}
  return { made, windows: { short, long }, lastId: last ?? afterId }
}

/** A period in which posts were waiting and the model was running, and the windows judged in it. */
export type BusyTime = { seconds: number; windows: number }
export const noTime: BusyTime = { seconds: 0, windows: 0 }

/** A slow model decides at most one post a second, so one second is too short to measure its speed. */
export const tellsSpeed = ({ seconds, windows }: BusyTime) => seconds >= 5 || (seconds >= 2 && windows >= 40)

/** The period over which the speed is averaged. */
const rateWindowSeconds = 6

/** The average speed after a busy period. It stays null until something has been judged. */
export function averageRate(average: number | null, { seconds, windows }: BusyTime): number | null {
  if (seconds <= 0) return average
  const rate = windows / seconds
  if (average === null) return windows > 0 ? rate : null
  return average + (1 - Math.exp(-seconds / rateWindowSeconds)) * (rate - average)
}

/**
 * Starts are rare, and their duration depends on the deployed program, so the latest counts as much as all earlier ones
 * together.
 */
export function averageStart(average: number | null, seconds: number): number {
  return average === null ? seconds : (average + seconds) / 2
}
