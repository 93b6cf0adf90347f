import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Performed } from '../calls/perform.ts'
import type { Operation } from '../contract/define-operation.ts'

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
