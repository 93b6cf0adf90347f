import type { FastifyInstance } from 'fastify'
import { csrfTokenOf } from '../accounts/sign-in/tokens.ts'
import { html } from '../markup/html.ts'
import { type Note, notSignedInNote, renderNotes, sharedNotes } from '../web-pages/notes.ts'
import { buildPageServer } from '../web-pages/server.ts'
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
    notes: renderNotes(notes, (note) => show(note, null)),
    notesFor: (who) => (who.session ? renderNotes(notes, (note) => show(note, who)) : {}),
  })
}

function refuse({ method, needs }: DeskRoute, who: StaffAccess): Shown | null {
  const obstacle = obstacleOf(needs, who)
  if (!obstacle) return null
  if (obstacle === 'role') return show(notYours, who)
  return method === 'GET' ? { seeOther: '/sign-in' } : show(notSignedInNote('an hour'), null)
}

/** Shows the navigation only to signed-in staff. */
function show({ status, title, content }: Note, who: StaffAccess | null): Shown {
  if (!who?.session) return { status, page: deskNotePage({ title, content }) }
  return showNote({ session: who.session, csrf: csrfTokenOf(staffSessionOf(who)) }, status, title, content)
}

const notYours: Note = {
  status: 403,
  title: 'Your role does not allow this',
  content: html`<p>Nothing was changed. An admin can change your role. <a href="/">Back to the queue</a></p>`,
}

const notes = {
  ...sharedNotes(html`<a href="/">Back to the queue</a>`),
  // The failure may have happened after the change was saved.
  notKnown: {
    status: 503,
    title: 'Your change may not have been saved',
    content: html`<p>A service stopped responding during the request. Decided cases do not come back, so continue with the queue.</p>
<p><a class="button" href="/">Back to the queue</a></p>`,
  },
  elsewhere: { status: 421, title: 'Wrong address', content: html`<p>The desk is at a different address.</p>` },
}
