import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { csrfTokenOf } from '../../src/accounts/sign-in/tokens.ts'
import { deskRoutes } from '../../src/desk/routes.ts'
import { mayDo, type StaffRole, staffRoles } from '../../src/staff/roles.ts'
import { openOwner } from '../../tooling/clients/owner.ts'
import { openStaff, type Staff } from '../../tooling/clients/staff.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import {
  askFor,
  type DeskRoute,
  fingerprint,
  nameOf,
  type Subjects,
  seedSubjects,
  strayExamples,
} from '../support/desk/routes.ts'

let service: Service
let subjects: Subjects
let held: Awaited<ReturnType<typeof seedHeldCase>>
const staff = {} as Record<StaffRole, Staff>

before(async () => {
  service = await startService()
  for (const role of staffRoles) staff[role] = await openStaff(service, { role })
  subjects = await seedSubjects(service, staff.admin.id)
  held = await seedHeldCase()
})
after(() => service?.[Symbol.asyncDispose]())

/** The callers' credentials: an owner's session, a key, and expired staff sessions. */
async function seedHeldCase() {
  const account = await service.createAccount()
  const owner = await openOwner(service, account.id)
  const [expired, old, ended, disabled, revoked] = await Promise.all(
    Array.from({ length: 5 }, () => openStaff(service, { role: 'admin' })),
  )
  const of = (member: Staff | undefined) => [String(member?.id)]
  await service.asOwner(
    "update staff_sessions set last_seen_at = last_seen_at - interval '61 minutes' where staff_id = $1",
    of(expired),
  )
  await service.asOwner(
    "update staff_sessions set created_at = created_at - interval '12 hours 1 minute' where staff_id = $1",
    of(old),
  )
  await ended?.post('/sign-out')
  await service.asOwner('update staff set disabled_at = invited_at where id = $1', of(disabled))
  await service.asOwner('update passkeys set revoked_at = created_at where staff_id = $1', of(revoked))
  const tokens = { expired, old, ended, disabled, revoked }
  return {
    ...(Object.fromEntries(Object.entries(tokens).map(([name, one]) => [name, String(one?.token)])) as Record<
      keyof typeof tokens,
      string
    >),
    owner: owner.token,
    key: account.api_key,
    link: 'B'.repeat(43),
  }
}

type Sent = { cookie?: string; authorization?: string; csrf?: string }
const session = (token: string) => ({ cookie: `broadside_desk=${token}`, csrf: csrfTokenOf(token) })

/** Requests from all callers who are not, or no longer, staff, with the best form token that they can make. */
const outsiders: Record<string, () => Sent> = {
  'no session': () => ({}),
  'an owner’s session': () => ({ cookie: `broadside_owner=${held.owner}`, csrf: csrfTokenOf(held.owner) }),
  'an owner’s session as one of the desk': () => session(held.owner),
  'an owner’s session as a bearer token': () => ({
    authorization: `Bearer ${held.owner}`,
    csrf: csrfTokenOf(held.owner),
  }),
  'an API key': () => ({ authorization: `Bearer ${held.key}`, csrf: csrfTokenOf(held.key) }),
  'a link’s cookie only': () => ({ cookie: `broadside_desk_link=${held.link}`, csrf: csrfTokenOf(held.link) }),
  'a session that was idle for an hour': () => session(held.expired),
  'a session that is twelve hours old': () => session(held.old),
  'a session that was ended': () => session(held.ended),
  'the session of a member that was disabled': () => session(held.disabled),
  'a session whose passkey was revoked': () => session(held.revoked),
  'two sessions at once': () => ({
    cookie: `broadside_desk=${staff.admin.token}; broadside_desk=${staff.lead.token}`,
    csrf: staff.admin.csrf,
  }),
}

function send({ method }: DeskRoute, path: string, fields: Record<string, string>, { csrf, ...headers }: Sent) {
  const { deskUrl } = service
  return fetch(deskUrl + path, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(method === 'POST' && { origin: deskUrl, 'sec-fetch-site': 'same-origin' }) },
    ...(method === 'POST' && { body: new URLSearchParams({ ...fields, ...(csrf && { csrf }) }) }),
  })
}

test('every route that needs more than its path has an example, and no example is unused', () => {
  assert.deepEqual(strayExamples(), { routes: [], lines: [] })
  assert.ok(deskRoutes.length > 20)
})

test('only the sign-in is open to anyone', () => {
  const open = deskRoutes.filter(({ needs }) => needs === 'nothing').map(nameOf)
  assert.deepEqual(open.sort(), ['GET /join', 'GET /join/:token', 'GET /sign-in', 'POST /join', 'POST /sign-in'])
})

test('the routes that each role adds to the one below it', () => {
  const opened = (role: StaffRole) =>
    deskRoutes
      .filter(({ needs }) => needs === role && needs !== 'reviewer')
      .map(nameOf)
      .sort()
  assert.deepEqual(opened('lead'), ['GET /numbers', 'POST /cases/:key/free', 'POST /numbers/decisions'])
  assert.deepEqual(opened('admin'), [
    'GET /log',
    'GET /staff',
    'GET /staff/:id/disable',
    'POST /staff/:id/disable',
    'POST /staff/:id/role',
    'POST /staff/:id/sessions/end',
  ])
})

