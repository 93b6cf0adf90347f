import type { FastifyRequest } from 'fastify'
import type { Logger } from '../platform/observability/logger.ts'

type Answered = { operation: string; status: number; milliseconds: number; accountId?: string; problem?: string }

/** Logs each request by operation, not by URL, because URLs can contain user content. */
export function requestLogger(logger: Logger) {
  return (request: FastifyRequest, { operation, status, milliseconds, accountId, problem }: Answered) => {
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
