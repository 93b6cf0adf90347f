import type { IncomingMessage } from 'node:http'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { maxBodyBytes } from '../contract/limits.ts'
import { Problem } from '../contract/problems/problem.ts'
import { maxReaderFormBytes } from '../contract/reader-forms.ts'
import { noSchemas } from '../platform/fastify/no-schemas.ts'
import { gatewayRequestId, observeRequests } from '../platform/observability/http-requests.ts'
import { openStreamHub } from '../stream/stream-hub.ts'
import { clientAddress, gatewayRecogniser } from './client-address.ts'
import { answerByMountedHandler } from './mounted-handler.ts'
import { type Answered, addOperations } from './operations/operation-routes.ts'
import { assertAcceptsEvents } from './operations/stream-response.ts'
import { assertAcceptsJson } from './read-request.ts'
import { isReaderPage, openReaderPages, type ReaderPages } from './reader-pages/reader-pages.ts'
import { requestLogger } from './request-metrics.ts'
import { refuseSocket, sendProblem } from './responses.ts'
import { assertRouted, isAt } from './routing/assert-routed.ts'
import { searchPath } from './search-page/query.ts'
import { isSearchPage, openSearchPage, type SearchPage } from './search-page/search-page.ts'
import { callOf, type ServerOptions } from './server-options.ts'
import { shedLoad } from './shed-load.ts'
import { type HttpHost, hostFinder, placesOf } from './sites.ts'

/**
 * The JSON API server, not yet listening. Requests are checked in this order, cheapest check first: host, path, method,
 * accept, size, media type, key, ban, JSON, validation.
 */
export function buildServer(options: ServerOptions): FastifyInstance {
  const places = placesOf(options.sites, options.accountPageUrl)
  const findPlace = hostFinder(places)
  const baseUrlOf = (request: FastifyRequest) =>
    (findPlace(request.headers.host)?.site ?? options.sites[0])?.baseUrl ?? ''
  const logRequest = requestLogger(options.logger)
  const isFromGateway = gatewayRecogniser(options.gatewaySecrets)
  const searchPage = openSearchPage(options.sites, options.allowances)
  const readerPages = openReaderPages(options.sites, options.allowances)
  const app = fastify({
    ...noSchemas,
    logger: false,
    bodyLimit: maxBodyBytes,
    // Higher than the gateway's limit, so that the gateway rejects large headers first.
    http: { maxHeaderSize: 80_000 },
    genReqId: (request) => requestIdOf(request, isFromGateway(request.headers)),
    requestTimeout: 30_000,
    // Longer than the gateway's idle timeout, so that this server never closes a connection on which a request arrives.
    keepAliveTimeout: 75_000,
    return503OnClosing: false,
    // An identifier of any length that matches nothing is a 404.
    routerOptions: { constraints: { site: siteConstraint(findPlace) }, maxParamLength: 100_000 },
    frameworkErrors: (error, request, reply) => answerError(request, reply as FastifyReply, error),
    clientErrorHandler: (error, socket) => refuseSocket(socket, error, options.sites[0]?.baseUrl ?? ''),
  })

  const answered: Answered = new WeakMap()
  function answerError(request: FastifyRequest, reply: FastifyReply, error: unknown) {
    // Don't render HTML while shedding load.
    const tellPerson = (problem: Problem) =>
      !load.hasRefused(request) &&
      [searchPage, readerPages].some(({ tellOf }) =>
        tellOf(problem, findPlace(request.headers.host)?.name, request, reply),
      )
    const problem = sendProblem(reply, error, { baseUrl: baseUrlOf(request), requestId: request.id, tellPerson })
    answered.set(request, { ...answered.get(request), problem: problem.code })
    if (problem.status >= 500 && !load.hasRefused(request))
      options.logger.error({ request_id: request.id, error: problem.cause }, 'failed')
  }

  observeRequests(app, {
    scheme: new URL(baseOf(options)).protocol.slice(0, -1),
    traceIdOf: ({ id }) => id,
    labelsOf: (request, status) => ({ operation: operationOf(request), status: String(status) }),
    isCountedElsewhere: (request) => load.hasRefused(request) || load.hasReleased(request),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.decorateRequest('clientAddress', '')
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
    if (options.isStopping()) throw stopping()
  })
  const load = shedLoad(app, options)
  app.addHook('onRequest', async (request) => {
    request.clientAddress = clientAddress(request, isFromGateway(request.headers))
    assertRouted(request, places, findPlace(request.headers.host), options.mcp)
    // Pages are HTML, and MCP has its own error format.
    if (!isSearchPage(request) && !isReaderPage(request) && !isAt(options.mcp, request))
      (request.routeOptions.config.answersStream ? assertAcceptsEvents : assertAcceptsJson)(request.headers.accept)
  })
  app.setErrorHandler((error, request, reply) => answerError(request, reply, error))
  app.addHook('onSend', async (_request, reply) => {
    // Without this header, the server could close the connection during the gateway's next request.
    if (options.isStopping()) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    if (load.hasRefused(request)) return
    const operation = operationOf(request)
    logRequest(request, {
      operation,
      status: reply.statusCode,
      milliseconds: reply.elapsedTime,
      ...answered.get(request),
    })
  })

  const hub = openStreamHub({
    ...{ db: options.db, clock: options.clock, logger: options.logger, timing: options.streamTiming },
    sites: new Map(options.sites.map((site) => [site.kind.name, site])),
  })
  app.addHook('preClose', () => hub.close())
  addSideRoutes(app, options, { searchPage, readerPages, answered })
  for (const place of places) {
    addMcp(app, options, place, answered)
    addOperations(app, options, { place, answered, hub, release: load.release })
  }
  return app
}

