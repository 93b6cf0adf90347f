import { sql } from 'kysely'
import { type Clock, systemClock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { openGauge } from '../platform/observability/instruments.ts'
import type { Logger } from '../platform/observability/logger.ts'
import { type JobName, jobNamed } from './jobs.ts'
import type { Handler, Handlers } from './run-jobs.ts'

export const maxClockDifferenceSeconds = 60

type Parts = {
  db: Database
  logger: Logger
  /** Not the business clock, which a test can move. */
  clock?: Clock
}

/**
 * Skips scheduled jobs while the clocks of this process and of the database differ: a worker whose clock is ahead would
 * expire posts, return fees and delete data too early, and none of that can be undone.
 */
export function guardSweeps(handlers: Handlers, { db, logger, clock = systemClock }: Parts): Handlers {
  const gauge = openGauge('clock.difference.seconds')
  const guard =
    (name: JobName, handle: Handler<JobName>): Handler<JobName> =>
    async (payload, run) => {
      const differenceSeconds = await readClockDifference(db, clock)
      gauge.record(differenceSeconds)
      if (Math.abs(differenceSeconds) <= maxClockDifferenceSeconds) return handle(payload, run)
      logger.error(
        { job: name, difference_seconds: differenceSeconds },
        'scheduled job skipped because clocks disagree',
      )
    }
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      jobNamed(name as JobName).schedule ? guard(name as JobName, handle as Handler<JobName>) : handle,
    ]),
  ) as Handlers
}

/** Measured between two readings of our clock, so a slow answer counts half. */
export async function readClockDifference(db: Database, clock: Clock): Promise<number> {
  const before = clock.now().getTime()
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  const middle = (before + clock.now().getTime()) / 2
  return (middle - (rows[0]?.at.getTime() ?? middle)) / 1_000
}
