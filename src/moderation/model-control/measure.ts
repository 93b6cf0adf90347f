import { sql } from 'kysely'
import { type ModerationLane, mostShortWindows } from '../../jobs/moderation-lanes.ts'
import type { Database } from '../../platform/database/database.ts'

/**
 * Tells that the model answered, and how long a post was with it. Of a process's answers one a second is reported, and
 * one that cannot be is lost: a measurement must not fail the decision that it measures. Not for use in a transaction.
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

/** How much one new measurement counts in an average. */
const newWeight = 0.3
const secondsColumn = { short: 'decision_seconds', long: 'long_decision_seconds' } as const
const reportEveryMs = 1_000

/** Tells that a call of the model brought no answer. All are counted, those that come during a report with the next one. */
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
    // The database is away, and the controller with it: it starts counting anew.
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

/** The decisions after this one are new to a controller that begins. */
export async function lastDecisionId(db: Database): Promise<number> {
  const { rows } = await sql<{ last: number }>`select coalesce(max(id), 0) as last from moderation_decisions`.execute(
    db,
  )
  return rows[0]?.last ?? 0
}

export type Decisions = {
  /** How many there were, and the windows of those that say how many they had. */
  made: number
  windows: Record<ModerationLane, number>
  lastId: number
}

/**
 * How many decisions of the model there are after that one. By number and not by time, which may jump. One whose
 * transaction ends after that of a later number is missed: the speed is then measured a little too low, which is safe.
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

/** A time through which posts waited for a place and the model ran, and how much was judged in it. */
export type BusyTime = { seconds: number; windows: number }
export const noTime: BusyTime = { seconds: 0, windows: 0 }

/** Of a slow model a second tells nothing: it decides one post in it, or none. */
export const tellsSpeed = ({ seconds, windows }: BusyTime) => seconds >= 5 || (seconds >= 2 && windows >= 40)

/** The time over which the speed is averaged. */
const rateWindowSeconds = 6

/** The speed with what was judged in a busy time. Nothing measured and nothing judged is still nothing measured. */
export function averageRate(average: number | null, { seconds, windows }: BusyTime): number | null {
  if (seconds <= 0) return average
  const rate = windows / seconds
  if (average === null) return windows > 0 ? rate : null
  return average + (1 - Math.exp(-seconds / rateWindowSeconds)) * (rate - average)
}

/** Starts are rare and change with the program that is started: the last one counts as much as all before it. */
export function averageStart(average: number | null, seconds: number): number {
  return average === null ? seconds : (average + seconds) / 2
}
