import type { ModelStatus } from './read-status.ts'

type Question = {
  status: ModelStatus
  /** How many stand before the post. */
  waiting: number
  at: Date
}

export type DecisionEstimate = {
  state: 'running' | 'starting'
  estimatedDecisionAt: Date
  retryAfterSeconds: number
}

/** When a post that is queued now will be decided: a time that nine of ten posts keep. Measured, where there are measures. */
export function estimateDecision({ status, waiting, at }: Question): DecisionEstimate {
  const state = status.state === 'running' ? 'running' : 'starting'
  const startSeconds = state === 'running' ? 0 : secondsUntilRunning(status, at)
  const seconds = Math.ceil(startSeconds + turnSeconds(status, waiting))
  return {
    state,
    estimatedDecisionAt: new Date(at.getTime() + seconds * 1_000),
    retryAfterSeconds: Math.max(1, Math.min(seconds, longestPollSeconds[state])),
  }
}

/** Whoever polls learns of a decision that came early no later than this. */
const longestPollSeconds = { running: 60, starting: 300 } as const

/**
 * Until something was measured. Two a second is what one card does with a large model and posts of a page, each answered
 * within five seconds; a small model is far quicker.
 */
const unmeasured = { decisionsPerSecond: 1, decisionSeconds: 5 } as const

/**
 * An average is kept by half of the posts. Twice its time is kept by nine of ten even when the machine has become half
 * as slow again as it was measured and its speed scatters by half besides: the simulation beside this file shows it.
 */
const queueMargin = 2
/** Times of answers scatter more: nine of ten lie within 2.3 times the mean even when they are exponential. */
const answerMargin = 2.3
/** Until a worker notices a post or a change of state, and for a pause of the machine. */
const noticeSeconds = 3
/** A queue that stood still for a while is not for ever: below this the average says nothing. */
const slowestPerSecond = 0.02

function turnSeconds({ decisionsPerSecond, decisionSeconds }: ModelStatus, waiting: number): number {
  // One that answers is no slower than one post after the other; half of that, since the first answers came unhurried.
  const assumed = decisionSeconds ? 0.5 / decisionSeconds : unmeasured.decisionsPerSecond
  const perSecond = Math.max(decisionsPerSecond ?? assumed, slowestPerSecond)
  const queueSeconds = (waiting + 1) / perSecond
  const answerSeconds = decisionSeconds ?? unmeasured.decisionSeconds
  return noticeSeconds + queueMargin * queueSeconds + answerMargin * answerSeconds
}

/** Starts scatter less than answers: the same program reads the same files. */
const startMargin = 1.25
const leastStartSeconds = 5

function secondsUntilRunning(status: ModelStatus, at: Date): number {
  const { state, since, startSeconds, plannedStartSeconds } = status
  const expected = startSeconds === null ? plannedStartSeconds : startSeconds * startMargin
  const passed = state === 'idle' ? 0 : Math.max(0, (at.getTime() - since.getTime()) / 1_000)
  // One that is late is likely to be late by much. But it is started afresh at some time, so never more than a whole start.
  const rest = passed < expected ? expected - passed : Math.min(passed / 2, expected)
  return Math.max(rest, leastStartSeconds)
}
