import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Mailbox, openMailbox, openOwnerBrowser } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { openSignInFixture, otherThan, type SignInFixture } from '../support/owner-page/sign-in.ts'

let mailbox: Mailbox
let service: Service
let fixture: SignInFixture
before(async () => {
  mailbox = await openMailbox()
  service = await startService({ judges: true, settings: { SMTP_URL: mailbox.smtpUrl } })
  fixture = openSignInFixture({ service, mailbox })
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  await mailbox?.[Symbol.asyncDispose]()
})

const minutes = (count: number) => service.clock.setOffset(count * 60_000)

test('the owner opens the link, reads the code from the mailbox, and is signed in; this verifies the email', async () => {
  const account = await fixture.createOwned()
  const browser = openOwnerBrowser(service)
  const opened = await browser.get(account.account_url)
  assert.deepEqual([opened.status, opened.location], [303, '/sign-in'])
  const first = await browser.get('/sign-in')
  assert.match(first.page, /Harbour Notices/)
  assert.match(first.page, /o…@example\.com/)
  assert.ok(!first.page.includes(account.email))
  const asked = await browser.submit('/sign-in/code')
  assert.deepEqual([asked.status, asked.location], [303, '/sign-in'])
  assert.match((await browser.get('/sign-in')).page, /expires in 10 minutes/)
  await service.settle()
  const code = await mailbox.codeFor(account.email)
  const entered = await browser.submit('/sign-in', { code: `${code.slice(0, 3)} ${code.slice(3)} ` })
  assert.deepEqual([entered.status, entered.location], [303, '/account'])
  assert.deepEqual([...browser.cookies.keys()], ['broadside_owner'])
  assert.equal((await browser.get('/account/sessions')).status, 200)
  assert.equal((await browser.get('/')).location, '/account')
  assert.equal((await service.client(account.api_key).getAccount()).body.email_verified, true)
  const acts = await service.asOwner('select actor, action, details from audit_log where account_id = $1', [account.id])
  assert.deepEqual(acts, [{ actor: `owner:${account.id}`, action: 'owner.sign_in', details: {} }])
})

test('the email starts with the complete code and its purpose, and keeps it out of the subject', async () => {
  const account = await fixture.createOwned({ name: 'Notices of evil.example/pay <b>now</b>' })
  const code = await fixture.askForCode(await fixture.visit(account.account_url), account.email)
  const [mail] = await mailbox.read(account.email)
  assert.ok(mail)
  assert.ok(mail.text.startsWith(`${code}\n`))
  assert.doesNotMatch(mail.subject, /\d/)
  for (const form of [mail.text, mail.html]) {
    assert.match(form, /10 minutes/)
    assert.match(form, /including your agent/)
    assert.match(form, /If you did not request it/)
    assert.ok(form.includes(service.accountPageUrl))
    assert.doesNotMatch(form, /Notices of|evil/, 'whoever created the account has chosen its name')
    assert.ok(form.includes(account.id))
  }
  assert.doesNotMatch(mail.html, /<b>|<img|https?:\/\/(?!localhost)/)
})

test('a code allows five guesses, even if 200 arrive at the same moment, and is invalid afterwards', async () => {
  const account = await fixture.createOwned()
  const browser = await fixture.visit(account.account_url)
  const code = await fixture.askForCode(browser, account.email)
  for (const triesLeft of ['4 tries', '3 tries']) {
    const wrong = await browser.submit('/sign-in', { code: otherThan(code) })
    assert.equal(wrong.status, 422)
    assert.ok(wrong.page.includes(`That is not the code that we emailed. ${triesLeft} left.`))
  }
  for (const unfit of ['', '12345', '1234567', 'abcdef', '٣٣٣٣٣٣']) {
    const { status, page } = await browser.submit('/sign-in', { code: unfit })
    assert.equal(status, 422)
    assert.match(page, /six digits/)
  }
  const guesses = await Promise.all(
    Array.from({ length: 200 }, () => browser.submit('/sign-in', { code: otherThan(code) })),
  )
  assert.ok(guesses.every(({ status, location }) => status === 422 && location === null))
  const rows = await service.asOwner('select tries from owner_codes where account_id = $1', [account.id])
  assert.deepEqual(rows, [{ tries: 5 }])
  const late = await browser.submit('/sign-in', { code })
  assert.equal(late.status, 422)
  assert.match(late.page, /is no longer valid/)
  const next = await fixture.askForCode(browser, account.email)
  assert.equal((await browser.submit('/sign-in', { code: next })).location, '/account')
})

