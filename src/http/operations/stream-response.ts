import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../contract/problems/problem.ts'
import type { StreamHub, StreamStart } from '../../stream/stream-hub.ts'

const eventStream = 'text/event-stream'

/** Throws not_acceptable if the caller does not accept server-sent events. */
export function assertAcceptsEvents(accept: string | undefined): void {
  if (accept === undefined || accept.trim() === '') return
  const ranges = accept.split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase())
  if (ranges.some((range) => range === eventStream || range === 'text/*' || range === '*/*')) return
  throw new Problem('not_acceptable', 'This operation returns text/event-stream.')
}

/** The query with the header by which EventSource resumes. It is newer than the address, which stays the same. */
export function withLastEventId(query: Record<string, string>, { headers }: FastifyRequest): Record<string, string> {
  const lastEventId = headers['last-event-id']
  return typeof lastEventId === 'string' && lastEventId !== '' ? { ...query, after: lastEventId } : query
}

/** The problem with the name of the header, if that is where the cursor came from. */
export function withCursorHeader(problem: unknown, { headers }: FastifyRequest): unknown {
  if (!(problem instanceof Problem) || problem.code !== 'invalid_query' || !headers['last-event-id']) return problem
  const errors = (problem.members.errors ?? []).map((error) =>
    error.pointer === '#/after' ? { ...error, detail: `Last-Event-ID ${error.detail}` } : error,
  )
  return problem.with({ errors })
}

/** Answers with a stream. From here on, the hub writes to the connection. */
export function sendStream(reply: FastifyReply, hub: StreamHub, start: StreamStart): FastifyReply {
  const headers = { ...reply.getHeaders(), ...streamHeaders }
  reply.hijack()
  // Without chunks, a write is one call of the kernel for each reader. The end of the stream is that of the connection.
  reply.raw.useChunkedEncodingByDefault = false
  reply.raw.writeHead(200, headers as Record<string, string>)
  hub.open(start, reply.raw)
  return reply
}

const streamHeaders = {
  'content-type': `${eventStream}; charset=utf-8`,
  'cache-control': 'no-store',
  // For pages of other origins, as the files of the sites.
  'access-control-allow-origin': '*',
  // For proxies in front of ours.
  'x-accel-buffering': 'no',
}
