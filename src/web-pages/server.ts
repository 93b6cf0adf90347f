import { Readable } from 'node:stream'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { csrfTokenOf } from '../accounts/sign-in/tokens.ts'
import { maxFormBytes } from '../contract/limits.ts'
import { fieldErrorsOf } from '../contract/problems/validation-errors.ts'
import { noSchemas } from '../platform/fastify/no-schemas.ts'
import { gatewayRequestId, observeRequests } from '../platform/observability/http-requests.ts'
import type { Logger } from '../platform/observability/logger.ts'
import { cookieLines } from './cookies.ts'
import { isSameOriginForm } from './csrf.ts'
import type { Asking, PageRoute, Shown } from './route.ts'
import { icon, mastheadFont, type StaticFile } from './static-files.ts'

/** A server for web pages: one origin with pages and forms, and one guard for all its routes. */
export type PageServer<Needs, Who, Asked> = {
  origin: string
  logger: Logger
  isStopping: () => boolean
  routes: readonly PageRoute<Needs, Asked>[]
  /** The origins that the content security policy allows for form submissions (null: all) and connections. */
  policy: { formAction: string | null; connect?: string }
  /** The style sheet and the script. */
  files: readonly StaticFile[]
  /** Identifies the visitor from the browser's cookies. */
  recognise: (cookies: string | undefined) => Promise<Who>
  /** The response for a visitor without access to the route; null if the visitor has access. */
  refuse: (route: PageRoute<Needs, Asked>, who: Who) => Shown | null
  /** The token that a form's CSRF token derives from; empty if the browser has none. */
  holderOf: (route: PageRoute<Needs, Asked>, who: Who) => string
  needsToken: (route: PageRoute<Needs, Asked>) => boolean
  ask: (asking: Asking<Record<string, string>>, who: Who) => Asked & Asking<Record<string, string>>
  notes: Notes
  /** Messages in the layout for signed-in visitors, which take precedence over `notes`. */
  notesFor?: (who: Who) => Partial<Notes>
}

/** The responses for errors that routes do not handle. */
export type Notes = Record<'notNow' | 'notKnown' | 'elsewhere' | 'noSuchPage' | 'unreadable' | 'notOurForm', Shown>

/** The server, not yet listening. It logs no URLs, because they contain tokens. */
export function buildPageServer<Needs, Who, Asked>(server: PageServer<Needs, Who, Asked>): FastifyInstance {
  const { origin, logger, isStopping, routes, files, notes } = server
  const app = fastify({
    ...noSchemas,
    logger: false,
    bodyLimit: maxFormBytes,
    keepAliveTimeout: 75_000,
    requestTimeout: 30_000,
    return503OnClosing: false,
    genReqId: ({ headers }) => gatewayRequestId(headers['x-request-id']),
  })
  observeRequests(app, { scheme: new URL(origin).protocol.slice(0, -1), traceIdOf: ({ id }) => id })
  const host = new URL(origin).host
  const headers = headersOf(server)
  const send = (reply: FastifyReply, shown: Shown) => {
    if ('formLeadsElsewhere' in shown) reply.headers(headersOf({ policy: { ...server.policy, formAction: null } }))
    return answer(reply, shown, isSecure(origin))
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    if (isStopping()) return send(reply.headers({ connection: 'close', 'retry-after': '1' }), notes.notNow)
    if (request.headers.host?.toLowerCase() !== host) return send(reply, notes.elsewhere)
  })
  for (const { path, type, content, url } of [icon, mastheadFont, ...files])
    app.get(path, async (request, reply) => {
      if (request.url === url) reply.header('cache-control', 'private, max-age=31536000, immutable')
      return reply.type(typeof content === 'string' ? `${type}; charset=utf-8` : type).send(content)
    })
  for (const route of routes)
    app.route({
      method: route.method,
      url: route.path,
      handler: async (request, reply) => send(reply, await pass(server, route, request)),
    })
  app.setNotFoundHandler(async (request, reply) =>
    send(reply, noteFor(server, 'noSuchPage', await server.recognise(request.headers.cookie))),
  )
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // A malformed request is the caller's error, so it is not logged.
    if (error.statusCode && error.statusCode < 500)
      return send(reply, { ...notes.unreadable, status: error.statusCode } as Shown)
    logger.error({ request_id: request.id, error }, 'failed')
    return send(reply.header('retry-after', '5'), request.method === 'POST' ? notes.notKnown : notes.notNow)
  })
  return app
}

