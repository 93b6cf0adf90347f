import { findTurn } from '../jobs/backlog.ts'
import { moderationJobs } from '../jobs/jobs.ts'
import { jobKey, jobOfLane, type Lane, laneOf } from '../jobs/lanes.ts'
import type { Call } from '../platform/call.ts'
import type { Database } from '../platform/database.ts'
import type { ModerationEstimate, Place } from '../posts/estimate.ts'
import { estimateDecision } from './model/estimate.ts'
import { windowsUntil } from './model/fair-share.ts'
import { type Reading, type StatusReader, statusReader } from './model/read-status.ts'

/** When the caller's post will be decided, from the model's state, the queue and what was measured of both. */
export async function estimateFor(
  { db, clock }: Pick<Call, 'db' | 'clock'>,
  place: Place,
): Promise<ModerationEstimate> {
  const { reading, lane, own } = await ('windows' in place ? join(db, place) : find(db, place))
  const { state, estimatedDecisionAt, retryAfterSeconds } = estimateDecision({
    status: reading.status,
    lane,
    windows: windowsUntil(own, place.accountId, reading.lanes[lane].windows),
    at: clock.now(),
  })
  return {
    state,
    estimated_decision_at: estimatedDecisionAt.toISOString(),
    retry_after_seconds: retryAfterSeconds,
  }
}

type Turn = { reading: Reading; lane: Lane; own: number }

/** A post that joins stands behind all others of its account. */
async function join(db: Database, { accountId, windows }: Extract<Place, { windows: number }>): Promise<Turn> {
  const lane = laneOf(windows)
  const { reading, joined } = await readerOf(db).join({ lane, accountId, windows })
  return { reading, lane, own: (reading.lanes[lane].windows.get(accountId) ?? 0) + joined + windows }
}

async function find(db: Database, { accountId, postId, edit }: Extract<Place, { postId: string }>): Promise<Turn> {
  const [reading, turn] = await Promise.all([
    readerOf(db).read(),
    findTurn(db, moderationJobs, { account: accountId, key: jobKey(postId, edit) }),
  ])
  const lane: Lane = turn?.name === jobOfLane.long ? 'long' : 'short'
  return { reading, lane, own: turn?.ownWindows ?? 1 }
}

/** One for each pool of connections, so that all calls of a process share its readings. */
const readers = new WeakMap<Database, StatusReader>()

export function readerOf(db: Database): StatusReader {
  const known = readers.get(db)
  if (known) return known
  const reader = statusReader({ db })
  readers.set(db, reader)
  return reader
}
