import { createHash, randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Performed } from '../calls/perform.ts'
import { problemFrom } from '../calls/problem-from.ts'
import type { Operation } from '../contract/define-operation.ts'
import { Problem, problemDocument } from '../contract/problems/problem.ts'

type Sent = { operation: Operation; performed: Performed; isKeyed: boolean }

/** Sends an answer as JSON, or 304 to who has it already. */
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
  // Kept, but asked for again each time: what was removed must not be shown on. A key sees other things, hence Vary.
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
  /** Answers with a page, if this caller is a person who is at one; else says so. */
  tellPerson: (problem: Problem) => boolean
}

/** Answers any error as a problem document and returns what was answered, for the log. */
export function sendProblem(reply: FastifyReply, error: unknown, context: Context): Problem {
  const problem = problemFrom(fromFastify(error))
  if (context.tellPerson(problem)) return problem
  // Fastify closes the connection under a body that is too large. The gateway, still sending it, could be reset before
  // it has read this answer; kept, the connection is read to the end of the body, which the gateway holds to 1 MiB.
  if (problem.code === 'body_too_large') reply.removeHeader('connection')
  reply
    .code(problem.status)
    .headers({ ...problem.headers, 'cache-control': 'no-store', 'content-type': 'application/problem+json' })
    // As bytes: to a string Fastify would add a charset, which this media type does not have.
    .send(Buffer.from(JSON.stringify(problemDocument(problem, context))))
  return problem
}

/** Fastify's own refusals in the words of the catalog. */
function fromFastify(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || !String(error.code).startsWith('FST_')) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('body_too_large', 'The body has more than 256 KiB.', { cause: error })
  const status = 'statusCode' in error ? Number(error.statusCode) : 500
  return status < 500 ? malformedRequest(error) : error
}

const malformedRequest = (cause: Error) =>
  new Problem('malformed_request', 'The request cannot be read as HTTP.', { cause })

/** For what is so broken that no request came of it: the socket is all there is to answer on. */
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