export const isSecure = (origin: string) => origin.startsWith('https:')

/** The guard for all routes: identifies the visitor, checks access and the form's origin, and validates the form. */
async function pass<Needs, Who, Asked>(
  server: PageServer<Needs, Who, Asked>,
  route: PageRoute<Needs, Asked>,
  request: FastifyRequest,
): Promise<Shown> {
  const who = await server.recognise(request.headers.cookie)
  const refusal = server.refuse(route, who)
  if (refusal) return refusal
  const holder = server.holderOf(route, who)
  const fields = route.method === 'POST' ? readForm(request.body) : {}
  const sent = { holder, given: fields['csrf'], needsToken: server.needsToken(route) }
  if (route.method === 'POST' && !isSameOriginForm(request.headers, server.origin, sent))
    return noteFor(server, 'notOurForm', who)
  const asked = server.ask(askingOf(server.origin, { request, holder, fields }), who)
  if (!route.form) return route.answer(asked)
  const { csrf: _, ...given } = fields
  const read = route.form.safeParse(given)
  if (read.success) return route.answer({ ...asked, form: read.data })
  const faults = fieldErrorsOf(read.error).map(({ pointer, detail }) => [pointer.replace(/^#\//, ''), detail])
  return route.unfit ? route.unfit(asked, Object.fromEntries(faults)) : noteFor(server, 'unreadable', who)
}

const noteFor = <Needs, Who, Asked>(server: PageServer<Needs, Who, Asked>, name: keyof Notes, who: Who): Shown =>
  server.notesFor?.(who)[name] ?? server.notes[name]

type Made = { request: FastifyRequest; holder: string; fields: Record<string, string> }

function askingOf(origin: string, { request, holder, fields }: Made): Asking<Record<string, string>> {
  const parameters = new URL(request.url, origin).searchParams
  return {
    params: request.params as Record<string, string>,
    query: Object.fromEntries(parameters),
    parameters,
    form: fields,
    csrf: holder === '' ? '' : csrfTokenOf(holder),
    browser: nameBrowser(request.headers['user-agent']),
  }
}

/** The fields by name. The last value of a repeated field counts, as for a checkbox after its hidden default. */
function readForm(body: unknown): Record<string, string> {
  return typeof body === 'string' ? Object.fromEntries(new URLSearchParams(body)) : {}
}

/** Headers that forbid framing, referrers and caching: a URL can contain a token, and a page contains private data. */
const headersOf = ({ policy: { formAction, connect } }: Pick<PageServer<never, never, never>, 'policy'>) => ({
  'content-security-policy': `default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; img-src 'self';${connect ? ` connect-src ${connect};` : ''} base-uri 'none';${formAction === null ? '' : ` form-action ${formAction};`} frame-ancestors 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
})

function answer(reply: FastifyReply, shown: Shown, secure: boolean) {
  const lines = cookieLines(shown.cookies ?? {}, secure)
  if (lines.length > 0) reply.header('set-cookie', lines)
  if ('seeOther' in shown) return reply.code(303).header('location', shown.seeOther).send()
  if ('file' in shown)
    return reply
      .type(shown.type)
      .header('content-disposition', `attachment; filename="${shown.name}"`)
      .send(Readable.from(shown.file))
  if (shown.refresh) reply.header('refresh', `${shown.refresh.seconds}; url=${shown.refresh.to}`)
  if (shown.retryAfterSeconds) reply.header('retry-after', String(shown.retryAfterSeconds))
  return reply
    .code(shown.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(shown.page)
}

const browsers: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/\biPhone|\biPad/, 'iOS'],
  [/\bAndroid/, 'Android'],
  [/\bWindows/, 'Windows'],
  [/\bMac OS X/, 'macOS'],
  [/\bLinux/, 'Linux'],
]

/** Names the browser and system from fixed lists, so that nothing that the browser sent is stored. */
export function nameBrowser(userAgent: string | undefined): string {
  const name = (table: readonly [RegExp, string][]) => table.find(([sign]) => sign.test(userAgent ?? ''))?.[1]
  const [browser, system] = [name(browsers), name(systems)]
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'Other browser')
}
