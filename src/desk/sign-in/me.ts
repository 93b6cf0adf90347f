import { type Html, html } from '../../markup/html.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { recordStaffAction } from '../../staff/audit-log.ts'
import { listPasskeys, listStaffSessions } from '../../staff/members.ts'
import { endStaffSessions } from '../../staff/sessions.ts'
import { badge, when } from '../../web-pages/elements.ts'
import { csrfField } from '../../web-pages/form.ts'
import { showDeskPage } from '../layout.ts'
import { defineDeskRoute } from '../route.ts'

const showMe = defineDeskRoute({
  method: 'GET',
  path: '/me',
  needs: 'reviewer',
  answer: async (asked) => {
    const { db, clock, session, csrf } = asked
    const passkeys = await listPasskeys(db, session.member.id)
    const sessions = await listStaffSessions(db, { staffId: session.member.id, at: clock.now() })
    const content = html`<h1>Your access</h1>
<section><h2>Passkeys</h2>
!${tableOf('Passkeys', ['Created with', 'Created', 'Last used'], passkeys.map(passkeyRow))}
<p class="small after">To add a passkey on another device, ask an operator for a link (<code>staff link</code>). If you lost a passkey, ask for a link with <code>--lost</code>, which also revokes the lost one.</p></section>
<section><h2>Where you are signed in</h2>
!${tableOf(
      'Sessions',
      ['Browser', 'Signed in', 'Last seen'],
      sessions.map((one) => sessionRow(one, one.id === session.id)),
    )}
<div class="buttons"><form method="post" action="/me/sessions/end">!${csrfField(csrf)}<button class="button quiet" type="submit">Sign out everywhere</button></form></div></section>`
    return showDeskPage(asked, { title: 'Your access', section: null, content })
  },
})

const endMine = defineDeskRoute({
  method: 'POST',
  path: '/me/sessions/end',
  needs: 'reviewer',
  answer: async ({ db, clock, session: { member } }) => {
    const at = clock.now()
    await inTransaction(db, async (tx) => {
      const sessions = await endStaffSessions(tx, { staffId: member.id, at })
      await recordStaffAction(tx, { staffId: member.id, action: 'staff.sign_out', at, details: { sessions } })
    })
    return { seeOther: '/sign-in', cookies: { staff_session: null } }
  },
})

const tableOf = (label: string, heads: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="table" role="region" aria-label="${label}" tabindex="0"><table class="cards">
<thead><tr>!${heads.map((head) => html`<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>!${rows.join('')}</tbody>
</table></div>`

type ListedPasskey = Awaited<ReturnType<typeof listPasskeys>>[number]

const passkeyRow = ({ label, created_at, last_used_at }: ListedPasskey): Html =>
  html`<tr><th scope="row" data-label="Created with">${label}</th>
<td class="when" data-label="Created">!${when(created_at)}</td>
<td class="when" data-label="Last used">!${last_used_at ? when(last_used_at) : 'never'}</td></tr>`

type ListedSession = Awaited<ReturnType<typeof listStaffSessions>>[number]

const sessionRow = ({ browser, created_at, last_seen_at }: ListedSession, isThis: boolean): Html =>
  html`<tr><th scope="row" data-label="Browser"><span>${browser}!${isThis ? html` !${badge('this browser', 'good')}` : ''}</span></th>
<td class="when" data-label="Signed in">!${when(created_at)}</td>
<td class="when" data-label="Last seen">!${when(last_seen_at)}</td></tr>`

export const meRoutes = [showMe, endMine]
