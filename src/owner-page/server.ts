import type { FastifyInstance } from 'fastify'
import { html } from '../markup/html.ts'
import { buildPageServer, type Notes } from '../web-pages/server.ts'
import { isAdmitted, ownerSessionOf, recogniseOwner } from './guard.ts'
import { ownerNotePage } from './layout.ts'
import { addPaymentWebhook } from './payment-webhook.ts'
import type { OwnerAccess, OwnerParts, OwnerRequest, OwnerRoute, Shown } from './route.ts'
import { ownerRoutes as allRoutes } from './routes.ts'
import { ownerScriptFile, ownerStyleFile } from './static-files.ts'

type OwnerPageOptions = OwnerParts & { isStopping: () => boolean; routes?: readonly OwnerRoute[] }

/** The owner page's server, not yet listening. */
export function buildOwnerPage({ isStopping, routes = allRoutes, ...parts }: OwnerPageOptions): FastifyInstance {
  const { accountPageUrl, logger, payments } = parts
  const app = buildPageServer({
    origin: accountPageUrl,
    logger,
    isStopping,
    routes,
    policy: { formAction: payments.driver === 'manual' ? "'self'" : `'self' ${payments.checkoutOrigin}` },
    files: [ownerStyleFile, ownerScriptFile],
    recognise: (cookies) => recogniseOwner(parts, cookies),
    refuse: (route, who) => (isAdmitted(route, who) ? null : refused(route)),
    holderOf: ownerSessionOf,
    needsToken: ({ needs }) => needs !== 'nothing',
    ask: (asking, who) => ({ ...parts, ...who, ...asking }) as OwnerRequest<OwnerAccess, Record<string, string>>,
    notes,
  })
  addPaymentWebhook(app, parts)
  return app
}

/** Sends visitors without access to the sign-in page: a redirect for a GET, a page with a link for a POST. */
function refused({ method }: OwnerRoute): Shown {
  if (method === 'GET') return { seeOther: '/sign-in' }
  return {
    status: 401,
    page: ownerNotePage({
      title: 'You are not signed in',
      content: html`<p>Nothing was changed. Sessions end after 30 minutes of inactivity.</p>
<p><a class="button" href="/sign-in">Sign in again</a></p>`,
    }),
  }
}

const notes: Notes = {
  notNow: {
    status: 503,
    page: ownerNotePage({
      title: 'This page is unavailable',
      content: html`<p>A service on our side is not responding. Nothing was changed. Try again in a minute.</p>`,
    }),
  },
  // The request may have failed after the change was saved. If the page said otherwise, people would repeat the change.
  notKnown: {
    status: 503,
    page: ownerNotePage({
      title: 'The outcome is unknown',
      content: html`<p>A service on our side stopped responding. Your change may or may not have been saved. Check before you try again.</p>
<p><a class="button" href="/account">Check your account</a></p>`,
    }),
  },
  elsewhere: {
    status: 421,
    page: ownerNotePage({ title: 'Wrong address', content: html`<p>This address does not serve the owner page.</p>` }),
  },
  noSuchPage: {
    status: 404,
    page: ownerNotePage({
      title: 'Page not found',
      content: html`<p>This page does not exist. <a href="/account">Go to your account</a></p>`,
    }),
  },
  unreadable: {
    status: 422,
    page: ownerNotePage({
      title: 'The form could not be read',
      content: html`<p>Nothing was changed. Go back and submit the form again. <a href="/account">Your account</a></p>`,
    }),
  },
  notOurForm: {
    status: 403,
    page: ownerNotePage({
      title: 'This form has expired or came from another site',
      content: html`<p>Nothing was changed. Open the page again and submit the form from there. <a href="/account">Your account</a></p>`,
    }),
  },
}
