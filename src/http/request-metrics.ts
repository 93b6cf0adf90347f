import { metrics } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import type { Logger } from '../platform/observability/logger.ts'

type Answered = { operation: string; status: number; milliseconds: number; accountId?: string; problem?: string }

/** Measures and logs each request by operation, not by URL, because URLs can contain user content. */
export function requestObserver(logger: Logger) {
  const duration = metrics.getMeter('broadside').createHistogram('http.server.request.duration.seconds', {
    description: 'Response time, by operation and status.',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
  })
  return (request: FastifyRequest, { operation, status, milliseconds, accountId, problem }: Answered) => {
    duration.record(milliseconds / 1_000, { operation, status: String(status) })
    const level = status >= 500 ? 'error' : 'info'
    logger[level](
      {
        request_id: request.id,
        method: request.method,
        operation,
        status,
        ms: Math.round(milliseconds * 10) / 10,
        account_id: accountId,
        problem,
      },
      'answered',
    )
  }
}
