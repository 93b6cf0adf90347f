import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../contract/problems/problem.ts'
import { observeAtScrape, openCounter } from '../platform/observability/instruments.ts'
import type { Logger } from '../platform/observability/logger.ts'

/**
 * How many requests a process accepts at a time per database connection. With the default 16 connections, one process
 * can accept the largest burst that the gateway lets through. At 20 ms each, the last request waits a third of a
 * second: far less than the 5 s timeout for a connection, and less than /readyz allows.
 */
export const requestsPerConnection = 16

/** A request needs about five turns of the event loop. Above this delay, it takes more than a second. */
export const maxLoopDelayMs = 250

const reportEveryMs = 1_000

const reasons = {
  in_flight: 'Too many requests are in progress. This one was not started.',
  event_loop: 'The service is too busy to start this request.',
} as const

type Reason = keyof typeof reasons

type Options = { maxInFlight: number; loopDelayMs: () => number; logger: Logger }

/** A request is in flight until its work has ended and the caller has the response or has disconnected. */
type Flight = { isAwaited: boolean; isWorkedOn: boolean; isCounted: boolean }

/** Rejects requests before any work is done, while the process is at its limit or its event loop lags. */
export function shedLoad(app: FastifyInstance, { maxInFlight, loopDelayMs, logger }: Options) {
  const flights = new WeakMap<FastifyRequest, Flight>()
  const refused = new WeakSet<FastifyRequest>()
  const released = new WeakSet<FastifyRequest>()
  const report = refusalReport(logger)
  let inFlight = 0
  const update = (flight: Flight | undefined, change: Partial<Flight>) => {
    if (!flight) return
    Object.assign(flight, change)
    const isCounted = flight.isAwaited || flight.isWorkedOn
    if (isCounted !== flight.isCounted) inFlight += isCounted ? 1 : -1
    flight.isCounted = isCounted
  }
  const reasonToRefuse = (): Reason | undefined => {
    if (inFlight >= maxInFlight) return 'in_flight'
    return loopDelayMs() > maxLoopDelayMs ? 'event_loop' : undefined
  }

  app.addHook('onRequest', (request, reply, done) => {
    const reason = reasonToRefuse()
    if (reason) {
      refused.add(request)
      report.add(reason)
      return done(new Problem('unavailable', reasons[reason], { headers: { 'retry-after': '1' } }))
    }
    const flight = { isAwaited: false, isWorkedOn: false, isCounted: false }
    flights.set(request, flight)
    update(flight, { isAwaited: true })
    // Runs when the response was sent, failed or was aborted, even if it was queued behind another on its connection.
    reply.raw.once('close', () => update(flight, { isAwaited: false }))
    done()
  })
  // When a caller disconnects, its work continues and still uses a database connection.
  app.addHook('preHandler', (request, _reply, done) => {
    update(flights.get(request), { isWorkedOn: true })
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    update(flights.get(request), { isWorkedOn: false })
    done(null, payload)
  })
  const observing = observeAtScrape(['http.server.requests.in_flight'], (observe) =>
    observe('http.server.requests.in_flight', inFlight),
  )
  app.addHook('onClose', async () => {
    observing[Symbol.dispose]()
    report.stop()
  })
  return {
    hasRefused: (request: FastifyRequest) => refused.has(request),
    /** A response that stays open has limits of its own and is no longer in flight. */
    release: (request: FastifyRequest): void => {
      released.add(request)
      update(flights.get(request), { isAwaited: false, isWorkedOn: false })
    },
    hasReleased: (request: FastifyRequest) => released.has(request),
  }
}

/**
 * Counts rejected requests and logs the totals once a second. A log line for each would cost more than the rejection.
 */
function refusalReport(logger: Logger) {
  const counter = openCounter('http.server.requests.shed')
  let counts: Partial<Record<Reason, number>> = {}
  let timer: NodeJS.Timeout | undefined
  const write = () => {
    logger.warn({ refused: counts }, 'requests rejected because of overload')
    counts = {}
    timer = undefined
  }
  return {
    add: (reason: Reason) => {
      counter.add(1, { reason })
      counts[reason] = (counts[reason] ?? 0) + 1
      timer ??= setTimeout(write, reportEveryMs).unref()
    },
    stop: () => clearTimeout(timer),
  }
}
