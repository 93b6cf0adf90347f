import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'

/** How fast people decide. */
export type MeasuredPace = {
  /** Used until there are enough decisions to measure. */
  expectedSeconds: number
  /** Four out of five decisions took at most this long; null until measured. */
  usualSeconds: number | null
  decidedPerHour: number | null
}

type Waiting = { openedAt: Date; at: Date; inFront: number; pace: MeasuredPace }

/** Counting stops here: behind a queue this long, the estimate is the maximum anyway. */
export const maxCountedReviews = 10_000
const shortestMs = 10 * 60_000
const longestMs = 14 * 86_400_000
/** Rounds estimates so that two readings within minutes agree. */
const roundedToMs = 5 * 60_000

/**
 * When a person will probably decide: the usual time after the wait began, or the time that the queue ahead takes,
 * whichever is later. Once that time has passed, it is extended by half of the usual time.
 */
export function expectDecision({ openedAt, at, inFront, pace }: Waiting): Date {
  const now = at.getTime()
  const usualMs = bounded((pace.usualSeconds ?? pace.expectedSeconds) * 1_000)
  const expected = Math.max(openedAt.getTime() + usualMs, now + queueMs(inFront, pace))
  const inTime = expected > now ? expected : moveOn(openedAt.getTime() + usualMs, now, usualMs / 2)
  return new Date(Math.ceil(Math.min(inTime, now + longestMs) / roundedToMs) * roundedToMs)
}

function queueMs(inFront: number, { decidedPerHour }: MeasuredPace): number {
  if (inFront >= maxCountedReviews) return longestMs
  return decidedPerHour ? (inFront / decidedPerHour) * 3_600_000 : 0
}

const bounded = (ms: number) => Math.min(Math.max(ms, shortestMs), longestMs)

const moveOn = (from: number, now: number, stepMs: number) => from + (Math.floor((now - from) / stepMs) + 1) * stepMs

const dayMs = 86_400_000
const windowMs = 7 * dayMs
/** Only the newest decisions are measured. */
const maxMeasured = 1_000
/** Below this number, the setting is used instead. */
const leastMeasured = 5

export type ReviewSettings = { expectedSeconds: number; feeReturnSeconds: number }

type Measured = { count: number; usual: number | null; first: Date | null }

/** Stores how fast people decided in the last week, and the settings, for every process that makes estimates. */
export async function measureReviewPace(
  db: Database,
  { expectedSeconds, feeReturnSeconds, at }: ReviewSettings & { at: Date },
): Promise<void> {
  const { rows } = await sql<Measured>`
    select count(*)::int as count, min(decided_at) as first,
      percentile_cont(0.8) within group (order by extract(epoch from decided_at - opened_at)::float8) as usual
    from (
      select decided_at, opened_at from reviews
      where decided_at > ${new Date(at.getTime() - windowMs)} and decided_at <= ${at}
      order by decided_at desc limit ${maxMeasured}
    ) recent`.execute(db)
  const [measured] = rows
  const settings = { expected_seconds: expectedSeconds, fee_return_seconds: feeReturnSeconds }
  await db
    .updateTable('review_pace')
    .set({ ...settings, ...paceOf(measured, at) })
    .execute()
}

/** At least a day, so that a busy hour does not stand for nights and weekends. */
function paceOf(measured: Measured | undefined, at: Date) {
  if (!measured?.first || measured.count < leastMeasured) return { usual_seconds: null, decided_per_hour: null }
  const spanMs = Math.max(at.getTime() - measured.first.getTime(), dayMs)
  return { usual_seconds: measured.usual, decided_per_hour: (measured.count * 3_600_000) / spanMs }
}
