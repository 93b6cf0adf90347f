import { sql } from 'kysely'
import { type ModerationLane, mostShortWindows } from '../../jobs/moderation-lanes.ts'
import type { Database } from '../../platform/database/database.ts'

/**
 * Records that the model answered, and how long that took. Each process reports one answer a second, and a failed
 * report is dropped: a measurement must not fail the decision it measures. Not for use in a transaction.
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

/** Records that a call got no answer. All are counted; those during a report are included in the next one. */
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
    // The database is down, and so is the controller: it starts counting from zero.
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
  /** The number of decisions, and the windows of those that record them. */
  made: number
  windows: Record<ModerationLane, number>
  lastId: number
}

/**
 * Counts the model's decisions after that one, by id and not by time, because clocks may jump. A decision that commits
 * after a later id is missed: the measured speed is then slightly too low, which is safe.
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

/** A period in which posts were waiting and the model was running, and how much was judged in it. */
export type BusyTime = { seconds: number; windows: number }
export const noTime: BusyTime = { seconds: 0, windows: 0 }

/** A slow model decides one post or none in a second, so one second is too short to measure. */
export const tellsSpeed = ({ seconds, windows }: BusyTime) => seconds >= 5 || (seconds >= 2 && windows >= 40)

/** The period over which the speed is averaged. */
const rateWindowSeconds = 6

/** The speed after a busy period. If nothing was measured and nothing judged, it stays unmeasured. */
export function averageRate(average: number | null, { seconds, windows }: BusyTime): number | null {
  if (seconds <= 0) return average
  const rate = windows / seconds
  if (average === null) return windows > 0 ? rate : null
  return average + (1 - Math.exp(-seconds / rateWindowSeconds)) * (rate - average)
}

/** Starts are rare and depend on the program, so the latest counts as much as all earlier ones. */
export function averageStart(average: number | null, seconds: number): number {
  return average === null ? seconds : (average + seconds) / 2
}
