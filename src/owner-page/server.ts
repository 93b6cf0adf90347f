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

/** The owner's door, not yet listening. */
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

/** Who may not pass is sent where they can become someone who may. */
function refused({ method }: OwnerRoute): Shown {
  if (method === 'GET') return { seeOther: '/sign-in' }
  return {
    status: 401,
    page: ownerNotePage({
      title: 'You are not signed in',
      content: html`<p>Nothing was changed. Sessions end after 30 minutes without use.</p>
<p><a class="button" href="/sign-in">Sign in again</a></p>`,
    }),
  }
}

const notes: Notes = {
  notNow: {
    status: 503,
    page: ownerNotePage({
      title: 'This page cannot be shown just now',
      content: html`<p>Something on our side is not answering. Nothing was changed. Try again in a minute.</p>`,
    }),
  },
  // What failed may have been the last step, after everything was done: whoever reads that nothing was would do it twice.
  notKnown: {
    status: 503,
    page: ownerNotePage({
      title: 'We cannot say whether that was done',
      content: html`<p>Something on our side stopped answering on the way. It may have been done, and it may not: look before you try again.</p>
<p><a class="button" href="/account">Look at your account</a></p>`,
    }),
  },
  elsewhere: {
    status: 421,
    page: ownerNotePage({ title: 'Not here', content: html`<p>No owner page has this address.</p>` }),
  },
  noSuchPage: {
    status: 404,
    page: ownerNotePage({
      title: 'Nothing is here',
      content: html`<p>This page does not exist. <a href="/account">Go to your account</a></p>`,
    }),
  },
  unreadable: {
    status: 422,
    page: ownerNotePage({
      title: 'That could not be read',
      content: html`<p>Nothing was changed. Go back, and send the form again. <a href="/account">Your account</a></p>`,
    }),
  },
  notOurForm: {
    status: 403,
    page: ownerNotePage({
      title: 'This form is too old, or came from somewhere else',
      content: html`<p>Nothing was changed. Open the page again, and send the form from there. <a href="/account">Your account</a></p>`,
    }),
  },
}
