import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { findLinkedAccount } from '../accounts/owner-link.ts'
import type { Html } from '../markup/html.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { comingPage, expiredPage, failedPage, frontPage } from './coming-page.ts'
import { style } from './style.ts'

export type OwnerPageOptions = {
  db: Database
  clock: Clock
  logger: Logger
  accountPageUrl: string
  isStopping: () => boolean
}

/** No script, no frame, no referrer, nothing kept: the address of an owner page holds a token. */
const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
}

/** The owner's door, not yet listening. It writes no addresses to any log: they hold tokens. */
export function buildOwnerPage({ db, clock, logger, accountPageUrl, isStopping }: OwnerPageOptions): FastifyInstance {
  const app = fastify({ logger: false, keepAliveTimeout: 75_000, requestTimeout: 30_000, return503OnClosing: false })
  const host = new URL(accountPageUrl).host
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    if (isStopping()) return send(reply.headers({ connection: 'close', 'retry-after': '1' }), 503, failedPage())
    if (request.headers.host?.toLowerCase() !== host) return send(reply, 421, frontPage())
  })
  app.get('/', async (_request, reply) => send(reply, 200, frontPage()))
  app.get('/owner-page.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(style))
  app.get<{ Params: { token: string } }>('/o/:token', async ({ params }, reply) => {
    const account = await findLinkedAccount(db, params.token, clock.now())
    return account ? send(reply, 200, comingPage(account)) : send(reply, 410, expiredPage())
  })
  app.setNotFoundHandler((_request, reply) => send(reply, 404, frontPage()))
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // A request that is wrong in itself is the caller's fault, not an event for whoever reads the log.
    if (error.statusCode && error.statusCode < 500) return send(reply, error.statusCode, frontPage())
    logger.error({ request_id: request.id, error }, 'failed')
    return send(reply.header('retry-after', '5'), 503, failedPage())
  })
  return app
}

const send = (reply: FastifyReply, status: number, page: Html) =>
  reply.code(status).type('text/html; charset=utf-8').send(page)
