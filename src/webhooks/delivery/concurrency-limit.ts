import { isHalfOpen } from './endpoint-health.ts'
import type { DeliveryLane, LaneQueue } from './lanes.ts'

/** How many attempts one process makes at a host at the same time, whoever owns the endpoints there. */
const attemptsPerHost: Record<LaneQueue, number> = { first: 32, again: 8 }
/** How many endpoints that have timed out one process tries at a time: each may hold its lane for the whole time. */
const trialsAtOnce: Record<LaneQueue, number> = { first: 16, again: 8 }

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>

/**
 * Gives out the attempts that a run may make at the same time. Retries have concurrency of their own: a first attempt never
 * waits behind them. Nor does one behind endpoints that hang, however many these are.
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
  /** What each run was given as a trial is given back as one, whatever its endpoint has become. */
  const trials = new WeakSet<DeliveryLane>()
  return {
    /** As many as are free, up to what the lane can use; 0 when there is none. */
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
