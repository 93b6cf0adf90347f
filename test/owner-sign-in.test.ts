import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Mailbox, openMailbox, openOwnerBrowser } from './support/owner-browser.ts'
import { newcomer, type Service, startService } from './support/service.ts'

let mailbox: Mailbox
let service: Service
before(async () => {
  mailbox = await openMailbox()
  service = await startService({ judges: true, smtpUrl: mailbox.smtpUrl })
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  await mailbox?.[Symbol.asyncDispose]()
})

let people = 0
/** An account whose owner has a mailbox of their own. */
async function createOwned(name: string = newcomer.name) {
  people += 1
  const email = `owner${people}@example.com`
  const { body } = await service.client().createAccount({ ...newcomer, name, email })
  return { ...body, email }
}

/** A browser that has opened the link of an account. */
async function visit(accountUrl: string) {
  const browser = openOwnerBrowser(service)
  await browser.get(accountUrl)
  await browser.get('/sign-in')
  return browser
}

async function askForCode(browser: Awaited<ReturnType<typeof visit>>, email: string) {
  const asked = await browser.submit('/sign-in/code')
  assert.equal(asked.location, '/sign-in', asked.page)
  await service.settle()
  return mailbox.codeFor(email)
}

/** A browser whose owner has signed in by mail. */
async function signIn({ account_url, email }: { account_url: string; email: string }) {
  const browser = await visit(account_url)
  const code = await askForCode(browser, email)
  assert.equal((await browser.submit('/sign-in', { code })).location, '/account')
  return browser
}

const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const minutes = (count: number) => service.clock.setOffset(count * 60_000)