const closed = deskRoutes.filter((route): route is DeskRoute & { needs: StaffRole } => route.needs !== 'nothing')

suite('the authorisation matrix of the desk', () => {
  for (const [caller, sent] of Object.entries(outsiders))
    test(`with ${caller}, no page is shown and nothing is done`, async () => {
      const before = await fingerprint(service)
      for (const route of closed) {
        const { path, fields } = askFor(route, subjects)
        const { status, headers } = await send(route, path, fields, sent())
        const expected = route.method === 'GET' ? [303, '/sign-in'] : [401, null]
        assert.deepEqual([status, headers.get('location')], expected, nameOf(route))
      }
      assert.equal(await fingerprint(service), before)
    })

  for (const role of staffRoles)
    test(`as ${role}, requests that need a higher role are refused and do nothing`, async () => {
      const before = await fingerprint(service)
      for (const route of closed.filter(({ needs }) => !mayDo(role, needs))) {
        const { path, fields } = askFor(route, subjects)
        const { status } = await send(route, path, fields, session(staff[role].token))
        assert.equal(status, 403, nameOf(route))
      }
      assert.equal(await fingerprint(service), before)
    })

  for (const role of staffRoles)
    test(`as ${role}, everything that the role allows works`, async () => {
      for (const route of deskRoutes.filter(({ needs }) => needs === 'nothing' || mayDo(role, needs))) {
        const member = await openStaff(service, { role })
        const { path, fields, status } = askFor(route, await seedSubjects(service, member.id))
        const response = await send(route, path, fields, session(member.token))
        assert.equal(response.status, status, `${nameOf(route)}: ${await response.text()}`)
        if (route.method === 'GET') assert.notEqual(response.headers.get('location'), '/sign-in', nameOf(route))
      }
    })

  test('a form without its token, with another session’s token or from another origin does nothing', async () => {
    const before = await fingerprint(service)
    const { admin, lead } = staff
    const wrong: Record<string, { csrf?: string; origin?: string; site?: string }> = {
      'no token': {},
      'another’s token': { csrf: lead.csrf },
      'another origin': { csrf: admin.csrf, origin: service.accountPageUrl },
      'another site': { csrf: admin.csrf, site: 'same-site' },
    }
    for (const route of closed.filter(({ method }) => method === 'POST'))
      for (const [why, { csrf, origin, site }] of Object.entries(wrong)) {
        const { path, fields } = askFor(route, subjects)
        const response = await fetch(service.deskUrl + path, {
          method: 'POST',
          redirect: 'manual',
          headers: {
            cookie: session(admin.token).cookie,
            origin: origin ?? service.deskUrl,
            'sec-fetch-site': site ?? 'same-origin',
          },
          body: new URLSearchParams({ ...fields, ...(csrf && { csrf }) }),
        })
        assert.equal(response.status, 403, `${nameOf(route)} with ${why}`)
      }
    assert.equal(await fingerprint(service), before)
  })
})

test('when two admins disable or demote each other at once, one remains', async () => {
  const openPair = () => Promise.all([openStaff(service, { role: 'admin' }), openStaff(service, { role: 'admin' })])
  for (const act of ['disable', 'role', 'disable', 'role']) {
    const [one, other] = await openPair()
    const answers = await Promise.all([
      one.post(`/staff/${other.id}/${act}`, { role: 'reviewer' }),
      other.post(`/staff/${one.id}/${act}`, { role: 'reviewer' }),
    ])
    const left = await service.asOwner(
      "select from staff where id in ($1, $2) and role = 'admin' and disabled_at is null",
      [one.id, other.id],
    )
    assert.equal(left.length, 1, act)
    assert.equal(answers.filter(({ status }) => status === 303).length, 1, 'the other is told that nothing was changed')
  }
})

const acts: Record<string, string> = {
  'POST /sign-out': 'staff.sign_out',
  'POST /me/sessions/end': 'staff.sign_out',
  'POST /next': 'case.claim',
  'POST /cases/:key/claim': 'case.claim',
  'POST /cases/:key/skip': 'case.skip',
  'POST /cases/:key/decide': 'case.decide',
  'POST /cases/:key/undo': 'case.undo',
  'POST /cases/:key/free': 'case.free',
  'POST /staff/:id/role': 'staff.change_role',
  'POST /staff/:id/disable': 'staff.disable',
  'POST /staff/:id/sessions/end': 'staff.end_sessions',
  'POST /numbers/decisions': 'decisions.export',
}

test('every staff action is in the audit log under their name', async () => {
  // An open page extends the lease by itself.
  const silent = ['POST /cases/:key/renew']
  for (const route of closed.filter((one) => one.method === 'POST' && !silent.includes(nameOf(one)))) {
    const member = await openStaff(service, { role: 'admin' })
    // A member who already holds a case gets it again, which is not an action.
    const holder = route.path === '/next' ? staff.admin.id : member.id
    const { path, fields } = askFor(route, await seedSubjects(service, holder))
    await send(route, path, fields, session(member.token))
    const rows = await service.asOwner<{ action: string }>('select action from audit_log where actor = $1', [
      `staff:${member.id}`,
    ])
    assert.ok(
      rows.some(({ action }) => action === acts[nameOf(route)]),
      `${nameOf(route)}: ${rows.map(({ action }) => action).join()}`,
    )
  }
})
