/** How fast people decide. */
export type Pace = {
  /** Said while too few were decided to measure. */
  expectedSeconds: number
  /** Four of five were decided within it; null until measured. */
  usualSeconds: number | null
  decidedPerHour: number | null
}

type Waiting = { openedAt: Date; at: Date; inFront: number; pace: Pace }

/** Counting goes no further: the estimate for whoever stands behind so many is the longest there is. */
export const countedUpTo = 10_000
const shortestMs = 10 * 60_000
const longestMs = 14 * 86_400_000
/** So that two readings within minutes say the same. */
const roundedToMs = 5 * 60_000

/**
 * When a person will probably have decided: the usual time after it began to wait, or as long as the queue in front
 * takes, whichever is later. Once that has passed, it moves on by half of the usual time.
 */
export function expectDecision({ openedAt, at, inFront, pace }: Waiting): Date {
  const now = at.getTime()
  const usualMs = bounded((pace.usualSeconds ?? pace.expectedSeconds) * 1_000)
  const expected = Math.max(openedAt.getTime() + usualMs, now + queueMs(inFront, pace))
  const inTime = expected > now ? expected : moveOn(openedAt.getTime() + usualMs, now, usualMs / 2)
  return new Date(Math.ceil(Math.min(inTime, now + longestMs) / roundedToMs) * roundedToMs)
}

function queueMs(inFront: number, { decidedPerHour }: Pace): number {
  if (inFront >= countedUpTo) return longestMs
  return decidedPerHour ? (inFront / decidedPerHour) * 3_600_000 : 0
}

const bounded = (ms: number) => Math.min(Math.max(ms, shortestMs), longestMs)

const moveOn = (from: number, now: number, stepMs: number) => from + (Math.floor((now - from) / stepMs) + 1) * stepMs
