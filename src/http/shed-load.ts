import { metrics } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../contract/problems/problem.ts'
import type { Logger } from '../platform/observability/logger.ts'

/**
 * How many requests a process takes at a time for each of its connections to the database. With the usual 16 connections
 * the largest burst that the gateway lets through fits into one process. At 20 ms for each, the last in line waits a
 * third of a second: far less than the 5 s after which a connection is given up, and than what /readyz allows.
 */
export const requestsPerConnection = 16

/** A request needs some five turns of the loop, and a health check two: above this they take more than a second. */
export const maxLoopDelayMs = 250

const reportEveryMs = 1_000

const reasons = {
  in_flight: 'Too many requests are in work here; this one was not begun.',
  event_loop: 'The service is too busy to begin this request.',
} as const

type Reason = keyof typeof reasons

type Options = { maxInFlight: number; loopDelayMs: () => number; logger: Logger }

/** A request is in flight until its caller has its answer or is gone, and nothing works on it any more. */
type Flight = { isAwaited: boolean; isWorkedOn: boolean; isCounted: boolean }

/** Refuses requests before anything is done for them, while the process has as many as it can take or is always late. */
export function shedLoad(app: FastifyInstance, { maxInFlight, loopDelayMs, logger }: Options) {
  const flights = new WeakMap<FastifyRequest, Flight>()
  const refused = new WeakSet<FastifyRequest>()
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
    // Answered, failed or broken off: it is closed, also while it stands in line behind another on its connection.
    reply.raw.once('close', () => update(flight, { isAwaited: false }))
    done()
  })
  // A caller who has gone leaves its work behind, which goes on to hold a connection.
  app.addHook('preHandler', (request, _reply, done) => {
    update(flights.get(request), { isWorkedOn: true })
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    update(flights.get(request), { isWorkedOn: false })
    done(null, payload)
  })
  const gauge = metrics.getMeter('broadside').createObservableGauge('http.server.requests.in_flight', {
    description: 'Requests that are in work.',
  })
  const observe = (result: { observe(value: number): void }) => result.observe(inFlight)
  gauge.addCallback(observe)
  app.addHook('onClose', async () => {
    gauge.removeCallback(observe)
    report.stop()
  })
  return { hasRefused: (request: FastifyRequest) => refused.has(request) }
}

/** Counts every refusal, and logs their number once a second: a line for each would be more work than the refusal. */
function refusalReport(logger: Logger) {
  const counter = metrics.getMeter('broadside').createCounter('http.server.requests.shed', {
    description: 'Requests that were refused because the process had enough, by reason.',
  })
  let counts: Partial<Record<Reason, number>> = {}
  let timer: NodeJS.Timeout | undefined
  const write = () => {
    logger.warn({ refused: counts }, 'requests were refused, as there were too many')
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
