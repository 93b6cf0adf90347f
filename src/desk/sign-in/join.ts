import { z } from 'zod'
import { isToken } from '../../accounts/sign-in/tokens.ts'
import { type Html, html } from '../../markup/html.ts'
import { findInvited, join } from '../../staff/join.ts'
import { PasskeyRefusal } from '../../staff/passkey-refusal.ts'
import { askForNewPasskey } from '../../staff/passkeys.ts'
import { deskLayout, deskNotePage } from '../layout.ts'
import { type DeskRequest, defineDeskRoute, type Shown } from '../route.ts'
import { passkeyForm, refusedNotice } from './passkey-form.ts'

/** Moves the link token from the address bar into a cookie. Only creating a passkey uses it up. */
const openLink = defineDeskRoute({
  method: 'GET',
  path: '/join/:token',
  needs: 'nothing',
  answer: ({ params }) => {
    const token = String(params['token'])
    return isToken(token) ? { seeOther: '/join', cookies: { staff_link: token } } : linkOver
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
      logger.info({ kind: error.kind }, 'passkey refused')
      return joinPage(asked, refusedNotice)
    }
  },
})

/** Who the link invites, and the button that creates a passkey. */
async function joinPage(asked: DeskRequest<'nothing', unknown>, notice?: Html): Promise<Shown> {
  const { db, clock, linkToken } = asked
  const invited = linkToken ? await findInvited(db, linkToken, clock.now()) : null
  if (!invited) return linkOver
  const options = await askForNewPasskey(asked, invited, clock.now())
  const title = invited.passkeys.length === 0 ? 'Welcome to the desk' : 'Add a passkey'
  const content = html`<h1>${title}</h1>
!${notice ?? ''}
<dl class="facts">
<div><dt>Name</dt><dd dir="auto">${invited.name}</dd></div>
<div><dt>Email</dt><dd>${invited.email}</dd></div>
<div><dt>Role</dt><dd>${invited.role}</dd></div>
</dl>
<p>You need a passkey to sign in. This device stores it, and you unlock it the way you unlock the device: with your fingerprint, your face or a PIN. There is no password to remember, and no one can trick you into giving it away: it works only at this address.</p>
!${passkeyForm({ action: '/join', does: 'create', options, label: 'Create a passkey' })}
<p class="small after">Not ${invited.name}? Close this page and tell the person who sent you the link.</p>`
  return { status: notice ? 422 : 200, page: deskLayout({ title, content }) }
}

/** The same page for a link that was used, has expired, never existed, or belongs to a former member. */
const linkOver: Shown = {
  status: 410,
  page: deskNotePage({
    title: 'This link is not valid',
    content: html`<p>An emailed link works once, for 24 hours, and only the newest one is valid. Ask the person who invited you for a new link.</p>
<p>If you already have a passkey, you do not need a link.</p>
<p><a class="button" href="/sign-in">Sign in</a></p>`,
  }),
  cookies: { staff_link: null },
}

export const joinRoutes = [openLink, showJoin, addPasskey]
