import { neverRan } from '../../platform/database/database.ts'
import type { Outbound } from '../../platform/outbound-http/open-outbound.ts'
import { attemptTimeoutSeconds } from '../delivery-policy.ts'
import { attemptObserver, type Recorded, recordAttempts } from './attempts.ts'
import { type BatchWriter, createBatchWriter } from './batch-writer.ts'
import { type Channels, openChannels } from './channels.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'
import {
  type DeliveryLane,
  type LaneQueue,
  pauseLanes,
  type Released,
  releaseLanes,
  takeLanes,
  UnreadableLanes,
} from './lanes.ts'
import { startPollLoop } from './poll-loop.ts'
import { type RunContext, runLane } from './run-lane.ts'
import { startWorkerLease, type WorkerLease } from './worker-lease.ts'

/** The limits of one process for each queue: concurrent lanes, and concurrent attempts per lane. */
const bounds: Record<LaneQueue, { lanes: number; concurrency: number }> = {
  first: { lanes: 128, concurrency: 8 },
  again: { lanes: 64, concurrency: 2 },
}
/** How often each queue is polled, and the timeout of an attempt, in milliseconds. */
export type DeliveryPace = Record<LaneQueue, number> & { attemptMs: number }
const usualPace: DeliveryPace = { first: 150, again: 500, attemptMs: attemptTimeoutSeconds * 1_000 }
const maxConnections = bounds.first.concurrency + bounds.again.concurrency
/** A lane that reaches the concurrency limit is retried after one to five times this delay. */
const noCapacityMs = 1_000
/** How long a lane pauses after an internal error, such as a secret whose encryption key is missing. */
const brokenLaneMs = 10_000
/** How long attempts may continue after close. Another process repeats those that do not finish. */
const graceMs = 5_000
/** How long recording their results may take after that. */
const writingMs = 1_000

type Options = Pick<RunContext, 'db' | 'clock' | 'logger' | 'sealing'> & {
  outbound: Outbound
  /** Overrides for tests. */
  pace?: DeliveryPace | undefined
  random?: () => number
}

/** Delivers events until it is closed. Several processes can each run a dispatcher. */
export async function startDispatcher({ outbound, pace = usualPace, random = Math.random, ...shared }: Options) {
  const { db, clock, logger } = shared
  const [stopping, forced] = [new AbortController(), new AbortController()]
  const recorder = createBatchWriter<Recorded>('attempts', logger, (attempts) => recordAttempts(db, attempts))
  const releaser = createBatchWriter<Released>('lane releases', logger, (lanes) => releaseLanes(db, lanes))
  const runs = openRuns()
  const mayBegin = () => !stopping.signal.aborted && holder.mayBegin()
  const channels = openChannels(outbound, { maxConnections, mayConnect: mayBegin })
  const holder: WorkerLease = await startWorkerLease({
    ...{ db, clock, logger },
    onChanged: (webhookId) => {
      runs.withdraw(webhookId)
      channels.retire(webhookId)
    },
    onLost: () => {
      runs.withdrawAll()
      channels.retireAll()
    },
  })
  const context: DispatcherContext = {
    ...shared,
    attemptMs: pace.attemptMs,
    ...{ recorder, releaser, random, runs, holder, channels, mayBegin, forced: forced.signal },
    observe: attemptObserver(),
    concurrency: createConcurrencyLimit(bounds),
  }
  const pollLoops = (['first', 'again'] as const).map((queue) =>
    startPollLoop({
      logger,
      pollMs: pace[queue],
      room: bounds[queue].lanes,
      take: async (count) => {
        const id = holder.id()
        if (!id || !mayBegin()) return []
        const taking = runs.beginAll(() => takeLanes(db, { queue, holder: id, count, at: clock.now() }))
        return taking.catch((error) => letGo(context, { error, queue, holder: id }))
      },
      work: (run) => work(context, run),
    }),
  )
  const giveUpWriting = () => {
    recorder.close()
    releaser.close()
  }
  const stop = async () => {
    stopping.abort()
    const timers = [setTimeout(() => forced.abort(), graceMs), setTimeout(giveUpWriting, graceMs + writingMs)]
    await Promise.all(pollLoops.map((taking) => taking.close()))
    for (const timer of timers) clearTimeout(timer)
    await holder.close()
    await channels.close()
  }
  let stopped: Promise<void> | undefined
  const close = () => {
    stopped ??= stop()
    return stopped
  }
  return { close, [Symbol.asyncDispose]: close }
}

