import { createHash, randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Performed } from '../calls/perform.ts'
import { problemFrom } from '../calls/problem-from.ts'
import type { Operation } from '../contract/define-operation.ts'
import { Problem, problemDocument } from '../contract/problems/problem.ts'

type Sent = { operation: Operation; performed: Performed; isKeyed: boolean }

/** Sends JSON, or 304 if the client already has this version of a revalidated resource. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, { operation, performed, isKeyed }: Sent) {
  const { status, headers, body } = performed
  if (body === undefined)
    return reply
      .code(status)
      .headers({ ...headers, 'cache-control': 'no-store' })
      .send()
  const text = JSON.stringify(body)
  reply.code(status).headers(headers)
  if (!operation.revalidates || headers['cache-control'])
    return reply.headers({ ...json, 'cache-control': headers['cache-control'] ?? 'no-store' }).send(text)
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  // Caches must always revalidate, so that removed posts disappear. Responses differ by key, hence Vary.
  reply.headers({ etag, 'cache-control': isKeyed ? 'private, no-cache' : 'public, no-cache', vary: 'Authorization' })
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.headers(json).send(text)
}

const json = { 'content-type': 'application/json; charset=utf-8' }

/** Weak comparison (RFC 9110 §13.1.2): a list of tags, or `*`. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags?.some((tag) => tag === '*' || tag === etag.slice(2)) ?? false
}

type Context = {
  baseUrl: string
  requestId: string
  /** Renders an error page if the caller is a person in a browser; returns false otherwise. */
  tellPerson: (problem: Problem) => boolean
}

/** Sends any error as a problem document and returns the problem for the log. */
export function sendProblem(reply: FastifyReply, error: unknown, context: Context): Problem {
  const problem = problemFrom(fromFastify(error))
  // Fastify closes the connection when a body is too large. A gateway that is still sending the body could then get a
  // connection reset before it reads this response. An open connection reads the rest of the body, which the gateway
  // limits to 1 MiB.
  if (problem.code === 'body_too_large') reply.removeHeader('connection')
  if (context.tellPerson(problem)) return problem
  reply
    .code(problem.status)
    .headers({ ...problem.headers, 'cache-control': 'no-store', 'content-type': 'application/problem+json' })
    // Sent as bytes: Fastify would add a charset to a string, and this media type has none.
    .send(Buffer.from(JSON.stringify(problemDocument(problem, context))))
  return problem
}

/** Maps Fastify's own errors to the problem catalog. */
function fromFastify(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || !String(error.code).startsWith('FST_')) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('body_too_large', 'The body is larger than 256 KiB.', { cause: error })
  const status = 'statusCode' in error ? Number(error.statusCode) : 500
  return status < 500 ? malformedRequest(error) : error
}

const malformedRequest = (cause: Error) => new Problem('malformed_request', 'The request is not valid HTTP.', { cause })

/** Writes a 400 response to the socket, for input so malformed that there is no request object. */
export function refuseSocket(socket: Socket, error: Error, baseUrl: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomBytes(16).toString('hex')
  const body = JSON.stringify(problemDocument(malformedRequest(error), { baseUrl, requestId }))
  socket.end(
    'HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nConnection: close\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
