import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'

/**
 * Tells that the model answered, and how long a post was with it. Of a process's answers one a second is reported, and
 * one that cannot be is lost: a measurement must not fail the decision that it measures. Not for use in a transaction.
 */
export async function recordDecisionSeconds(db: Database, seconds: number): Promise<void> {
  const reporter = reporterOf(db)
  const now = performance.now()
  if (now - reporter.reportedAt < reportEveryMs) return
  reporter.reportedAt = now
  await db
    .updateTable('model_status')
    .set({
      decision_seconds: sql`coalesce(decision_seconds * ${1 - newWeight} + ${seconds * newWeight}, ${seconds})`,
      faults: 0,
    })
    .execute()
    .catch(() => {})
}

/** How much one new measurement counts in an average. */
const newWeight = 0.1
const reportEveryMs = 1_000

/** Tells that a call of the model brought no answer. All are counted, those that come during a report with the next one. */
export async function reportModelFault(db: Database): Promise<void> {
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

type Reporter = { reportedAt: number; faults: number; isReporting: boolean }
const reporters = new WeakMap<Database, Reporter>()

function reporterOf(db: Database): Reporter {
  const known = reporters.get(db)
  if (known) return known
  const reporter = { reportedAt: Number.NEGATIVE_INFINITY, faults: 0, isReporting: false }
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

/**
 * How many decisions of the model there are after that one. By number and not by time, which may jump. One whose
 * transaction ends after that of a later number is missed: the speed is then measured a little too low, which is safe.
 */
export async function countDecisions(db: Database, afterId: number): Promise<{ made: number; lastId: number }> {
  const { rows } = await sql<{ made: number; last: number | null }>`
    select count(*) filter (where actor like 'model:%') as made, max(id) as last
    from moderation_decisions where id > ${afterId}`.execute(db)
  return { made: rows[0]?.made ?? 0, lastId: rows[0]?.last ?? afterId }
}

/** A time through which something waited and the model ran, and what it decided in it. */
export type BusyTime = { seconds: number; decisions: number }
export const noTime: BusyTime = { seconds: 0, decisions: 0 }

/** Of a slow model a second tells nothing: it decides one post in it, or none. */
export const tellsSpeed = ({ seconds, decisions }: BusyTime) => seconds >= 5 || decisions >= 20

/**
 * The times over which the speed is averaged. Bad news is believed sooner than good, so that who is told a time is told
 * rather one that is too late.
 */
const rateWindowSeconds = { slower: 10, faster: 20 } as const

/** The speed with what was decided in a busy time. Nothing measured and nothing decided is still nothing measured. */
export function averageRate(average: number | null, { seconds, decisions }: BusyTime): number | null {
  if (seconds <= 0) return average
  const rate = decisions / seconds
  // A first time may be a burst: half of it is believed.
  if (average === null) return decisions > 0 ? rate / 2 : null
  const windowSeconds = rate < average ? rateWindowSeconds.slower : rateWindowSeconds.faster
  return average + (1 - Math.exp(-seconds / windowSeconds)) * (rate - average)
}

/** Starts are rare and change with the program that is started: the last one counts as much as all before it. */
export function averageStart(average: number | null, seconds: number): number {
  return average === null ? seconds : (average + seconds) / 2
}
