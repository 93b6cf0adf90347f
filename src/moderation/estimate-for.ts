import type { Call } from '../platform/call.ts'
import type { Database } from '../platform/database.ts'
import type { ModerationEstimate } from '../posts/estimate.ts'
import { estimateDecision } from './model/estimate.ts'
import { type StatusReader, statusReader } from './model/read-status.ts'

/** When the caller's post will be decided, from the model's state, the queue and what was measured of both. */
export async function estimateFor(
  { db, clock }: Pick<Call, 'db' | 'clock'>,
  position: 'joining' | 'waiting',
): Promise<ModerationEstimate> {
  const reader = readerOf(db)
  const { status, waiting } = await (position === 'joining' ? reader.join() : reader.read())
  const { state, estimatedDecisionAt, retryAfterSeconds } = estimateDecision({ status, waiting, at: clock.now() })
  return {
    state,
    estimated_decision_at: estimatedDecisionAt.toISOString(),
    retry_after_seconds: retryAfterSeconds,
  }
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
