import { z } from 'zod'
import { html } from '../../markup/html.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { recordStaffAction, type StaffAction } from '../../staff/audit-log.ts'
import { changeRole, disableMember, holdMembers, type ListedMember, listMembers } from '../../staff/members.ts'
import { staffRoles } from '../../staff/roles.ts'
import { endStaffSessions } from '../../staff/sessions.ts'
import { csrfField } from '../../web-pages/form.ts'
import { showDeskPage, showNote } from '../layout.ts'
import { type DeskRequest, defineDeskRoute, type Shown } from '../route.ts'

export const setRole = defineDeskRoute({
  method: 'POST',
  path: '/staff/:id/role',
  needs: 'admin',
  form: z.object({ role: z.enum(staffRoles) }),
  answer: (asked) =>
    act(asked, 'staff.change_role', async (tx, { id }) => {
      const { role } = asked.form
      const from = await changeRole(tx, { staffId: id, role })
      return from && { from, to: role }
    }),
})

const disablePath = '/staff/:id/disable'

export const askToDisable = defineDeskRoute({
  method: 'GET',
  path: disablePath,
  needs: 'admin',
  answer: (asked) => withColleague(asked, (member) => disablePage(asked, member)),
})

export const disable = defineDeskRoute({
  method: 'POST',
  path: disablePath,
  needs: 'admin',
  answer: (asked) =>
    act(asked, 'staff.disable', (tx, { id }) => disableMember(tx, { staffId: id, at: asked.clock.now() })),
})

export const endSessionsOfMember = defineDeskRoute({
  method: 'POST',
  path: '/staff/:id/sessions/end',
  needs: 'admin',
  answer: (asked) =>
    act(asked, 'staff.end_sessions', async (tx, { id }) => {
      const sessions = await endStaffSessions(tx, { staffId: id, at: asked.clock.now() })
      return sessions > 0 ? { sessions } : null
    }),
})

type AdminAsked = DeskRequest<'admin', unknown>
type Details = Record<string, string | number>
type Work = (tx: Transaction, member: ListedMember) => Promise<Details | null>

/** Applies the change to a colleague and logs it; logs nothing if nothing changed. */
const act = (asked: AdminAsked, action: StaffAction, work: Work): Promise<Shown> =>
  withColleague(asked, async (member) => {
    const staffId = asked.session.member.id
    const isAdmin = await inTransaction(asked.db, async (tx) => {
      const roles = await holdMembers(tx, [staffId, member.id])
      if (roles.get(staffId) !== 'admin') return false
      const done = await work(tx, member)
      const details = { staff_id: member.id, ...done }
      if (done) await recordStaffAction(tx, { staffId, action, at: asked.clock.now(), details })
      return true
    })
    return isAdmin ? { seeOther: '/staff' } : noLongerAdmin(asked)
  })

const noLongerAdmin = (asked: AdminAsked) =>
  showNote(
    asked,
    403,
    'You are no longer an admin',
    html`<p>Nothing was changed. Another admin has just changed your access. <a href="/">Back to the queue</a></p>`,
  )

/**
 * Only for active colleagues: members cannot promote, demote or disable themselves. The actor stays an admin until the
 * change is done, so there is always at least one admin.
 */
async function withColleague(asked: AdminAsked, show: (member: ListedMember) => Promise<Shown> | Shown) {
  const id = String(asked.params['id'])
  if (id === asked.session.member.id)
    return showNote(
      asked,
      409,
      'You cannot change your own access',
      html`<p>Nothing was changed. Another admin must do this, so that there is always at least one admin. <a href="/staff">Back to staff</a></p>`,
    )
  const [member] = isStaffId(id) ? await listMembers(asked.db, id) : []
  if (member?.disabled_at === null) return show(member)
  return showNote(
    asked,
    404,
    'Member not found',
    html`<p>There is no active member with this id. <a href="/staff">Back to staff</a></p>`,
  )
}

const isStaffId = (text: string) => /^staff_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)

const disablePage = (asked: AdminAsked, { id, name, email, role }: ListedMember) =>
  showDeskPage(asked, {
    title: 'Disable a member',
    section: 'staff',
    content: html`<p class="crumbs"><a href="/staff">Staff</a></p>
<h1>Disable “<bdi>${name}</bdi>”?</h1>
<dl class="facts">
<div><dt>Address</dt><dd>${email}</dd></div>
<div><dt>Role</dt><dd>${role}</dd></div>
</dl>
<div class="notice warn"><h2>This takes effect immediately</h2>
<p>Their sessions end, their passkeys and links stop working, and a case they hold is released within two minutes. Their decisions are kept under their name. To restore access, the operator must invite them again.</p></div>
<form method="post" action="/staff/${id}/disable">!${csrfField(asked.csrf)}
<div class="buttons"><button class="button danger" type="submit">Disable member</button><a class="button quiet" href="/staff">Cancel</a></div></form>`,
  })
