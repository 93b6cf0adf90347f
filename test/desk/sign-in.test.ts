import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { commandWords } from '../../src/bin/command.ts'
import { commands } from '../../src/bin/commands/operator/staff.ts'
import { staffPurges } from '../../src/staff/sessions.ts'
import { openBrowser } from '../../tooling/clients/browser.ts'
import { type Mailbox, openMailbox, openOwner, openOwnerBrowser } from '../../tooling/clients/owner.ts'
import {
  addVirtualAuthenticator,
  joinWithPasskey,
  openStaff,
  signInWithPasskey,
  staffWith,
} from '../../tooling/clients/staff.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { readAsked, type Said, softPasskey } from '../support/desk/soft-passkey.ts'

let browser: Awaited<ReturnType<typeof openBrowser>>
let mailbox: Mailbox
let service: Service
before(async () => {
  browser = await openBrowser()
  mailbox = await openMailbox()
  service = await startService({ judges: true, settings: { SMTP_URL: mailbox.smtpUrl } })
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  await mailbox?.[Symbol.asyncDispose]()
  await browser?.[Symbol.asyncDispose]()
})

test('an invited member creates a passkey with the mailed link, and signs in with it from then on', async (context) => {
  const { id, link } = await invite(context, 'ada@desk.example', 'lead')
  const page = await (await browser.newContext({})).newPage()
  await addVirtualAuthenticator(page)
  const sent: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && sent.push(String(request.postData()))))
  await page.goto(link)
  assert.equal(page.url(), `${service.deskUrl}/join`, 'the token has left the address bar')
  assert.match(await page.locator('main').innerText(), /Ada Example[\s\S]*ada@desk\.example[\s\S]*lead/)
  await joinWithPasskey(page, link)
  await page.goto(`${service.deskUrl}/me`)
  assert.match(await page.locator('main').innerText(), /Chrome on Linux[\s\S]*this browser/)

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL(`${service.deskUrl}/sign-in`)
  await page.goto(`${service.deskUrl}/me`)
  assert.equal(page.url(), `${service.deskUrl}/sign-in`)
  await signInWithPasskey(page, service)
  await page.goto(`${service.deskUrl}/me`)
  assert.equal(page.url(), `${service.deskUrl}/me`)
  assert.deepEqual(await actsOf(id), ['add_passkey', 'sign_in', 'sign_out', 'sign_in'])

  const again = await post('/sign-in', Object.fromEntries(new URLSearchParams(sent.at(-1))))
  assert.equal(again.status, 422, 'what was sent once is not believed twice')
  assert.deepEqual(again.cookies, [])
  await page.context().clearCookies()
  assert.equal((await page.goto(link))?.status(), 410, 'a link makes one passkey')
  await page.context().close()
  const token = String(link.split('/').at(-1))
  assert.ok(!service.logLines.some((line) => line.includes('ada@') || line.includes(token)))
})

test('a link is invalid after 24 hours, or once another was requested', async (context) => {
  const { link } = await invite(context, 'bo@desk.example')
  const open = async (url: string) => {
    const visitor = openOwnerBrowser({ accountPageUrl: service.deskUrl })
    await visitor.get(new URL(url).pathname)
    return (await visitor.get('/join')).status
  }
  assert.equal(await open(link), 200)
  service.clock.setOffset(24 * 3_600_000 + 60_000)
  assert.equal(await open(link), 410)
  service.clock.setOffset(0)
  assert.equal(await open(link), 200)
  await run(context, 'staff link', { email: 'BO@desk.example' })
  assert.equal(await open(link), 410)
  assert.equal(await open(await linkFor('bo@desk.example', 2)), 200)
  assert.equal(await open(`${service.deskUrl}/join/${'A'.repeat(43)}`), 410)
})

