import { neverRan } from '../../platform/database.ts'
import type { Outbound } from '../../platform/outbound-http/open-outbound.ts'
import { attemptTimeoutSeconds } from '../rules.ts'
import { type Channels, openChannels } from './channels.ts'
import { type Holder, startHolder } from './holder.ts'
import type { Lane, Queue } from './lane.ts'
import { attemptObserver } from './observe.ts'
import { type Recorded, recordAttempts } from './record-attempts.ts'
import { pauseLanes, type Released, releaseLanes } from './release-lanes.ts'
import { type RunContext, runLane } from './run-lane.ts'
import { type LaneRun, openRuns, type Runs } from './runs.ts'
import { openSeats, type Seats } from './seats.ts'
import { TakenUnread, takeLanes } from './take-lanes.ts'
import { startTaking } from './taking.ts'
import { type Together, writeTogether } from './write-together.ts'

/** For each queue of one process: lanes at a time, and attempts at a time in each of them. */
const bounds: Record<Queue, { lanes: number; seats: number }> = {
  first: { lanes: 128, seats: 8 },
  again: { lanes: 64, seats: 2 },
}
/** How often it is looked for work in each queue, and how long an attempt may take. */
export type DeliveryPace = Record<Queue, number> & { attemptMs: number }
const usualPace: DeliveryPace = { first: 150, again: 500, attemptMs: attemptTimeoutSeconds * 1_000 }
const maxConnections = bounds.first.seats + bounds.again.seats
/** A lane for which there is no seat is looked at again after one to five times this. */
const noSeatMs = 1_000
/** A lane that met a fault of ours, such as a secret whose key is missing. */
const brokenLaneMs = 10_000
/** How long attempts may take to end when all is closed. The rest is sent again by another process. */
const graceMs = 5_000
/** And how long what came of them may take to be written down. */
const writingMs = 1_000

type Options = Pick<RunContext, 'db' | 'clock' | 'logger' | 'sealing'> & {
  outbound: Outbound
  /** If not as usual. */
  pace?: DeliveryPace | undefined
  random?: () => number
}

/** Delivers events until it is closed. Any number of processes may run one. */
export async function startDispatcher({ outbound, pace = usualPace, random = Math.random, ...shared }: Options) {
  const { db, clock, logger } = shared
  const [stopping, forced] = [new AbortController(), new AbortController()]
  const recorder = writeTogether<Recorded>('attempts', logger, (attempts) => recordAttempts(db, attempts))
  const releaser = writeTogether<Released>('ends of runs', logger, (lanes) => releaseLanes(db, lanes))
  const runs = openRuns()
  const mayBegin = () => !stopping.signal.aborted && holder.mayBegin()
  const channels = openChannels(outbound, { maxConnections, mayConnect: mayBegin })
  const holder: Holder = await startHolder({
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
  const crew: Crew = {
    ...shared,
    attemptMs: pace.attemptMs,
    ...{ recorder, releaser, random, runs, holder, channels, mayBegin, forced: forced.signal },
    observe: attemptObserver(),
    seats: openSeats(bounds),
  }
  const takings = (['first', 'again'] as const).map((queue) =>
    startTaking({
      logger,
      pollMs: pace[queue],
      room: bounds[queue].lanes,
      take: async (count) => {
        const id = holder.id()
        if (!id || !mayBegin()) return []
        const taking = runs.beginAll(() => takeLanes(db, { queue, holder: id, count, at: clock.now() }))
        return taking.catch((error) => letGo(crew, { error, queue, holder: id }))
      },
      work: (run) => work(crew, run),
    }),
  )
  const giveUpWriting = () => {
    recorder.close()
    releaser.close()
  }
  const stop = async () => {
    stopping.abort()
    const timers = [setTimeout(() => forced.abort(), graceMs), setTimeout(giveUpWriting, graceMs + writingMs)]
    await Promise.all(takings.map((taking) => taking.close()))
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

type Failed = { error: unknown; queue: Queue; holder: string }

/** After a failed taking: gives back what is known to be taken, and the name when more may be. */
async function letGo({ holder, releaser }: Crew, { error, queue, holder: id }: Failed): Promise<never> {
  if (error instanceof TakenUnread)
    for (const webhook_id of error.ids) void releaser.add({ webhook_id, queue, holder: id, paused_until: null })
  else if (!neverRan(error)) await holder.lose(id)
  throw error
}

type Crew = RunContext & {
  runs: Runs
  holder: Holder
  releaser: Together<Released>
  seats: Seats
  channels: Channels
  mayBegin: () => boolean
  forced: AbortSignal
}

/** Works one lane through and gives it back, whatever happens. */
async function work(crew: Crew, run: LaneRun): Promise<void> {
  const { runs, clock, logger, random } = crew
  const { lane } = run
  const pauseOf = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds)
  let pausedUntil: Date | null
  try {
    const seats = crew.seats.take(lane)
    if (seats === 0) pausedUntil = pauseOf(noSeatMs * (1 + 4 * random()))
    else pausedUntil = await send(crew, run, seats).finally(() => crew.seats.leave(lane, seats))
  } catch (error) {
    logger.error({ error, webhook_id: lane.endpoint.id }, 'a lane could not be worked through')
    pausedUntil = pauseOf(brokenLaneMs)
  }
  runs.end(run)
  await release(crew.releaser, lane, pausedUntil)
}

async function send(crew: Crew, run: LaneRun, seats: number): Promise<Date | null> {
  const { lane } = run
  const { id, url } = lane.endpoint
  const { channel, leave } = crew.channels.take(id, url)
  const mayBegin = () => !run.isWithdrawn && crew.mayBegin()
  const pausedUntil = await runLane(crew, { lane, channel, seats, mayBegin, signal: crew.forced }).finally(leave)
  if (pausedUntil) await pauseLanes(crew.db, id, pausedUntil)
  return pausedUntil
}

const release = (releaser: Together<Released>, { endpoint, queue, holder }: Lane, pausedUntil: Date | null) =>
  releaser.add({ webhook_id: endpoint.id, queue, holder, paused_until: pausedUntil })
