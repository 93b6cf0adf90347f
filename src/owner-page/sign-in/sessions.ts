import { endMailboxProofs } from '../../accounts/mailbox-sign-in/mailbox-codes.ts'
import { recordOwnerAction } from '../../accounts/owner-audit-log.ts'
import { endOwnerSessions, listOwnerSessions, type OwnerSession } from '../../accounts/sign-in/sessions.ts'
import { type Html, html } from '../../markup/html.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { when } from '../../web-pages/elements.ts'
import { csrfField } from '../../web-pages/form.ts'
import { nothingHere, showOwnerPage } from '../layout.ts'
import { defineOwnerRoute, type OwnerParts } from '../route.ts'

const signOut = defineOwnerRoute({
  method: 'POST',
  path: '/sign-out',
  needs: 'session',
  answer: async (asked) => {
    await end(asked, asked.session.id)
    return { seeOther: '/', cookies: signedOut }
  },
})

/** A proven mailbox could sign in again without a code. */
const signedOut = { session: null, mailbox: null } as const

const showSessions = defineOwnerRoute({
  method: 'GET',
  path: '/account/sessions',
  needs: 'session',
  answer: async (asked) => {
    const { db, clock, session, csrf } = asked
    const sessions = await listOwnerSessions(db, session.accountId, clock.now())
    const rows = sessions.map((one) => row(one, { csrf, isThis: one.id === session.id }))
    return showOwnerPage(asked, { title: 'Where you are signed in', section: 'settings', content: content(rows, csrf) })
  },
})

const endOne = defineOwnerRoute({
  method: 'POST',
  path: '/account/sessions/:id/end',
  needs: 'session',
  answer: async (asked) => {
    const id = String(asked.params['id'])
    if (!isSessionId(id) || (await end(asked, id)) === 0) return nothingHere(asked)
    return id === asked.session.id ? { seeOther: '/', cookies: signedOut } : { seeOther: '/account/sessions' }
  },
})

const endAll = defineOwnerRoute({
  method: 'POST',
  path: '/account/sessions/end-all',
  needs: 'session',
  answer: async (asked) => {
    await end(asked)
    return { seeOther: '/', cookies: signedOut }
  },
})

type Ending = OwnerParts & { session: OwnerSession }

/** Ends one session, or all if no id is given. Returns the number of sessions ended. */
function end({ db, clock, session: { accountId } }: Ending, id?: string): Promise<number> {
  const at = clock.now()
  return inTransaction(db, async (tx) => {
    const ended = await endOwnerSessions(tx, { accountId, at, ...(id && { id }) })
    if (!id) await endMailboxProofs(tx, accountId)
    if (ended > 0)
      await recordOwnerAction(tx, { accountId, action: 'owner.sign_out', at, details: { sessions: ended } })
    return ended
  })
}

const isSessionId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

const content = (
  rows: readonly Html[],
  csrf: string,
): Html => html`<p class="crumbs"><a href="/account/settings">Settings</a></p>
<h1>Where you are signed in</h1>
<p class="lede">A session ends after 30 minutes of inactivity, and after 12 hours at the latest.</p>
<div class="table" role="region" aria-label="Sessions" tabindex="0"><table class="cards">
<thead><tr><th scope="col">Browser</th><th scope="col">Signed in</th><th scope="col">Last used</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
<tbody>!${rows.join('')}</tbody>
</table></div>
<div class="buttons"><form method="post" action="/account/sessions/end-all">!${csrfField(csrf)}<button class="button" type="submit">Sign out everywhere</button></form></div>
<p class="small after">All sessions end immediately, including this one. To sign in again, you need a code that we email you. Your agents’ keys keep working. You can <a href="/account/keys">revoke them one by one</a>.</p>`

type Listed = Awaited<ReturnType<typeof listOwnerSessions>>[number]

const row = ({ id, browser, created_at, last_seen_at }: Listed, { csrf, isThis }: { csrf: string; isThis: boolean }) =>
  html`<tr><th scope="row" data-label="Browser"><span>${browser}!${isThis ? html` <span class="badge good">this one</span>` : ''}</span></th>
<td class="when" data-label="Signed in">!${when(created_at)}</td>
<td class="when" data-label="Last used">!${when(last_seen_at)}</td>
<td><form method="post" action="/account/sessions/${id}/end">!${csrfField(csrf)}<button class="button quiet slight" type="submit">Sign out<span class="unseen"> ${browser}</span></button></form></td></tr>`

export const sessionRoutes = [signOut, showSessions, endOne, endAll]