test('a new passkey is accepted only for this page’s challenge', async (context) => {
  const { link, id } = await invite(context, 'cy@desk.example')
  const visitor = openOwnerBrowser({ accountPageUrl: service.deskUrl })
  await visitor.get(new URL(link).pathname)
  const passkey = softPasskey({ origin: service.deskUrl, staffId: id })
  const asked = async () => readAsked((await visitor.get('/join')).page)
  const { challenge: forSignIn } = readAsked(await (await fetch(`${service.deskUrl}/sign-in`)).text())
  const certified = { fmt: 'packed', attStmt: new Map<string, unknown>([['x5c', [new Uint8Array(8)]]]) }
  const lies: Record<string, Partial<Said>> = {
    'made elsewhere': { origin: 'https://desk.evil.example' },
    'made for another name': { rpId: 'evil.example' },
    'made within another page': { crossOrigin: true },
    'nobody unlocked it': { isVerified: false },
    'one that is used': { type: 'webauthn.get' },
    'asked for to sign in': { challenge: forSignIn },
    'asked for by nobody': { challenge: Buffer.from('a.9999999999999.b').toString('base64url') },
    'with a certificate': { attestation: certified },
  }
  for (const [lie, said] of Object.entries(lies)) {
    const credential = passkey.create({ ...(await asked()), ...said })
    assert.equal((await visitor.submit('/join', { credential })).status, 422, lie)
  }
  const late = await asked()
  service.clock.setOffset(301_000)
  assert.equal((await visitor.submit('/join', { credential: passkey.create(late) })).status, 422, 'too late')
  service.clock.setOffset(0)
  for (const credential of ['', '{}', '[]', 'null', 'x'.repeat(9_000)])
    assert.equal((await visitor.submit('/join', { credential })).status, 422)
  assert.ok(wasLogged('certified'), 'no certificate is looked at: it would name an address to ask')
  assert.deepEqual(await actsOf(id), [])

  const good = passkey.create(await asked())
  assert.equal((await visitor.submit('/join', { credential: good })).location, '/')
  assert.deepEqual([...visitor.cookies.keys()], ['broadside_desk'])
  assert.equal((await visitor.get('/me')).status, 200)
})

test('a passkey is accepted only for the page’s challenge, and never if it was copied', async (context) => {
  const { passkey, id, visitor } = await join(context, 'di@desk.example', { counter: 5 })
  const other = softPasskey({ origin: service.deskUrl, staffId: id })
  const asked = async () => readAsked(await (await fetch(`${service.deskUrl}/sign-in`)).text())
  const attempt = async (said: Partial<Said>, by = passkey) =>
    post('/sign-in', { credential: by.use({ ...(await asked()), counter: 9, ...said }) })
  const { challenge: forJoining } = await askedByLink(context, 'di@desk.example')
  const lies: Record<string, Partial<Said>> = {
    'used elsewhere': { origin: 'https://desk.evil.example' },
    'used for another name': { rpId: 'evil.example' },
    'used within another page': { crossOrigin: true },
    'nobody unlocked it': { isVerified: false },
    'a new one': { type: 'webauthn.create' },
    'asked for to join': { challenge: forJoining },
    'of another person': { handle: 'staff_00000000000000000000000000' },
    'used less often than before': { counter: 4 },
    'used as often as before': { counter: 5 },
    'of those that do not count': { counter: 0 },
  }
  const pages = new Set<string>()
  for (const [lie, said] of Object.entries(lies)) {
    const { status, cookies, page } = await attempt(said)
    assert.deepEqual([status, cookies], [422, []], lie)
    pages.add(withoutOptions(page))
  }
  pages.add(withoutOptions((await attempt({ credentialId: passkey.id }, other)).page))
  pages.add(withoutOptions((await attempt({}, other)).page))
  assert.equal(pages.size, 1, 'whatever was wrong, one thing is said')
  assert.ok(wasLogged('counter_went_back'))
  assert.equal((await attempt({ counter: 6 })).status, 303)

  await run(context, 'staff disable', { email: 'di@desk.example' })
  assert.equal((await visitor.get('/me')).location, '/sign-in', 'who is disabled is out at once')
  const gone = await attempt({})
  assert.deepEqual([gone.status, withoutOptions(gone.page)], [422, [...pages][0]])
})