type Failed = { error: unknown; queue: LaneQueue; holder: string }

/**
 * Handles a failed claim: releases the lanes known to be claimed. If others may be claimed too, gives up the lease, so
 * that they are taken over.
 */
async function letGo({ holder, releaser }: DispatcherContext, { error, queue, holder: id }: Failed): Promise<never> {
  if (error instanceof UnreadableLanes)
    for (const webhook_id of error.ids) void releaser.add({ webhook_id, queue, holder: id, paused_until: null })
  else if (!neverRan(error)) await holder.lose(id)
  throw error
}

type DispatcherContext = RunContext & {
  runs: Runs
  holder: WorkerLease
  releaser: BatchWriter<Released>
  concurrency: ConcurrencyLimit
  channels: Channels
  mayBegin: () => boolean
  forced: AbortSignal
}

/** Processes one lane and releases it, even after an error. */
async function work(context: DispatcherContext, run: LaneRun): Promise<void> {
  const { runs, clock, logger, random } = context
  const { lane } = run
  const pauseOf = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds)
  let pausedUntil: Date | null
  try {
    const concurrency = context.concurrency.take(lane)
    if (concurrency === 0) pausedUntil = pauseOf(noCapacityMs * (1 + 4 * random()))
    else pausedUntil = await send(context, run, concurrency).finally(() => context.concurrency.leave(lane, concurrency))
  } catch (error) {
    logger.error({ error, webhook_id: lane.endpoint.id }, 'could not process a lane')
    pausedUntil = pauseOf(brokenLaneMs)
  }
  runs.end(run)
  await release(context.releaser, lane, pausedUntil)
}

async function send(context: DispatcherContext, run: LaneRun, concurrency: number): Promise<Date | null> {
  const { lane } = run
  const { id, url } = lane.endpoint
  const { channel, leave } = context.channels.take(id, url)
  const mayBegin = () => !run.isWithdrawn && context.mayBegin()
  const pausedUntil = await runLane(context, { lane, channel, concurrency, mayBegin, signal: context.forced }).finally(
    leave,
  )
  if (pausedUntil) await pauseLanes(context.db, id, pausedUntil)
  return pausedUntil
}

const release = (
  releaser: BatchWriter<Released>,
  { endpoint, queue, holder }: DeliveryLane,
  pausedUntil: Date | null,
) => releaser.add({ webhook_id: endpoint.id, queue, holder, paused_until: pausedUntil })

/** A lane that this process is working on. Once withdrawn, it starts no more attempts. */
export type LaneRun = { lane: DeliveryLane; isWithdrawn: boolean }

export type Runs = ReturnType<typeof openRuns>

/** Active runs of this process, by endpoint. */
export function openRuns() {
  const byEndpoint = new Map<string, Set<LaneRun>>()
  /** For each claim in progress, the endpoints withdrawn meanwhile: the claim may have read their old state. */
  const takings = new Set<{ withdrawn: Set<string>; isAll: boolean }>()
  const begin = (lane: DeliveryLane, isWithdrawn: boolean): LaneRun => {
    const run = { lane, isWithdrawn }
    const { id } = lane.endpoint
    byEndpoint.set(id, (byEndpoint.get(id) ?? new Set()).add(run))
    return run
  }
  return {
    /** Claims lanes and starts their runs. Changes that happen during the claim are not missed. */
    beginAll: async (take: () => Promise<DeliveryLane[]>): Promise<LaneRun[]> => {
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
