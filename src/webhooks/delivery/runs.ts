import type { Lane } from './lane.ts'

/** A lane that this process works through. Withdrawn, it begins nothing more. */
export type LaneRun = { lane: Lane; isWithdrawn: boolean }

export type Runs = ReturnType<typeof openRuns>

/** What is under way in this process, by endpoint. */
export function openRuns() {
  const byEndpoint = new Map<string, Set<LaneRun>>()
  /** For each taking that is under way, what was withdrawn meanwhile: it may have been read as it was before. */
  const takings = new Set<{ withdrawn: Set<string>; isAll: boolean }>()
  const begin = (lane: Lane, isWithdrawn: boolean): LaneRun => {
    const run = { lane, isWithdrawn }
    const { id } = lane.endpoint
    byEndpoint.set(id, (byEndpoint.get(id) ?? new Set()).add(run))
    return run
  }
  return {
    /** Takes lanes and begins their runs, without a moment between the two in which a change could be missed. */
    beginAll: async (take: () => Promise<Lane[]>): Promise<LaneRun[]> => {
      const taking = { withdrawn: new Set<string>(), isAll: false }
      takings.add(taking)
      try {
        const lanes = await take()
        return lanes.map((lane) => begin(lane, taking.isAll || taking.withdrawn.has(lane.endpoint.id)))
      } finally {
        takings.delete(taking)
      }
    },
    end: (run: LaneRun): void => {
      const { id } = run.lane.endpoint
      byEndpoint.get(id)?.delete(run)
      if (byEndpoint.get(id)?.size === 0) byEndpoint.delete(id)
    },
    withdraw: (webhookId: string): void => {
      for (const run of byEndpoint.get(webhookId) ?? []) run.isWithdrawn = true
      for (const taking of takings) taking.withdrawn.add(webhookId)
    },
    withdrawAll: (): void => {
      for (const run of [...byEndpoint.values()].flatMap((runs) => [...runs])) run.isWithdrawn = true
      for (const taking of takings) taking.isAll = true
    },
  }
}