test('a passkey signs in once per challenge; a lost one gives no access, and a link replaces it', async (context) => {
  const { id, visitor, passkey } = await join(context, 'ed@desk.example')
  const asked = readAsked(await (await fetch(`${service.deskUrl}/sign-in`)).text())
  const fields = { credential: passkey.use(asked) }
  const both = await Promise.all([post('/sign-in', fields), post('/sign-in', fields)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [303, 422], 'of two that send the same, one is in')

  assert.deepEqual(await run(context, 'staff link', { email: 'ed@desk.example' }, { lost: true }), {
    ...{ id, link: 'mailed', revoked_passkeys: 1, ended_sessions: 2 },
  })
  assert.equal((await visitor.get('/me')).location, '/sign-in')
  await visitor.get(new URL(await linkFor('ed@desk.example', 2)).pathname)
  const credential = softPasskey({ origin: service.deskUrl, staffId: id }).create(
    readAsked((await visitor.get('/join')).page),
  )
  assert.equal((await visitor.submit('/join', { credential })).location, '/')
  assert.equal((await visitor.get('/me')).status, 200)
})

test('a session ends after an hour without use and after twelve in total; an owner’s session is not valid here', async () => {
  const [idle, busy] = [await openStaff(service), await openStaff(service)]
  const me = async (staff: { get: (path: string) => Promise<Response> }) => (await staff.get('/me')).status
  for (let minutes = 50; minutes < 12 * 60; minutes += 50) {
    service.clock.setOffset(minutes * 60_000)
    assert.equal(await me(busy), 200, `${minutes} minutes`)
  }
  assert.equal(await me(idle), 303)
  service.clock.setOffset(12 * 3_600_000 + 60_000)
  assert.equal(await me(busy), 303)
  service.clock.setOffset(0)
  const owner = await openOwner(service, (await service.createAccount()).id)
  assert.equal(await me(staffWith(service, owner.token)), 303)
  for (const purge of Object.values(staffPurges)) await purge(service.workerDb, new Date(Date.now() + 31 * 86_400_000))
  const left = `select from staff_sessions union all select from spent_challenges`
  assert.deepEqual(await service.asOwner(left), [], 'what opens nothing any more is forgotten')
})

test('an admin manages the staff, but not themself', async () => {
  const admin = await openStaff(service, { role: 'admin', name: 'Fay Admin' })
  const member = await openStaff(service, { name: 'Gil Member' })
  const page = await (await admin.get('/staff')).text()
  assert.match(page, /Gil Member[\s\S]*1 browser/)
  assert.match(page, /staff invite/)
  for (const path of ['role', 'disable', 'sessions/end'])
    assert.equal((await admin.post(`/staff/${admin.id}/${path}`, { role: 'reviewer' })).status, 409, path)
  assert.equal((await admin.get(`/staff/${admin.id.replace(/.$/, '!')}/disable`)).status, 404)

  assert.equal((await admin.post(`/staff/${member.id}/role`, { role: 'owner' })).status, 422)
  await admin.post(`/staff/${member.id}/role`, { role: 'admin' })
  assert.equal((await member.get('/staff')).status, 200, 'a role counts from the next click on')
  await admin.post(`/staff/${member.id}/sessions/end`)
  assert.equal((await member.get('/me')).status, 303)
  assert.match(await (await admin.get(`/staff/${member.id}/disable`)).text(), /Disable “<bdi>Gil Member<\/bdi>”\?/)
  await admin.post(`/staff/${member.id}/disable`)
  assert.match(await (await admin.get('/staff')).text(), /Former members[\s\S]*Gil Member/)
  assert.equal((await admin.post(`/staff/${member.id}/role`, { role: 'lead' })).status, 404)
  assert.deepEqual(await actsOf(admin.id), ['change_role', 'end_sessions', 'disable'])

  assert.equal((await admin.post('/me/sessions/end')).status, 303)
  assert.equal((await admin.get('/me')).status, 303)
})

test('the operator’s commands list the staff and reject unknown members', async (context) => {
  const { id } = await invite(context, 'ha@desk.example')
  await assert.rejects(invite(context, 'Ha@desk.example'), /already/)
  await assert.rejects(run(context, 'staff role', { email: 'nobody@desk.example', role: 'lead' }), /No member/)
  await assert.rejects(
    run(context, 'staff role', { email: 'ha@desk.example', role: 'king' }),
    /The role must be one of/,
  )
  assert.deepEqual(await run(context, 'staff role', { email: 'ha@desk.example', role: 'lead' }), { id, role: 'lead' })
  const all = (await run(context, 'staff list')) as { id: string; role: string; passkeys: number }[]
  const [found] = all.filter((member) => member.id === id)
  assert.deepEqual([found?.role, found?.passkeys], ['lead', 0])
  const acts = await service.asOwner<{ action: string; actor: string }>(
    `select action, split_part(actor, ':', 1) as actor from audit_log where details->>'staff_id' = $1 order by id`,
    [id],
  )
  assert.deepEqual(acts, [
    { action: 'staff.invite', actor: 'operator' },
    { action: 'staff.change_role', actor: 'operator' },
  ])
})

async function run(
  context: TestContext,
  words: string,
  values: Record<string, string> = {},
  flags: Record<string, string | boolean> = {},
): Promise<unknown> {
  const environment = { OPERATOR_DATABASE_URL: service.database.urls.operator, BROADSIDE_ENVIRONMENT: 'development' }
  const command = commands.find((one) => commandWords(one).join(' ') === words)
  const { mock } = context.mock.method(console, 'log', () => {})
  await command?.run({ values, flags, environment }).finally(() => mock.restore())
  return JSON.parse(String(mock.calls[0]?.arguments[0]))
}

async function invite(context: TestContext, email: string, role = 'reviewer') {
  const { id } = (await run(context, 'staff invite', { email }, { name: 'Ada Example', role })) as { id: string }
  return { id, link: await linkFor(email, 1) }
}

/** The link of the newest email, once this many have arrived. */
async function linkFor(email: string, mails: number): Promise<string> {
  await service.settle()
  const all = await mailbox.read(email)
  assert.equal(all.length, mails)
  return String(/http\S+\/join\/\S+/.exec(all.at(-1)?.text ?? '')?.[0])
}

/** A signed-in member with the test's own passkey. */
async function join(context: TestContext, email: string, said: Partial<Said> = {}) {
  const { id, link } = await invite(context, email)
  const visitor = openOwnerBrowser({ accountPageUrl: service.deskUrl })
  await visitor.get(new URL(link).pathname)
  const passkey = softPasskey({ origin: service.deskUrl, staffId: id })
  const credential = passkey.create({ ...readAsked((await visitor.get('/join')).page), ...said })
  assert.equal((await visitor.submit('/join', { credential })).location, '/')
  return { id, visitor, passkey }
}

async function askedByLink(context: TestContext, email: string) {
  await run(context, 'staff link', { email })
  const visitor = openOwnerBrowser({ accountPageUrl: service.deskUrl })
  await visitor.get(new URL(await linkFor(email, 2)).pathname)
  return readAsked((await visitor.get('/join')).page)
}

async function post(path: string, fields: Record<string, string>) {
  const response = await fetch(`${service.deskUrl}${path}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
    headers: { origin: service.deskUrl, 'sec-fetch-site': 'same-origin' },
  })
  return { status: response.status, cookies: response.headers.getSetCookie(), page: await response.text() }
}

const wasLogged = (kind: string) => service.logLines.some((line) => line.includes(`"kind":"${kind}"`))
const withoutOptions = (page: string) => page.replace(/data-options="[^"]*"/, '')
const actions = 'select action from audit_log where actor = $1 order by id'
async function actsOf(staffId: string): Promise<string[]> {
  const acts = await service.asOwner<{ action: string }>(actions, [`staff:${staffId}`])
  return acts.map(({ action }) => action.replace('staff.', ''))
}
