import { isHalfOpen } from './endpoint-health.ts'
import type { DeliveryLane, LaneQueue } from './lanes.ts'

/** Concurrent attempts per process and host, across all accounts. */
const attemptsPerHost: Record<LaneQueue, number> = { first: 32, again: 8 }
/**
 * How many endpoints with repeated timeouts one process tries at a time: each may block its lane for the whole timeout.
 */
const trialsAtOnce: Record<LaneQueue, number> = { first: 16, again: 8 }

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>

/**
 * Limits the concurrent attempts of a run. Retries and hanging endpoints have separate limits, so that first attempts
 * never wait for them.
 */
export function createConcurrencyLimit(bounds: Record<LaneQueue, { concurrency: number }>) {
  const taken = new Map<string, number>()
  const change = (key: string, by: number) => {
    const concurrency = (taken.get(key) ?? 0) + by
    if (concurrency > 0) taken.set(key, concurrency)
    else taken.delete(key)
  }
  const keysOf = ({ queue, endpoint }: DeliveryLane) => ({
    host: `${queue} ${endpoint.host}`,
    trials: `${queue} trials`,
  })
  /** Runs that started as a trial. Each frees its trial slot at the end, even if the endpoint recovered meanwhile. */
  const trials = new WeakSet<DeliveryLane>()
  return {
    /** Returns the number of attempts that the lane may run concurrently; 0 if the limit is reached. */
    take: (lane: DeliveryLane): number => {
      const { host, trials: onTrial } = keysOf(lane)
      const isTrial = isHalfOpen(lane.endpoint.timeouts)
      if (isTrial && (taken.get(onTrial) ?? 0) >= trialsAtOnce[lane.queue]) return 0
      const wanted = isTrial ? 1 : Math.min(bounds[lane.queue].concurrency, Math.max(lane.due.length, 1))
      const given = Math.min(wanted, attemptsPerHost[lane.queue] - (taken.get(host) ?? 0))
      if (given <= 0) return 0
      change(host, given)
      if (isTrial) {
        trials.add(lane)
        change(onTrial, 1)
      }
      return given
    },
    leave: (lane: DeliveryLane, concurrency: number): void => {
      const { host, trials: onTrial } = keysOf(lane)
      change(host, -concurrency)
      if (trials.has(lane)) change(onTrial, -1)
    },
  }
}
