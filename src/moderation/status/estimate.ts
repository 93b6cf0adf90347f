import type { Call } from '../../contract/call.ts'
import { findTurns } from '../../jobs/backlog.ts'
import { moderationJobs } from '../../jobs/jobs.ts'
import { jobKey, jobOfLane, laneOf, type ModerationLane } from '../../jobs/moderation-lanes.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ModerationEstimate, QueuePlace } from '../../posts/status/moderation-estimate.ts'
import {
  type ModelReading,
  type ModelStatusValues,
  type StatusReader,
  statusReader,
} from '../model-control/model-status.ts'

/**
 * The number of windows that the model judges until it has judged `own` windows of the account, including them.
 * Accounts take turns, so in the meantime it judges as many windows of each other account, or all that are waiting.
 */
export function windowsUntil(own: number, account: string, waiting: ReadonlyMap<string, number>): number {
  let sum = own
  for (const [other, windows] of waiting) if (other !== account) sum += Math.min(windows, own)
  return sum
}

type Question = {
  status: ModelStatusValues
  lane: ModerationLane
  /** The windows to judge up to and including this post. */
  windows: number
  at: Date
}

export type DecisionEstimate = {
  state: 'running' | 'starting'
  estimatedDecisionAt: Date
  retryAfterSeconds: number
}

/**
 * Estimates when a post that is queued now will be decided. For nine out of ten posts, the estimate is right within a
 * factor of two.
 */
export function estimateDecision({ status, lane, windows, at }: Question): DecisionEstimate {
  const state = status.state === 'running' ? 'running' : 'starting'
  const startSeconds = state === 'running' ? 0 : secondsUntilRunning(status, at)
  const expected = startSeconds + noticeSeconds + turnSeconds(status, lane, windows)
  const seconds = Math.max(leastSeconds, margin * expected)
  return {
    state,
    estimatedDecisionAt: new Date(at.getTime() + Math.round(seconds * 1_000)),
    retryAfterSeconds: Math.min(Math.ceil(seconds), longestPollSeconds[state]),
  }
}

/** The longest poll interval: a client learns of an early decision within this time. */
const longestPollSeconds = { running: 60, starting: 300 } as const

/** The time to screen the post, start its job and store the decision. */
const noticeSeconds = 0.3
const leastSeconds = 1
/** Slightly late is better than early: a client that polls too early must poll again. */
const margin = 1.2

/** Used until a time has been measured. */
const unmeasuredSeconds: Record<ModerationLane, number> = { short: 1, long: 1.5 }
/**
 * The size of a typical post, and the number of posts judged in parallel. They give the assumed speed until it is
 * measured.
 */
const usualWindows: Record<ModerationLane, number> = { short: 4, long: 32 }
const assumedParallel = 4
/** The lowest speed assumed. A lower average means that the queue stalled for a while, which does not last. */
const slowestPerSecond = 0.1

function turnSeconds(
  { decisionSeconds, windowsPerSecond }: ModelStatusValues,
  lane: ModerationLane,
  windows: number,
): number {
  const alone = decisionSeconds[lane] ?? unmeasuredSeconds[lane]
  const assumed = (assumedParallel * usualWindows[lane]) / Math.max(alone, 0.01)
  return Math.max(alone, windows / Math.max(windowsPerSecond[lane] ?? assumed, slowestPerSecond))
}

const leastStartSeconds = 1

function secondsUntilRunning(status: ModelStatusValues, at: Date): number {
  const { state, since, startSeconds, plannedStartSeconds } = status
  const expected = startSeconds ?? plannedStartSeconds
  const passed = state === 'idle' ? 0 : Math.max(0, (at.getTime() - since.getTime()) / 1_000)
  // A start that is late is likely to be very late. But the model is restarted eventually, so the rest is at most one
  // whole start.
  const rest = passed < expected ? expected - passed : Math.min(passed / 2, expected)
  return Math.max(rest, leastStartSeconds)
}

/** Estimates when the caller's post will be decided, from the model's state, its queue and past measurements. */
export async function estimateFor(call: Caller, place: QueuePlace): Promise<ModerationEstimate> {
  if ('windows' in place) return tell(call, place.accountId, await join(call.db, place))
  const [estimate] = await estimateQueued(call, place.accountId, [place])
  return estimate as ModerationEstimate
}

/** Estimates when each of an account's queued posts or edits will be decided, in as many statements as for one. */
export async function estimateQueued(
  call: Caller,
  accountId: string,
  places: readonly { postId: string; edit: number }[],
): Promise<ModerationEstimate[]> {
  const keys = places.map(({ postId, edit }) => jobKey(postId, edit))
  const [reading, turns] = await Promise.all([
    readerOf(call.db).read(),
    findTurns(call.db, moderationJobs, { account: accountId, keys }),
  ])
  return keys.map((key) => {
    const turn = turns.get(key)
    const lane: ModerationLane = turn?.name === jobOfLane.long ? 'long' : 'short'
    return tell(call, accountId, { reading, lane, own: turn?.ownWindows ?? 1 })
  })
}

type Caller = Pick<Call, 'db' | 'clock'>
type Turn = { reading: ModelReading; lane: ModerationLane; own: number }

function tell({ clock }: Caller, accountId: string, { reading, lane, own }: Turn): ModerationEstimate {
  const { state, estimatedDecisionAt, retryAfterSeconds } = estimateDecision({
    status: reading.status,
    lane,
    windows: windowsUntil(own, accountId, reading.lanes[lane].windows),
    at: clock.now(),
  })
  return {
    state,
    estimated_decision_at: estimatedDecisionAt.toISOString(),
    retry_after_seconds: retryAfterSeconds,
  }
}

/** A new post is queued behind all other posts of its account. */
async function join(db: Database, { accountId, windows }: Extract<QueuePlace, { windows: number }>): Promise<Turn> {
  const lane = laneOf(windows)
  const { reading, joined } = await readerOf(db).join({ lane, accountId, windows })
  return { reading, lane, own: (reading.lanes[lane].windows.get(accountId) ?? 0) + joined + windows }
}

/** One reader per connection pool, so that all calls in a process share its readings. */
const readers = new WeakMap<Database, StatusReader>()

export function readerOf(db: Database): StatusReader {
  const known = readers.get(db)
  if (known) return known
  const reader = statusReader({ db })
  readers.set(db, reader)
  return reader
}