test('the owner opens the link, reads the code from the mailbox, and is signed in; the email is verified by it', async () => {
  const account = await createOwned()
  const browser = openOwnerBrowser(service)
  const opened = await browser.get(account.account_url)
  assert.deepEqual([opened.status, opened.location], [303, '/sign-in'])
  const first = await browser.get('/sign-in')
  assert.match(first.page, /Harbour Notices/)
  assert.match(first.page, /o…@example\.com/)
  assert.ok(!first.page.includes(account.email))
  const asked = await browser.submit('/sign-in/code')
  assert.deepEqual([asked.status, asked.location], [303, '/sign-in'])
  assert.match((await browser.get('/sign-in')).page, /for 10 minutes more/)
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

test('the mail with the code says it first and whole, for what it is, and not in the subject', async () => {
  const account = await createOwned('Notices of evil.example/pay <b>now</b>')
  const code = await askForCode(await visit(account.account_url), account.email)
  const [mail] = await mailbox.read(account.email)
  assert.ok(mail)
  assert.ok(mail.text.startsWith(`${code}\n`))
  assert.doesNotMatch(mail.subject, /\d/)
  for (const form of [mail.text, mail.html]) {
    assert.match(form, /10 minutes/)
    assert.match(form, /not to your agent/)
    assert.match(form, /Did you not ask for it\?/)
    assert.ok(form.includes(service.accountPageUrl))
    assert.ok(!form.includes('evil.example/pay'), 'a mail program could make a link of it')
  }
  assert.doesNotMatch(mail.html, /<b>|<img|https?:\/\/(?!localhost)/)
})

test('guessing a code ends after five tries, also when 200 come at the same moment, and the right code is then worthless', async () => {
  const account = await createOwned()
  const browser = await visit(account.account_url)
  const code = await askForCode(browser, account.email)
  for (const triesLeft of ['4 tries are', '3 tries are']) {
    const wrong = await browser.submit('/sign-in', { code: otherThan(code) })
    assert.equal(wrong.status, 422)
    assert.ok(wrong.page.includes(`${triesLeft} left`))
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
  assert.match(late.page, /opens nothing any more/)
  const next = await askForCode(browser, account.email)
  assert.equal((await browser.submit('/sign-in', { code: next })).location, '/account')
})

test('a code works in the browser that asked for it, until it is used, replaced or ten minutes old', async () => {
  const account = await createOwned()
  const [browser, other] = [await visit(account.account_url), await visit(account.account_url)]
  const replaced = await askForCode(browser, account.email)
  const code = await askForCode(browser, account.email)
  for (const wrong of [code, replaced]) assert.equal((await other.submit('/sign-in', { code: wrong })).status, 422)
  if (replaced !== code) assert.equal((await browser.submit('/sign-in', { code: replaced })).status, 422)
  minutes(10)
  assert.equal((await browser.submit('/sign-in', { code })).status, 422)
  minutes(9)
  const [first, second] = await Promise.all([1, 2].map(() => browser.submit('/sign-in', { code })))
  assert.deepEqual([first?.status, second?.status].sort(), [303, 422], 'it is used once')
  minutes(0)
})

test('an account is mailed five times in an hour and told when it may be again', async () => {
  const account = await createOwned()
  const browser = await visit(account.account_url)
  for (let sent = 0; sent < 5; sent += 1) {
    minutes(sent)
    assert.equal((await browser.submit('/sign-in/code')).status, 303)
  }
  await browser.get('/sign-in')
  const refused = await browser.submit('/sign-in/code')
  assert.equal(refused.status, 429)
  assert.match(refused.page, /Try again in 56 minutes/)
  await browser.get('/sign-in')
  minutes(59.9)
  assert.equal((await browser.submit('/sign-in/code')).status, 429)
  minutes(30)
  const renewed = await visit(account.account_url)
  minutes(60.1)
  const racing = await Promise.all(Array.from({ length: 20 }, () => renewed.submit('/sign-in/code')))
  assert.equal(racing.filter(({ status }) => status === 303).length, 1, 'of the five, one is an hour old')
  minutes(0)
})

test('a link is mailed to who owns accounts under an address, twice an hour for each, and to nobody else', async () => {
  const [one, other] = [await createOwned(), await createOwned()]
  const browser = openOwnerBrowser(service)
  await browser.get('/')
  for (let asked = 0; asked < 3; asked += 1)
    assert.equal(
      (await browser.submit('/find-account', { email: ` ${one.email.toUpperCase()} ` })).location,
      '/find-account',
    )
  await service.settle()
  const mails = await mailbox.read(one.email)
  assert.equal(mails.length, 2)
  assert.deepEqual(await mailbox.read(other.email), [])
  const link = /http\S+\/o\/\S+/.exec(mails[0]?.text ?? '')?.[0] ?? ''
  await browser.get(link)
  assert.match((await browser.get('/sign-in')).page, new RegExp(one.id))
  const sends = [
    await browser.submit('/sign-in/code'),
    await browser.submit('/sign-in/code'),
    await browser.submit('/sign-in/code'),
  ]
  assert.deepEqual(
    sends.map(({ status }) => status),
    [303, 303, 303],
    'a stranger who asks for links leaves the owner three codes',
  )
  assert.equal((await browser.submit('/sign-in/code')).status, 429)
})

test('a closed account is mailed nothing', async () => {
  const account = await createOwned()
  const browser = await visit(account.account_url)
  await service.asOwner("update accounts set standing = 'closed' where id = $1", [account.id])
  assert.equal((await browser.submit('/sign-in/code')).status, 401)
  await browser.submit('/find-account', { email: account.email })
  await service.settle()
  assert.deepEqual(await mailbox.read(account.email), [])
})

test('a new address is the account’s after its own code, the old one is told before, and opens the account no longer', async () => {
  const account = await createOwned()
  const late = await visit(account.account_url)
  const browser = await signIn(account)
  const lateCode = await askForCode(late, account.email)
  const email = `new-${account.email}`
  await browser.get('/account/email')
  assert.equal((await browser.submit('/account/email', { email: 'not an address' })).status, 422)
  assert.equal((await browser.submit('/account/email', { email })).location, '/account/email')
  await service.settle()
  const told = (await mailbox.read(account.email)).at(-1)
  assert.equal(told?.subject, 'Your address is about to change')
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

test('the owner sees where they are signed in, ends one session or all, and each ends with its next call', async () => {
  const account = await createOwned()
  const [here, there, elsewhere] = [await signIn(account), await signIn(account), await signIn(account)]
  const list = await here.get('/account/sessions')
  assert.equal(list.page.match(/\/account\/sessions\/[0-9a-f-]{36}\/end/g)?.length, 3)
  assert.equal(list.page.match(/>this one</g)?.length, 1)
  const stranger = await signIn(await createOwned())
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
  const browser = await signIn(await createOwned())
  const token = browser.cookies.get('broadside_owner') ?? ''
  await browser.get('/account/sessions')
  assert.equal((await browser.submit('/sign-out')).location, '/')
  browser.cookies.set('broadside_owner', token)
  assert.equal((await browser.get('/account/sessions')).location, '/sign-in')
})

test('a token that was set before signing in is not the session after it', async () => {
  const account = await createOwned()
  const browser = await visit(account.account_url)
  const planted = 'A'.repeat(43)
  browser.cookies.set('broadside_owner', planted)
  const visitToken = browser.cookies.get('broadside_visit') ?? ''
  await browser.get('/sign-in')
  const code = await askForCode(browser, account.email)
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

test('signing in to another account ends the session that the browser held', async () => {
  const [first, second] = [await createOwned(), await createOwned()]
  const browser = await signIn(first)
  const before = browser.cookies.get('broadside_owner') ?? ''
  await browser.get(second.account_url)
  assert.match((await browser.get('/sign-in')).page, new RegExp(second.id))
  const code = await askForCode(browser, second.email)
  await browser.get('/sign-in')
  assert.equal((await browser.submit('/sign-in', { code })).location, '/account')
  const old = openOwnerBrowser(service)
  old.cookies.set('broadside_owner', before)
  assert.equal((await old.get('/account/sessions')).location, '/sign-in')
})
