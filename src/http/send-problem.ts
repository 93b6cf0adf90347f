import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import { problemFrom } from '../calls/problem-from.ts'
import { Problem, problemDocument } from '../contract/problem.ts'

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
