import { SpanKind } from '@opentelemetry/api'
import { testEvent } from '../../contract/events.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import { inTrace } from '../../platform/observability/tracing.ts'
import type { Channel } from '../../platform/outbound-http/open-outbound.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { rowOf } from '../secrets.ts'
import type { Attempted } from './attempts.ts'
import {
  type AttemptObserver,
  isGone,
  isSuccess,
  makeAttempt,
  nextAttemptAt,
  pauseAskedFor,
  type Reaction,
  type Recorded,
} from './attempts.ts'
import type { BatchWriter } from './batch-writer.ts'
import { circuitPauseMs, noteReaction } from './endpoint-health.ts'
import type { DeliveryLane, Due } from './lanes.ts'

export type RunContext = {
  db: Database
  clock: Clock
  logger: Logger
  sealing: Sealing
  recorder: BatchWriter<Recorded>
  observe: AttemptObserver
  random: () => number
  /** Timeout of one attempt. */
  attemptMs: number
}

type Run = {
  lane: DeliveryLane
  channel: Channel
  /** Concurrent attempts. */
  concurrency: number
  /** Whether another attempt may start: the endpoint has not changed, and the process has its lease. */
  mayBegin: () => boolean
  signal: AbortSignal
}

/**
 * Sends the due deliveries of a lane until all are sent or no more may start. Returns the end of the pause that the
 * endpoint needs, if any.
 */
export async function runLane(context: RunContext, run: Run): Promise<Date | null> {
  const { clock, sealing } = context
  const { lane, channel, concurrency, mayBegin, signal } = run
  const { endpoint } = lane
  const keys = endpoint.secrets.map((secret) => sealing.open(secret, rowOf(endpoint.id, secret.number)))
  const before = { timeouts: endpoint.timeouts, isDisabled: endpoint.isDisabled }
  const queue = lane.due.values()
  let askedMs = 0
  const circuitMs = () => circuitPauseMs({ before: before.timeouts, now: endpoint.timeouts })
  const mayGoOn = () =>
    askedMs === 0 && circuitMs() === 0 && endpoint.isDisabled === before.isDisabled && keys.length > 0 && mayBegin()

  /** Sends one delivery. `written` resolves when the attempt is recorded. Returns undefined if nothing was sent. */
  const attempt = async (due: Due) => {
    const at = clock.now()
    const startedAt = performance.now()
    const reaction = await traced(due, endpoint.id, () =>
      makeAttempt({ channel, endpoint, keys, due, at, timeoutMs: context.attemptMs, signal }),
    )
    if (!reaction) return undefined
    const attempted = { lane, due, reaction, at, durationMs: Math.round(performance.now() - startedAt) }
    await noted(context, attempted)
    askedMs = Math.max(askedMs, pauseAskedFor(reaction))
    context.observe(attempted)
    return { written: context.recorder.add(recordedOf(context, attempted)) }
  }
  const sender = async () => {
    // The next attempt may run while the previous one is being recorded, so a crash repeats at most these two.
    let writing: Promise<void> | undefined
    // All concurrent loops share one iterator, so that each delivery is sent once.
    for (const due of queue) {
      if (!mayGoOn()) break
      const attempted = await attempt(due)
      await writing
      writing = attempted?.written
    }
    await writing
  }
  const senders = await Promise.allSettled(Array.from({ length: concurrency }, sender))
  for (const one of senders) if (one.status === 'rejected') throw one.reason
  const pauseMs = Math.max(askedMs, circuitMs())
  return pauseMs === 0 ? null : new Date(clock.now().getTime() + pauseMs)
}

/**
 * A trace of its own, with the id of the event: the event's row does not have the trace that caused it. The receiver gets
 * no traceparent (decisions/0071).
 */
const traced = <Result>(due: Due, webhookId: string, work: () => Promise<Result>) =>
  inTrace(
    'deliver event',
    {
      kind: SpanKind.PRODUCER,
      attributes: {
        'broadside.webhook_id': webhookId,
        'broadside.event_id': due.event_id,
        'broadside.attempt': due.tries + 1,
      },
    },
    work,
  )

/** If the endpoint's health cannot be recorded, the attempt still is: otherwise it would be sent again. */
async function noted({ db, logger }: RunContext, { lane, due, reaction, at }: Attempted): Promise<void> {
  const { endpoint } = lane
  await noteReaction(db, { endpoint, reaction, isTest: due.type === testEvent.type, at }).catch((error) =>
    logger.warn({ error, webhook_id: endpoint.id }, 'could not record endpoint health'),
  )
}

function recordedOf({ random }: RunContext, { lane, due, reaction, at, durationMs }: Attempted): Recorded {
  const { endpoint } = lane
  const next = isSuccess(reaction) ? null : nextAttemptAt({ tries: due.tries + 1, reaction, at, random })
  const status = statusAfter(reaction, { isDisabled: endpoint.isDisabled, hasNext: next !== null })
  return {
    webhook_id: endpoint.id,
    event_id: due.event_id,
    tries: due.tries,
    status,
    due_at: status === 'pending' ? (next?.toISOString() ?? null) : null,
    attempt: {
      at: at.toISOString(),
      status_code: 'status' in reaction ? reaction.status : null,
      duration_ms: durationMs,
      error: 'fault' in reaction ? reaction.fault : null,
    },
  }
}

/** While an endpoint is disabled, each test or replay makes only one attempt. */
function statusAfter(reaction: Reaction, { isDisabled, hasNext }: { isDisabled: boolean; hasNext: boolean }) {
  if (isSuccess(reaction)) return 'delivered'
  if (isDisabled || isGone(reaction)) return 'held'
  return hasNext ? 'pending' : 'failed'
}
