import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Html } from '../markup/html.ts'

/** As at the gateway: errors are problem documents unless the client explicitly accepts HTML. */
export const takesPages = ({ headers }: FastifyRequest): boolean =>
  /(?:text\/html|application\/xhtml\+xml)(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(headers.accept ?? '')

export const sendPage = (reply: FastifyReply, status: number, page: Html, cacheControl = 'no-store') =>
  reply.code(status).headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': cacheControl }).send(page)
