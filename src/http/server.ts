import type { KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { admit, authenticateKey, withOtherHeader } from '../calls/admit.ts'
import { admitOwner } from '../calls/admit-owner.ts'
import { assertJsonBody, parseJson } from '../calls/json-body.ts'
import type { MountedHandler } from '../calls/mounted-handler.ts'
import { perform } from '../calls/perform.ts'
import type { Call } from '../contract/call.ts'
import { type Operation, pathOf } from '../contract/define-operation.ts'
import { type AllowanceSizes, maxBodyBytes } from '../contract/limits.ts'
import { Problem } from '../contract/problems/problem.ts'
import { maxReaderFormBytes } from '../contract/reader-forms.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { gatewayRequestId, observeRequests } from '../platform/observability/http-requests.ts'
import type { Logger } from '../platform/observability/logger.ts'
import type { Outbound } from '../platform/outbound-http/open-outbound.ts'
import type { Sealing } from '../platform/sealing.ts'
import { clientAddress, gatewayRecogniser } from './client-address.ts'
import { answerByMountedHandler, type MountedHandlerNote } from './mounted-handler.ts'
import { assertAcceptsJson, parseQuery } from './read-request.ts'
import { isReaderPage, openReaderPages, type ReaderPages } from './reader-pages/reader-pages.ts'
import { requestLogger } from './request-metrics.ts'
import { refuseSocket, sendAnswer, sendProblem } from './responses.ts'
import { assertRouted, isAt } from './routing/assert-routed.ts'
import { searchPath } from './search-page/query.ts'
import { isSearchPage, openSearchPage, type SearchPage } from './search-page/search-page.ts'
import { shedLoad } from './shed-load.ts'
import { type HttpHost, type HttpSite, hostFinder, placesOf, takesHead } from './sites.ts'

export type ServerOptions = {
  sites: readonly HttpSite[]
  accountPageUrl: string
  db: Database
  sideDb: Database
  clock: Clock
  logger: Logger
  allowances: AllowanceSizes
  obeysTestWords: boolean
  sealing: Sealing
  outbound: Pick<Outbound, 'findFault'>
  /** The secrets that authenticate the gateway. Forwarded client addresses are trusted only from the gateway. */
  gatewaySecrets: readonly KeyObject[]
  /** The limit on concurrent requests, and the event loop delay. */
  maxInFlight: number
  loopDelayMs: () => number
  /** Serves MCP clients: on each site, and at the owner page's origin for all sites. */
  mcp: MountedHandler
  commonMcp: MountedHandler
  /** True once the process is shutting down: requests in flight finish, and new ones are rejected. */
  isStopping: () => boolean
}

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
    isCountedElsewhere: (request) => load.hasRefused(request),
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
      assertAcceptsJson(request.headers.accept)
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

  addSideRoutes(app, options, { searchPage, readerPages, answered })
  for (const place of places) {
    addMcp(app, options, place, answered)
    addOperations(app, options, place, answered)
  }
  return app
}

const operationOf = (request: FastifyRequest) => request.routeOptions.config.operationId ?? 'none'

const baseOf = ({ sites, accountPageUrl }: ServerOptions) => sites[0]?.baseUrl ?? accountPageUrl

/** The account and the problem of each request, for the log. */
type Answered = WeakMap<FastifyRequest, { accountId?: string; problem?: string } | MountedHandlerNote>

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
        (note) => answered.set(request, note),
      ),
  })
}

function addOperations(app: FastifyInstance, options: ServerOptions, place: HttpHost, answered: Answered): void {
  for (const operation of place.operations)
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{([a-z_]+)\}/g, ':$1'),
      constraints: { site: place.name },
      config: { operationId: operation.id },
      exposeHeadRoute: takesHead(operation),
      handler: async (request, reply) => {
        const call = await admitted(options, place, operation, request)
        const who = call.caller ?? call.owner
        if (who) answered.set(request, { accountId: who.accountId })
        const query = parseQuery(request.url)
        const body = operation.body ? parseJson(request.body) : undefined
        const raw = { params: request.params, query, body }
        const performed = await perform(operation, { ...call, query }, raw, options.allowances)
        return sendAnswer(request, reply, { operation, performed, isKeyed: who !== null })
      },
    })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string
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

async function admitted(options: ServerOptions, place: HttpHost, operation: Operation, request: FastifyRequest) {
  const { headers } = request
  if (operation.body) assertJsonBody(headers)
  const call = callOf(options, place.site, pathOf(operation, request.params as Record<string, unknown>), request)
  if (operation.access === 'owner') return admitOwner(operation, call, { headers, takesCookie: place.isOwnerPage })
  return admit(operation, call, await authenticateKey(call, headers.authorization)).catch((error) => {
    throw withOtherHeader(error, headers)
  })
}

/** The call before authentication, without a caller or an owner. */
function callOf(options: ServerOptions, site: HttpSite, path: string, request: FastifyRequest): Call {
  const { db, sideDb, clock, logger, accountPageUrl, obeysTestWords, sealing, outbound } = options
  const idempotencyKey = request.headers['idempotency-key']
  return {
    ...{ db, sideDb, clock, logger, accountPageUrl, obeysTestWords, sealing, outbound },
    requestId: request.id,
    site: site.kind.name,
    baseUrl: site.baseUrl,
    baseUrls: Object.fromEntries(options.sites.map(({ kind, baseUrl }) => [kind.name, baseUrl])),
    path,
    query: {},
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : null,
    remember: async () => {},
    address: request.clientAddress,
    caller: null,
    owner: null,
    metering: { freeRemaining: 0, chargedMicros: 0 },
    takeMoreUses: async (_tx, wanted) => wanted,
  }
}
