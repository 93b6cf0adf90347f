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

/** Does it to a colleague, and writes down what was done; nothing where nothing was to do. */
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
    'You are no admin any more',
    html`<p>Nothing was changed: another admin has just changed your own membership. <a href="/">Back to the queue</a></p>`,
  )

/**
 * Only a colleague who works here: nobody raises, lowers or ends themself. Whoever acts is an admin until it is done, so
 * that one always remains.
 */
async function withColleague(asked: AdminAsked, show: (member: ListedMember) => Promise<Shown> | Shown) {
  const id = String(asked.params['id'])
  if (id === asked.session.member.id)
    return showNote(
      asked,
      409,
      'Another admin does that for you',
      html`<p>Nothing was changed: nobody changes their own membership here, so that an admin always remains. <a href="/staff">Back to the staff</a></p>`,
    )
  const [member] = isStaffId(id) ? await listMembers(asked.db, id) : []
  if (member?.disabled_at === null) return show(member)
  return showNote(
    asked,
    404,
    'Nobody is here',
    html`<p>No such member works here. <a href="/staff">Back to the staff</a></p>`,
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
<div class="notice warn"><h2>They are out at once</h2>
<p>Sessions end, passkeys and links open nothing any more, and a case that they hold is free again within two minutes. What they decided stays, with their name. To let them in again, the operator invites them anew.</p></div>
<form method="post" action="/staff/${id}/disable">!${csrfField(asked.csrf)}
<div class="buttons"><button class="button danger" type="submit">Disable the member</button><a class="button quiet" href="/staff">Keep them</a></div></form>`,
  })