test('a code works in the browser that requested it, until it is used, replaced or ten minutes old', async () => {
  const account = await fixture.createOwned()
  const [browser, other] = [await fixture.visit(account.account_url), await fixture.visit(account.account_url)]
  const replaced = await fixture.askForCode(browser, account.email)
  const code = await fixture.askForCode(browser, account.email)
  for (const wrong of [code, replaced]) assert.equal((await other.submit('/sign-in', { code: wrong })).status, 422)
  if (replaced !== code) assert.equal((await browser.submit('/sign-in', { code: replaced })).status, 422)
  minutes(10)
  assert.equal((await browser.submit('/sign-in', { code })).status, 422)
  minutes(9)
  const both = await Promise.all([1, 2].map(() => browser.submit('/sign-in', { code })))
  const [first, second = 0] = both.map(({ status }) => status).sort()
  // The second browser learns that the code is used or, if the first has signed in by then, that its visit has ended.
  assert.ok(first === 303 && [401, 422].includes(second), `it is used once, not ${first} and ${second}`)
  minutes(0)
})

test('a closed account gets no email', async () => {
  const account = await fixture.createOwned()
  const browser = await fixture.visit(account.account_url)
  await service.asOwner("update accounts set standing = 'closed' where id = $1", [account.id])
  assert.equal((await browser.submit('/sign-in/code')).status, 401)
  await browser.submit('/find-account', { email: account.email })
  await service.settle()
  assert.deepEqual(await mailbox.read(account.email), [])
})

test('a new address replaces the old one after its own code; the old one is notified before, and loses access', async () => {
  const account = await fixture.createOwned()
  const late = await fixture.visit(account.account_url)
  const browser = await fixture.signIn(account)
  const lateCode = await fixture.askForCode(late, account.email)
  const email = `new-${account.email}`
  await browser.get('/account/email')
  for (const unfit of ['not an address', `${'x'.repeat(65)}@example.com`])
    assert.equal((await browser.submit('/account/email', { email: unfit })).status, 422)
  assert.equal((await browser.submit('/account/email', { email })).location, '/account/email')
  await service.settle()
  const told = (await mailbox.read(account.email)).at(-1)
  const [asking] = await mailbox.read(email)
  assert.doesNotMatch(String(asking?.text), /Harbour/, 'the new address is not verified')
  assert.ok(asking?.text.includes(account.id))
  assert.equal(told?.subject, 'Your email address is about to change')
  assert.ok(!told?.text.includes(email))
  assert.equal((await service.client(account.api_key).getAccount()).body.email, account.email)
  const code = await mailbox.codeFor(email)
  await browser.get('/account/email')
  assert.equal((await browser.submit('/account/email/code', { code: otherThan(code) })).status, 422)
  assert.equal((await browser.submit('/account/email/code', { code })).location, '/account/email')
  const { body } = await service.client(account.api_key).getAccount()
  assert.deepEqual([body.email, body.email_verified], [email, true])
  await late.get('/sign-in')
  assert.equal((await late.submit('/sign-in', { code: lateCode })).status, 422, 'a code that went to the old address')
  const acts = await service.asOwner<{ action: string }>(
    'select action from audit_log where account_id = $1 order by id',
    [account.id],
  )
  assert.deepEqual(
    acts.map(({ action }) => action),
    ['owner.sign_in', 'owner.ask_email_change', 'owner.change_email'],
  )
})

