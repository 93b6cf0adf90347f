import { type Html, html } from '../../markup/html.ts'
import { type ListedMember, listMembers, listStaffSessions } from '../../staff/members.ts'
import { staffRoles } from '../../staff/roles.ts'
import { badge, when } from '../../web-pages/elements.ts'
import { csrfField } from '../../web-pages/form.ts'
import { showDeskPage } from '../layout.ts'
import { defineDeskRoute } from '../route.ts'

export const showStaff = defineDeskRoute({
  method: 'GET',
  path: '/staff',
  needs: 'admin',
  answer: async (asked) => {
    const { db, clock, session, csrf } = asked
    const members = await listMembers(db)
    const open = Map.groupBy(await listStaffSessions(db, { at: clock.now() }), ({ staff_id }) => staff_id)
    const rows = members
      .filter(({ disabled_at }) => disabled_at === null)
      .map((member) =>
        row(member, { csrf, sessions: open.get(member.id)?.length ?? 0, isSelf: member.id === session.member.id }),
      )
    const gone = members.filter(({ disabled_at }) => disabled_at !== null)
    return showDeskPage(asked, { title: 'Staff', section: 'staff', content: content(rows, gone) })
  },
})

const content = (rows: readonly Html[], gone: readonly ListedMember[]): Html => html`<h1>Staff</h1>
<p class="lede">A reviewer decides cases. A lead also sees everyone’s work and can release cases that others hold. An admin also manages staff.</p>
<section><div class="table" role="region" aria-label="Members" tabindex="0"><table class="cards members">
<thead><tr><th scope="col">Member</th><th scope="col">Passkeys</th><th scope="col">Last seen</th><th scope="col">Role</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
<tbody>!${rows.join('')}</tbody>
</table></div>
<p class="small after">The operator invites people with a command, not from this page, so that a stolen session cannot add accounts: <code>npm run broadside -- staff invite &lt;email&gt; --name "…" --role reviewer</code>. To replace a lost passkey, use <code>staff link &lt;email&gt; --lost</code>.</p></section>
!${gone.length === 0 ? '' : goneSection(gone)}`

type Row = { csrf: string; sessions: number; isSelf: boolean }

function row(member: ListedMember, { csrf, sessions, isSelf }: Row): Html {
  const { name, email, passkeys, last_seen_at, role } = member
  return html`<tr><th scope="row" data-label="Member"><span><bdi>${name}</bdi>!${isSelf ? html` !${badge('you', 'good')}` : ''}<span class="under">${email}</span></span></th>
<td data-label="Passkeys"><span>!${passkeys === 0 ? badge('none yet', 'warn') : passkeys}</span></td>
<td class="when" data-label="Last seen"><span>!${last_seen_at ? when(last_seen_at) : 'never'}!${sessions === 0 ? '' : html`<span class="under">${browsers(sessions)}</span>`}</span></td>
<td data-label="Role">!${isSelf ? html`<span>${role} <span class="under">set by another admin</span></span>` : roleForm(member, csrf)}</td>
<td>!${isSelf ? html`<a class="button quiet slight" href="/me">Your access</a>` : acts(member, { csrf, sessions })}</td></tr>`
}

const browsers = (sessions: number) => `in ${sessions === 1 ? '1 browser' : `${sessions} browsers`} now`

const roleForm = ({ id, name, role }: ListedMember, csrf: string): Html =>
  html`<form class="inline" method="post" action="/staff/${id}/role">!${csrfField(csrf)}
<select name="role" aria-label="The role of ${name}">!${staffRoles
    .map((known) => html`<option value="${known}"!${known === role ? html` selected` : ''}>${known}</option>`)
    .join('')}</select>
<button class="button quiet slight" type="submit">Change<span class="unseen"> the role of ${name}</span></button></form>`

const acts = ({ id, name }: ListedMember, { csrf, sessions }: { csrf: string; sessions: number }): Html =>
  html`<div class="acts">!${
    sessions === 0
      ? ''
      : html`<form method="post" action="/staff/${id}/sessions/end">!${csrfField(csrf)}<button class="button quiet slight" type="submit">Sign out<span class="unseen"> ${name}</span></button></form>`
  }<a class="button quiet danger slight" href="/staff/${id}/disable">Disable<span class="unseen"> ${name}</span></a></div>`

const goneSection = (gone: readonly ListedMember[]): Html => html`<section><h2>Former members</h2>
<ul class="plain statements">!${gone
  .map(
    ({ name, disabled_at }) =>
      html`<li><bdi>${name}</bdi> <span class="soft">until !${disabled_at ? when(disabled_at) : ''}</span></li>`,
  )
  .join('')}</ul></section>`
