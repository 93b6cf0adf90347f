import { findLinkedAccount } from '../../accounts/owner-link.ts'
import { openVisit } from '../../accounts/sign-in/visit.ts'
import { html } from '../../markup/html.ts'
import { notePage } from '../note-page.ts'
import { defineRoute } from '../route.ts'

/** Gives the browser a visit for the token of the link, which so leaves the address bar. It opens nothing by itself. */
const openLink = defineRoute({
  method: 'GET',
  path: '/o/:token',
  needs: 'nothing',
  answer: async ({ db, clock, params }) => {
    const at = clock.now()
    const link = await findLinkedAccount(db, String(params['token']), at)
    if (!link) return { status: 410, page: expiredPage }
    const visit = await openVisit(db, { accountId: link.id, byMailedLink: link.mailed, at })
    return { seeOther: '/sign-in', cookies: { visit } }
  },
})

const expiredPage = notePage({
  title: 'This link has expired',
  content: html`<p>A link to this page works for one hour. Ask your agent for a new one: it gets one from <code>GET /v1/account</code>.</p>
<p>Or <a href="/">have one mailed to you</a>.</p>`,
})

export const linkRoutes = [openLink]
