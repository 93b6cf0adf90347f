import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { openHistogram, openUpDownCounter } from './instruments.ts'
import { newTraceId, readTraceparent, startTrace } from './tracing.ts'

type Options = {
  /** The scheme that callers use, whatever the gateway uses. */
  scheme: string
  /** The id of the trace: the request id, if the server has one in the format of a trace id. */
  traceIdOf?: (request: FastifyRequest) => string
  /**
   * Whether callers are our own processes. Their traces go on here; a stranger's trace is only linked, so that nobody
   * else chooses our trace ids or what is sampled.
   */
  continuesTraces?: boolean
  /** Additional labels. */
  labelsOf?: (request: FastifyRequest, status: number) => Attributes
  /** Requests that are counted elsewhere. */
  isCountedElsewhere?: (request: FastifyRequest) => boolean
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY'])

/**
 * Measures and traces each request. Neither metrics nor spans contain the URL, because it can contain user text or a
 * token; they contain the route. Add it before all other hooks.
 */
export function observeRequests(app: FastifyInstance, options: Options): void {
  const duration = openHistogram('http.server.request.duration')
  const active = openUpDownCounter('http.server.active_requests')
  const contexts = new WeakMap<FastifyRequest, Context>()
  const scheme = { 'url.scheme': options.scheme }

  app.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now()
    const method = { 'http.request.method': knownMethods.has(request.method) ? request.method : '_OTHER' }
    const { span, inside } = startServerSpan(request, { ...method, ...scheme }, options)
    contexts.set(request, inside)
    active.add(1, { ...method, ...scheme })
    // Also emitted if the caller disconnects.
    reply.raw.once('close', () => {
      active.add(-1, { ...method, ...scheme })
      const seconds = (performance.now() - startedAt) / 1_000
      const answered = { ...method, ...scheme, ...outcomeOf(request, reply.statusCode) }
      if (!options.isCountedElsewhere?.(request))
        duration.record(seconds, { ...answered, ...options.labelsOf?.(request, reply.statusCode) })
      endServerSpan(span, answered)
    })
    context.with(inside, done)
  })
  // Reading a body continues outside of the context.
  app.addHook('preValidation', (request, _reply, done) => context.with(contexts.get(request) ?? context.active(), done))
  app.addHook('onResponse', (request, _reply, done) => context.with(contexts.get(request) ?? context.active(), done))
}

function startServerSpan(request: FastifyRequest, attributes: Attributes, { traceIdOf, continuesTraces }: Options) {
  const caller = readTraceparent(request.headers.traceparent)
  const spanOptions = { kind: SpanKind.SERVER, attributes }
  const name = String(attributes['http.request.method'])
  if (caller && continuesTraces) return startTrace(name, { parent: caller }, spanOptions)
  const traceId = traceIdOf?.(request) ?? newTraceId()
  return startTrace(name, { traceId }, { ...spanOptions, ...(caller && { links: [{ context: caller }] }) })
}

/** By OpenTelemetry's conventions, only a server's own failures are errors. */
function outcomeOf(request: FastifyRequest, status: number): Attributes {
  const route = request.is404 ? undefined : request.routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}')
  return {
    ...(route && { 'http.route': route }),
    'http.response.status_code': String(status),
    ...(status >= 500 && { 'error.type': String(status) }),
  }
}

function endServerSpan(span: Span, answered: Attributes): void {
  if (answered['http.route']) span.updateName(`${answered['http.request.method']} ${answered['http.route']}`)
  span.setAttributes({ ...answered, 'http.response.status_code': Number(answered['http.response.status_code']) })
  if (answered['error.type']) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** The gateway's request id, which is also the id of the trace; a new id if the request did not come through it. */
export function gatewayRequestId(header: unknown): string {
  return typeof header === 'string' && /^(?!0+$)[0-9a-f]{32}$/.test(header) ? header : newTraceId()
}