const operationOf = (request: FastifyRequest) => request.routeOptions.config.operationId ?? 'none'

const baseOf = ({ sites, accountPageUrl }: ServerOptions) => sites[0]?.baseUrl ?? accountPageUrl

type Parts = { searchPage: SearchPage; readerPages: ReaderPages; answered: Answered }

function addSideRoutes(app: FastifyInstance, options: ServerOptions, parts: Parts): void {
  const { searchPage, readerPages, answered } = parts
  for (const site of options.sites) {
    app.route({
      method: 'GET',
      url: searchPath,
      constraints: { site: site.kind.name },
      config: { operationId: 'searchPage' },
      handler: (request, reply) => searchPage.answer(callOf(options, site, searchPath, request), request, reply),
    })
    for (const route of readerPages.routesOf(site))
      app.route({
        method: ['GET', 'POST'],
        url: route.path,
        bodyLimit: maxReaderFormBytes,
        constraints: { site: site.kind.name },
        config: { operationId: route.id },
        handler: async (request, reply) => {
          const call = callOf(options, site, route.path, request)
          const problem = await readerPages.answer(route, call, request, reply)
          if (problem) answered.set(request, { problem: problem.code })
          return reply
        },
      })
  }
}

function addMcp(app: FastifyInstance, options: ServerOptions, place: HttpHost, answered: Answered): void {
  const handler = place.isOwnerPage ? options.commonMcp : options.mcp
  app.route({
    method: 'POST',
    url: handler.path,
    constraints: { site: place.name },
    config: { operationId: 'mcp' },
    handler: (request, reply) =>
      answerByMountedHandler(
        { handler, call: callOf(options, place.site, handler.path, request), request, reply },
        (note) => void answered.set(request, note),
      ),
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string
    answersStream?: boolean
  }
  interface FastifyRequest {
    /** The address that limits are counted by. */
    clientAddress: string
  }
}

/** The gateway's request id. Requests that bypass the gateway get a new one. It is also the id of the trace. */
const requestIdOf = (request: IncomingMessage, isFromGateway: boolean): string =>
  gatewayRequestId(isFromGateway ? request.headers['x-request-id'] : undefined)

/** The same path can be a different operation on another site, so routing depends on the Host header. */
function siteConstraint(findPlace: ReturnType<typeof hostFinder>) {
  return {
    name: 'site',
    storage: () => {
      const handlers = new Map<unknown, never>()
      return {
        get: (kind: unknown) => handlers.get(kind) ?? null,
        set: (kind: unknown, handler: never) => void handlers.set(kind, handler),
      }
    },
    deriveConstraint: (request: { headers: { host?: string | undefined } }) =>
      findPlace(request.headers.host)?.name ?? '',
    validate: () => {},
  }
}

const stopping = () =>
  new Problem('unavailable', 'This process is shutting down. Retry the request.', {
    headers: { 'retry-after': '1' },
  })
