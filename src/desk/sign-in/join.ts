import { z } from 'zod'
import { type Html, html } from '../../markup/html.ts'
import { findInvited, join } from '../../staff/join.ts'
import { PasskeyRefusal } from '../../staff/passkey-refusal.ts'
import { askForNewPasskey } from '../../staff/passkeys.ts'
import { deskLayout, deskNotePage } from '../layout.ts'
import { type DeskRequest, defineDeskRoute, type Shown } from '../route.ts'
import { passkeyForm, refusedNotice } from './passkey-form.ts'

/** Keeps the token of the link in the browser, so that it leaves the address bar. It is used up by a passkey only. */
const openLink = defineDeskRoute({
  method: 'GET',
  path: '/join/:token',
  needs: 'nothing',
  answer: ({ params }) => {
    const token = String(params['token'])
    return /^[\w-]{43}$/.test(token) ? { seeOther: '/join', cookies: { staff_link: token } } : linkOver
  },
})

const showJoin = defineDeskRoute({ method: 'GET', path: '/join', needs: 'nothing', answer: (asked) => joinPage(asked) })

const addPasskey = defineDeskRoute({
  method: 'POST',
  path: '/join',
  needs: 'nothing',
  form: z.object({ credential: z.string() }),
  answer: async (asked) => {
    const { db, clock, logger, linkToken, session, browser, form } = asked
    if (!linkToken) return linkOver
    try {
      const joining = { token: linkToken, credential: form.credential, browser, replaced: session, at: clock.now() }
      const token = await join(db, asked, joining)
      return { seeOther: '/', cookies: { staff_session: token, staff_link: null } }
    } catch (error) {
      if (!(error instanceof PasskeyRefusal)) throw error
      logger.info({ kind: error.kind }, 'a passkey was refused')
      return joinPage(asked, refusedNotice)
    }
  },
})

/** Whom the link invites, and the way to a passkey. */
async function joinPage(asked: DeskRequest<'nothing', unknown>, notice?: Html): Promise<Shown> {
  const { db, clock, linkToken } = asked
  const invited = linkToken ? await findInvited(db, linkToken, clock.now()) : null
  if (!invited) return linkOver
  const options = await askForNewPasskey(asked, invited, clock.now())
  const title = invited.passkeys.length === 0 ? 'Welcome to the desk' : 'Add a passkey'
  const content = html`<h1>${title}</h1>
!${notice ?? ''}
<dl class="facts">
<div><dt>You are</dt><dd dir="auto">${invited.name}</dd></div>
<div><dt>Mailed to</dt><dd>${invited.email}</dd></div>
<div><dt>Your role</dt><dd>${invited.role}</dd></div>
</dl>
<p>To get in you need a passkey. It is a key that this device keeps for you, and that you unlock as you unlock the device: with a finger, your face or its PIN. There is no password, nothing to remember, and nobody can coax it out of you: it works at this address and at no other.</p>
!${passkeyForm({ action: '/join', does: 'create', options, label: 'Create a passkey' })}
<p class="small after">Are you not ${invited.name}? Then close this page, and say so to whoever sent you the link.</p>`
  return { status: notice ? 422 : 200, page: deskLayout({ title, content }) }
}

/** The same for a link that was used, is too old, was never made, or is of somebody who has left. */
const linkOver: Shown = {
  status: 410,
  page: deskNotePage({
    title: 'This link opens nothing',
    content: html`<p>A link from a mail works for 24 hours, once, and only the newest one does. Ask whoever invited you for another.</p>
<p>Do you have a passkey already? Then you need no link.</p>
<p><a class="button" href="/sign-in">Sign in</a></p>`,
  }),
  cookies: { staff_link: null },
}

export const joinRoutes = [openLink, showJoin, addPasskey]
