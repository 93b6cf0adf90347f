import type { FastifyInstance } from 'fastify'
import { csrfTokenOf } from '../accounts/sign-in/tokens.ts'
import { type Html, html } from '../markup/html.ts'
import { buildPageServer, type Notes } from '../web-pages/server.ts'
import { obstacleOf, recogniseStaff, staffSessionOf } from './guard.ts'
import { deskNotePage, showNote } from './layout.ts'
import type { DeskAccess, DeskParts, DeskRequest, DeskRoute, Shown, StaffAccess } from './route.ts'
import { deskRoutes as allRoutes } from './routes.ts'
import { deskScriptFile, deskStyleFile } from './static-files.ts'

type DeskOptions = DeskParts & { isStopping: () => boolean; routes?: readonly DeskRoute[] }

/** The staff web server, not yet listening. */
export function buildDesk({ isStopping, routes = allRoutes, ...parts }: DeskOptions): FastifyInstance {
  return buildPageServer({
    origin: parts.deskUrl,
    logger: parts.logger,
    isStopping,
    routes,
    policy: { formAction: "'self'", connect: "'self'" },
    files: [deskStyleFile, deskScriptFile],
    recognise: (cookies) => recogniseStaff(parts, cookies),
    refuse,
    holderOf: (_route, who) => staffSessionOf(who),
    needsToken: ({ needs }) => needs !== 'nothing',
    ask: (asking, who) => ({ ...parts, ...who, ...asking }) as DeskRequest<DeskAccess>,
    notes: mapNotes((note) => show(note, null)),
    notesFor: (who) => (who.session ? mapNotes((note) => show(note, who)) : {}),
  })
}

function refuse({ method, needs }: DeskRoute, who: StaffAccess): Shown | null {
  const obstacle = obstacleOf(needs, who)
  if (!obstacle) return null
  if (obstacle === 'role') return show(notYours, who)
  return method === 'GET' ? { seeOther: '/sign-in' } : show(notSignedIn, null)
}

type Note = { status: number; title: string; content: Html }

/** Shows the navigation only to signed-in staff. */
function show({ status, title, content }: Note, who: StaffAccess | null): Shown {
  if (!who?.session) return { status, page: deskNotePage({ title, content }) }
  return showNote({ session: who.session, csrf: csrfTokenOf(staffSessionOf(who)) }, status, title, content)
}

const mapNotes = (shown: (note: Note) => Shown): Notes =>
  Object.fromEntries(Object.entries(notes).map(([name, note]) => [name, shown(note)])) as Notes

const notYours: Note = {
  status: 403,
  title: 'Your role does not allow this',
  content: html`<p>Nothing was changed. An admin can change your role. <a href="/">Back to the queue</a></p>`,
}
const notSignedIn: Note = {
  status: 401,
  title: 'You are not signed in',
  content: html`<p>Nothing was changed. Sessions end after an hour of inactivity.</p>
<p><a class="button" href="/sign-in">Sign in again</a></p>`,
}

const notes: Record<keyof Notes, Note> = {
  notNow: {
    status: 503,
    title: 'The desk is unavailable',
    content: html`<p>A service on our side is not responding. Nothing was changed. Try again in a minute.</p>`,
  },
  // The failure may have happened after the change was saved.
  notKnown: {
    status: 503,
    title: 'Your change may not have been saved',
    content: html`<p>A service stopped responding during the request. Decided cases do not come back, so continue with the queue.</p>
<p><a class="button" href="/">Back to the queue</a></p>`,
  },
  elsewhere: { status: 421, title: 'Wrong address', content: html`<p>The desk is at a different address.</p>` },
  noSuchPage: {
    status: 404,
    title: 'Page not found',
    content: html`<p>This page does not exist. <a href="/">Back to the queue</a></p>`,
  },
  unreadable: {
    status: 422,
    title: 'The form could not be read',
    content: html`<p>Nothing was changed. Go back and send the form again. <a href="/">Back to the queue</a></p>`,
  },
  notOurForm: {
    status: 403,
    title: 'This form has expired or came from another site',
    content: html`<p>Nothing was changed. Reload the page and send the form again. <a href="/">Back to the queue</a></p>`,
  },
}
