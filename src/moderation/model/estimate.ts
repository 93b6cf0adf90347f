import type { Lane } from '../../jobs/lanes.ts'
import type { ModelStatus } from './read-status.ts'

type Question = {
  status: ModelStatus
  lane: Lane
  /** What is judged until the post has been, itself included. */
  windows: number
  at: Date
}

export type DecisionEstimate = {
  state: 'running' | 'starting'
  estimatedDecisionAt: Date
  retryAfterSeconds: number
}

/** When a post that is queued now will be decided. For nine of ten posts it is right within a factor of two. */
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

/** Whoever polls learns of a decision that came early no later than this. */
const longestPollSeconds = { running: 60, starting: 300 } as const

/** Until the post is screened, taken, and its decision is written. */
const noticeSeconds = 0.3
const leastSeconds = 1
/** Rather a little late than early: who asks too early must ask again. */
const margin = 1.2

/** Until something was measured. */
const unmeasuredSeconds: Record<Lane, number> = { short: 1, long: 1.5 }
/** Of a usual post, and how many are judged at a time: what speed is assumed by until it was measured. */
const usualWindows: Record<Lane, number> = { short: 4, long: 32 }
const assumedParallel = 4
/** A queue that stood still for a while does not do so for ever: below this the average says nothing. */
const slowestPerSecond = 0.1

function turnSeconds({ decisionSeconds, windowsPerSecond }: ModelStatus, lane: Lane, windows: number): number {
  const alone = decisionSeconds[lane] ?? unmeasuredSeconds[lane]
  const assumed = (assumedParallel * usualWindows[lane]) / Math.max(alone, 0.01)
  return Math.max(alone, windows / Math.max(windowsPerSecond[lane] ?? assumed, slowestPerSecond))
}

const leastStartSeconds = 1

function secondsUntilRunning(status: ModelStatus, at: Date): number {
  const { state, since, startSeconds, plannedStartSeconds } = status
  const expected = startSeconds ?? plannedStartSeconds
  const passed = state === 'idle' ? 0 : Math.max(0, (at.getTime() - since.getTime()) / 1_000)
  // One that is late is likely to be late by much. But it is started afresh at some time, so never more than a whole start.
  const rest = passed < expected ? expected - passed : Math.min(passed / 2, expected)
  return Math.max(rest, leastStartSeconds)
}
