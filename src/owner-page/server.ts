import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { csrfTokenOf } from '../accounts/sign-in/token.ts'
import { faultsOf } from '../contract/faults.ts'
import { html } from '../markup/html.ts'
import { nameBrowser } from './browser-name.ts'
import { cookieLines } from './cookies.ts'
import { holderOf, isAdmitted, isOwnForm, isSecure, recogniseOwner, type Who } from './guard.ts'
import { notePage } from './note-page.ts'
import { addProviderDoor } from './provider-door.ts'
import type { Asked, Needs, OwnerParts, Route, Shown } from './route.ts'
import { routes as allRoutes } from './routes.ts'
import { script } from './script.ts'
import { style } from './style.ts'

type OwnerPageOptions = OwnerParts & { isStopping: () => boolean; routes?: readonly Route[] }

const maxFormBytes = 16 * 1024

/** The owner's door, not yet listening. It writes no addresses to any log: they hold tokens. */
export function buildOwnerPage({ isStopping, routes = allRoutes, ...parts }: OwnerPageOptions): FastifyInstance {
  const { accountPageUrl, logger } = parts
  const app = fastify({
    logger: false,
    bodyLimit: maxFormBytes,
    keepAliveTimeout: 75_000,
    requestTimeout: 30_000,
    return503OnClosing: false,
  })
  const host = new URL(accountPageUrl).host
  const headers = headersOf(parts)
  const send = (reply: FastifyReply, shown: Shown) => answer(reply, shown, isSecure(accountPageUrl))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    if (isStopping()) return send(reply.headers({ connection: 'close', 'retry-after': '1' }), notNow)
    if (request.headers.host?.toLowerCase() !== host) return send(reply, elsewhere)
  })
  app.get('/owner-page.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(style))
  app.get('/owner-page.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script))
  addProviderDoor(app, parts)
  for (const route of routes)
    app.route({
      method: route.method,
      url: route.path,
      handler: async (request, reply) => send(reply, await pass(parts, route, request)),
    })
  app.setNotFoundHandler((_request, reply) => send(reply, noSuchPage))
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // A request that is wrong in itself is the caller's fault, not an event for whoever reads the log.
    if (error.statusCode && error.statusCode < 500) return send(reply, { ...unreadable, status: error.statusCode })
    logger.error({ request_id: request.id, error }, 'failed')
    return send(reply.header('retry-after', '5'), request.method === 'POST' ? notKnown : notNow)
  })
  return app
}

/** Who may not pass is sent where they can become someone who may. */
async function pass(parts: OwnerParts, route: Route, request: FastifyRequest): Promise<Shown> {
  const who = await recogniseOwner(parts, request.headers.cookie)
  if (!isAdmitted(route, who)) return refused(route)
  const holder = holderOf(route, who)
  const fields = route.method === 'POST' ? readForm(request.body) : {}
  const { needs, method } = route
  if (method === 'POST' && !isOwnForm(request, parts, { needs, holder, given: fields['csrf'] })) return notOurForm
  const asked = askedOf(parts, { request, who, holder, fields })
  if (!route.form) return route.answer(asked)
  const { csrf: _, ...given } = fields
  const read = route.form.safeParse(given)
  if (read.success) return route.answer({ ...asked, form: read.data })
  const faults = faultsOf(read.error).map(({ pointer, detail }) => [pointer.replace(/^#\//, ''), detail])
  return route.unfit ? route.unfit(asked, Object.fromEntries(faults)) : unreadable
}

type Made = { request: FastifyRequest; who: Who; holder: string; fields: Record<string, string> }

function askedOf(parts: OwnerParts, { request, who, holder, fields }: Made) {
  return {
    ...parts,
    ...who,
    params: request.params as Record<string, string>,
    query: Object.fromEntries(new URL(request.url, parts.accountPageUrl).searchParams),
    form: fields,
    csrf: holder === '' ? '' : csrfTokenOf(holder),
    browser: nameBrowser(request.headers['user-agent']),
  } as Asked<Needs, Record<string, string>>
}

/** Fields by name. One that is sent twice keeps its last value, as a check box with a default before it would. */
function readForm(body: unknown): Record<string, string> {
  return typeof body === 'string' ? Object.fromEntries(new URLSearchParams(body)) : {}
}

function refused({ method }: Route): Shown {
  if (method === 'GET') return { seeOther: '/sign-in' }
  return {
    status: 401,
    page: notePage({
      title: 'You are not signed in',
      content: html`<p>Nothing was changed. Sessions end after 30 minutes without use.</p>
<p><a class="button" href="/sign-in">Sign in again</a></p>`,
    }),
  }
}

/** No frame, no referrer, nothing kept: the address of an owner page may hold a token, and the page holds money. */
function headersOf({ payments }: OwnerParts) {
  const leadsTo = payments.driver === 'manual' ? "'self'" : `'self' ${payments.checkoutOrigin}`
  return {
    'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action ${leadsTo}; frame-ancestors 'none'`,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
  }
}

function answer(reply: FastifyReply, shown: Shown, secure: boolean) {
  const lines = cookieLines(shown.cookies ?? {}, secure)
  if (lines.length > 0) reply.header('set-cookie', lines)
  if ('seeOther' in shown) return reply.code(303).header('location', shown.seeOther).send()
  if (shown.refresh) reply.header('refresh', `${shown.refresh.seconds}; url=${shown.refresh.to}`)
  return reply
    .code(shown.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(shown.page)
}

const notNow: Shown = {
  status: 503,
  page: notePage({
    title: 'This page cannot be shown just now',
    content: html`<p>Something on our side is not answering. Nothing was changed. Try again in a minute.</p>`,
  }),
}
/** What failed may have been the last step, after everything was done: whoever reads that nothing was would do it twice. */
const notKnown: Shown = {
  status: 503,
  page: notePage({
    title: 'We cannot say whether that was done',
    content: html`<p>Something on our side stopped answering on the way. It may have been done, and it may not: look before you try again.</p>
<p><a class="button" href="/account">Look at your account</a></p>`,
  }),
}
const elsewhere: Shown = {
  status: 421,
  page: notePage({ title: 'Not here', content: html`<p>No owner page has this address.</p>` }),
}
const noSuchPage: Shown = {
  status: 404,
  page: notePage({
    title: 'Nothing is here',
    content: html`<p>This page does not exist. <a href="/account">Go to your account</a></p>`,
  }),
}
const unreadable: Shown = {
  status: 422,
  page: notePage({
    title: 'That could not be read',
    content: html`<p>Nothing was changed. Go back, and send the form again. <a href="/account">Your account</a></p>`,
  }),
}
const notOurForm: Shown = {
  status: 403,
  page: notePage({
    title: 'This form is too old, or came from somewhere else',
    content: html`<p>Nothing was changed. Open the page again, and send the form from there. <a href="/account">Your account</a></p>`,
  }),
}
