import type { FastifyInstance } from 'fastify'
import { draftLimits } from '../contract/draft-limits.ts'
import { html } from '../markup/html.ts'
import { type Note, notSignedInNote, renderNotes, sharedNotes } from '../web-pages/notes.ts'
import { buildPageServer } from '../web-pages/server.ts'
import { addOAuthEndpoints } from './connect/oauth-endpoints.ts'
import { isAdmitted, ownerSessionOf, type RecognisedOwner, recogniseOwner } from './guard.ts'
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
    refuse: (route, who) => (isAdmitted(route, who) ? null : refused(route, who)),
    holderOf: ownerSessionOf,
    needsToken: ({ needs }) => needs !== 'nothing',
    ask: (asking, who) => ({ ...parts, ...who, ...asking }) as OwnerRequest<OwnerAccess, Record<string, string>>,
    notes: renderNotes(notes, show),
  })
  addPaymentWebhook(app, parts)
  addOAuthEndpoints(app, parts)
  return app
}

/** Sends visitors without access to the sign-in page: a redirect for a GET, a page with a link for a POST. */
function refused({ method, needs, path }: OwnerRoute, { connecting }: RecognisedOwner): Shown {
  if (needs === 'drafts') return show(linkClosedNote)
  if (connecting && method === 'POST' && path.startsWith('/connect/')) return show(continueNote(connecting.id))
  return method === 'GET' ? { seeOther: '/sign-in' } : show(notSignedInNote('30 minutes'))
}

/** For somebody who connects an app and took too long. The page of the request knows the next step. */
const continueNote = (request: string): Note => ({
  status: 401,
  title: 'This step has expired',
  content: html`<p>Nothing was changed. Codes work for ten minutes, and sessions end after 30 minutes of inactivity.</p>
<p><a class="button" href="/connect/${request}">Continue connecting the app</a></p>`,
})

const linkClosedNote: Note = {
  status: 401,
  title: 'Open the link in the email again',
  content: html`<p>Nothing was changed. This page closes an hour after you opened the link. The link in our email works for ${draftLimits.linkDays} days. You can also sign in.</p>
<p><a class="button" href="/account/drafts">Sign in to see the drafts</a></p>`,
}

const show = ({ status, ...note }: Note): Shown => ({ status, page: ownerNotePage(note) })

const notes = {
  ...sharedNotes(html`<a href="/account">Sign in or open your account</a>`),
  // The request may have failed after the change was saved. If the page said otherwise, people would repeat the change.
  notKnown: {
    status: 503,
    title: 'The outcome is unknown',
    content: html`<p>A service on our side stopped responding. Your change may or may not have been saved. Check before you try again.</p>
<p><a class="button" href="/account">Check your account</a></p>`,
  },
  elsewhere: { status: 421, title: 'Wrong address', content: html`<p>This address does not serve the owner page.</p>` },
}