test('the owner sees all sessions, ends one or all, and each ends with its next call', async () => {
  const account = await fixture.createOwned()
  const [here, there, elsewhere] = [
    await fixture.signIn(account),
    await fixture.signIn(account),
    await fixture.signIn(account),
  ]
  const list = await here.get('/account/sessions')
  assert.equal(list.page.match(/\/account\/sessions\/[0-9a-f-]{36}\/end/g)?.length, 3)
  assert.equal(list.page.match(/>this one</g)?.length, 1)
  const stranger = await fixture.signIn(await fixture.createOwned())
  const [ofStranger = ''] =
    /\/account\/sessions\/[0-9a-f-]{36}\/end/.exec((await stranger.get('/account/sessions')).page) ?? []
  for (const path of [ofStranger, '/account/sessions/nonsense/end']) assert.equal((await here.submit(path)).status, 404)
  assert.equal((await stranger.get('/account/sessions')).status, 200)

  const [{ id } = { id: '' }] = await service.asOwner<{ id: string }>(
    'select id from owner_sessions where account_id = $1 order by created_at offset 1 limit 1',
    [account.id],
  )
  await here.get('/account/sessions')
  assert.equal((await here.submit(`/account/sessions/${id}/end`)).location, '/account/sessions')
  assert.equal((await there.get('/account/sessions')).location, '/sign-in')
  await here.get('/account/sessions')
  assert.equal((await here.submit('/account/sessions/end-all')).location, '/')
  assert.deepEqual([...here.cookies], [])
  assert.equal((await elsewhere.get('/account/sessions')).location, '/sign-in')
})

test('signing out ends the session itself, not only the cookie', async () => {
  const browser = await fixture.signIn(await fixture.createOwned())
  const token = browser.cookies.get('broadside_owner') ?? ''
  await browser.get('/account/sessions')
  assert.equal((await browser.submit('/sign-out')).location, '/')
  browser.cookies.set('broadside_owner', token)
  assert.equal((await browser.get('/account/sessions')).location, '/sign-in')
})

test('a token from before the sign-in is not the session after it', async () => {
  const account = await fixture.createOwned()
  const browser = await fixture.visit(account.account_url)
  const planted = 'A'.repeat(43)
  browser.cookies.set('broadside_owner', planted)
  const visitToken = browser.cookies.get('broadside_visit') ?? ''
  await browser.get('/sign-in')
  const code = await fixture.askForCode(browser, account.email)
  await browser.submit('/sign-in', { code })
  const session = browser.cookies.get('broadside_owner')
  assert.ok(session && session !== planted && session !== visitToken)
  const attacker = openOwnerBrowser(service)
  for (const token of [planted, visitToken]) {
    attacker.cookies.set('broadside_owner', token)
    assert.equal((await attacker.get('/account/sessions')).location, '/sign-in')
  }
  attacker.cookies.clear()
  attacker.cookies.set('broadside_visit', visitToken)
  await attacker.get('/sign-in')
  assert.equal((await attacker.submit('/sign-in/code')).status, 401, 'the visit has ended too')
})

test('signing in to another account ends the browser’s previous session', async () => {
  const [first, second] = [await fixture.createOwned(), await fixture.createOwned()]
  const browser = await fixture.signIn(first)
  const before = browser.cookies.get('broadside_owner') ?? ''
  await browser.get(second.account_url)
  assert.match((await browser.get('/sign-in')).page, new RegExp(second.id))
  const code = await fixture.askForCode(browser, second.email)
  await browser.get('/sign-in')
  assert.equal((await browser.submit('/sign-in', { code })).location, '/account')
  const old = openOwnerBrowser(service)
  old.cookies.set('broadside_owner', before)
  assert.equal((await old.get('/account/sessions')).location, '/sign-in')
})
