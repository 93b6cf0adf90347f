import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { csrfTokenOf } from '../../src/accounts/sign-in/tokens.ts'
import { allowances, providerAccounts } from '../../src/contract/limits.ts'
import { type Mailbox, type OwnerBrowser, openMailbox, openOwner } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { openSignInFixture, otherThan, type SignInFixture } from '../support/owner-page/sign-in.ts'

let mailbox: Mailbox
let service: Service
let fixture: SignInFixture
before(async () => {
  mailbox = await openMailbox()
  service = await startService({ judges: true, settings: { SMTP_URL: mailbox.smtpUrl }, accountsPerAddress: 1_000 })
  fixture = openSignInFixture({ service, mailbox })
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  await mailbox?.[Symbol.asyncDispose]()
})

const dayMs = 86_400_000
const midnight = Date.now() - (Date.now() % dayMs) + dayMs
/** This long after midnight UTC, when daily counts reset. */
const minutes = (count: number) => service.clock.setOffset(midnight + count * 60_000 - Date.now())

/** The form data for a page without a form. */
const csrfOf = ({ cookies }: OwnerBrowser) => csrfTokenOf(cookies.get('broadside_visit') ?? '')

/** Requests codes until no more are sent, and guesses each until it is invalid. Right once in 200,000 runs. */
async function burn(agent: OwnerBrowser): Promise<number> {
  const csrf = csrfOf(agent)
  for (let codes = 0; ; codes += 1) {
    const { status } = await agent.submit('/sign-in/code', { csrf })
    if (status === 429) return codes
    assert.equal(status, 303)
    for (let guess = 0; guess < 6; guess += 1)
      assert.equal((await agent.submit('/sign-in', { csrf, code: '000000' })).status, 422)
  }
}

test('whatever an agent uses up, three hours in a row, the owner can sign in with a mailed link each time', async () => {
  const { api_key, id, email } = await fixture.createOwned()
  const newLink = async () => (await service.client(api_key).getAccount()).body.account_url
  const codes: number[] = []
  for (let hour = 0; hour < 3; hour += 1) {
    minutes(hour * 61)
    codes.push(await burn(await fixture.visit(await newLink())))
    const other = await fixture.visit(await newLink())
    const refused = await other.submit('/sign-in/code', { csrf: csrfOf(other) })
    assert.equal(refused.status, 429)
    assert.match(refused.page, /Email me a sign-in link/)
    await fixture.askForLinks(email, { times: 4 })
    const links = await fixture.linksFor(email)
    assert.equal(links.length, (hour + 1) * 2)
    const owner = await fixture.visit(String(links.at(-1)?.[0]))
    const wrong = otherThan(await fixture.askForCode(owner, email))
    for (let guess = 0; guess < 5; guess += 1)
      assert.equal((await owner.submit('/sign-in', { code: wrong })).status, 422)
    const code = await fixture.askForCode(owner, email)
    assert.equal((await owner.submit('/sign-in', { code })).location, '/account')
  }
  assert.deepEqual(codes, [3, 1, 0], 'twenty wrong codes are taken in a day')
  const [tried] = await service.asOwner(
    'select sum(tries)::int as wrong from owner_codes where account_id = $1 and not by_mailed_link',
    [id],
  )
  assert.deepEqual(tried, { wrong: 20 })
})

test('after twenty wrong codes, even concurrent ones, the agent’s links are blocked until midnight UTC', async () => {
  const { api_key, id, email } = await fixture.createOwned()
  minutes(120)
  const link = (await service.client(api_key).getAccount()).body.account_url
  await service.asOwner(
    `insert into owner_codes (account_id, purpose, asked_by, email, key_id, tries, created_at, expires_at)
     select $1, 'sign_in', sha256('x'), $2, 'k', 5, $3, $3 from generate_series(1, 3)`,
    [id, email, new Date(service.clock.now().getTime() - 3_700_000)],
  )
  const [first, second, third] = [await fixture.visit(link), await fixture.visit(link), await fixture.visit(link)]
  const browsers = [first, second, third]
  const codes: string[] = []
  for (const browser of browsers) codes.push(await fixture.askForCode(browser, email))
  const wrong = ['000000', '000001', '000002', '000003'].find((code) => !codes.includes(code)) ?? ''
  const guesses = browsers.flatMap((browser) =>
    Array.from({ length: 4 }, () => browser.submit('/sign-in', { code: wrong })),
  )
  for (const { status } of await Promise.all(guesses)) assert.equal(status, 422)
  const wrongOnes = () =>
    service.asOwner<{ wrong: number }>(
      'select sum(tries)::int as wrong from owner_codes where account_id = $1 and expires_at > $2',
      [id, new Date(service.clock.now().getTime() - (service.clock.now().getTime() % dayMs))],
    )
  assert.deepEqual(await wrongOnes(), [{ wrong: 20 }])
  const right = await first.submit('/sign-in', { csrf: csrfOf(first), code: codes[0] ?? '' })
  assert.equal(right.status, 422)
  for (const page of [right.page, (await second.get('/sign-in')).page])
    assert.match(String(page), /until 00:00 UTC.*A link that we email you still works/s)
  minutes(24 * 60 + 1)
  const tomorrow = (await service.client(api_key).getAccount()).body.account_url
  await fixture.signIn({ account_url: tomorrow, email })
  assert.deepEqual(await wrongOnes(), [{ wrong: 0 }], 'a right code is not counted')
})

test('an account gets at most three codes an hour through agent links, five in total, and the page says when to retry', async () => {
  minutes(0)
  const { account_url, api_key, email } = await fixture.createOwned()
  const browser = await fixture.visit(account_url)
  for (let sent = 0; sent < 3; sent += 1) {
    minutes(sent)
    assert.equal((await browser.submit('/sign-in/code')).status, 303)
  }
  const refused = await browser.submit('/sign-in/code')
  assert.equal(refused.status, 429)
  assert.match(refused.page, /Try again in 58 minutes.*still works.*sign in now/s)
  assert.match((await browser.get('/sign-in')).page, /up to 3 codes per hour this way/)
  await fixture.askForLinks(email)
  const owner = await fixture.visit(String((await fixture.linksFor(email))[0]))
  for (const status of [303, 303, 429]) {
    await owner.get('/sign-in')
    const asked = await owner.submit('/sign-in/code')
    assert.equal(asked.status, status)
    assert.doesNotMatch(asked.page, /Email me a sign-in link/)
  }
  minutes(30)
  const renewed = await fixture.visit((await service.client(api_key).getAccount()).body.account_url)
  minutes(59.9)
  const none = await renewed.submit('/sign-in/code')
  assert.equal(none.status, 429)
  assert.doesNotMatch(
    none.page,
    /still works|sign in now/,
    'it has asked for none, and a mailed link brings none either',
  )
  await renewed.get('/sign-in')
  minutes(60.1)
  const racing = await Promise.all(Array.from({ length: 20 }, () => renewed.submit('/sign-in/code')))
  assert.equal(racing.filter(({ status }) => status === 303).length, 1, 'of the three, one is an hour old')
})

test('a link is mailed only to owners of accounts under that address, twice an hour', async () => {
  minutes(0)
  const [one, other] = [await fixture.createOwned(), await fixture.createOwned()]
  await fixture.askForLinks(` ${one.email.toUpperCase()} `, { times: 3 })
  const links = await fixture.linksFor(one.email)
  assert.equal(links.length, 2)
  assert.deepEqual(await mailbox.read(other.email), [])
  const browser = await fixture.visit(String(links[0]))
  assert.match((await browser.get('/sign-in')).page, new RegExp(one.id))
  for (const status of [303, 303, 303, 429]) {
    await browser.get('/sign-in')
    assert.equal((await browser.submit('/sign-in/code')).status, status)
  }
  const left = await service.asOwner(
    'select mailed_at is not null as mailed from owner_link_mails where lower(email) = $1',
    [one.email],
  )
  assert.deepEqual(left, [{ mailed: true }, { mailed: true }], 'of what was not mailed nothing is kept')
})

test('opening accounts under another person’s address sends few emails there, and does not lock that person out', async () => {
  minutes(0)
  const owned = await fixture.createOwned()
  const { email } = owned
  await fixture.signIn(owned)
  const statuses: number[] = []
  for (let account = 0; account < 12; account += 1) {
    minutes(1 + account / 100)
    const { account_url } = await fixture.createOwned({ email: email.replace('owner', 'OWNER') })
    const visit = await fixture.visit(account_url)
    statuses.push((await visit.submit('/sign-in/code')).status)
    if (account >= 3) continue
    const elsewhere = await openOwner(service, (await fixture.createOwned()).id)
    statuses.push((await elsewhere.post('/account/email', { email })).status)
  }
  assert.equal(statuses.filter((status) => status === 303).length, 4 + 2)
  assert.equal(statuses.filter((status) => status === 429).length, 8 + 1)
  await fixture.askForLinks(email, { times: 3 })
  const [links] = await fixture.linksFor(email)
  assert.equal(links?.length, 10)
  const owner = await fixture.visit(String(links[0]))
  assert.match((await owner.get('/sign-in')).page, new RegExp(owned.id), 'the account that its owner has signed in to')
  const code = await fixture.askForCode(owner, email)
  assert.equal((await owner.submit('/sign-in', { code })).location, '/account')
  const mails = [...(await mailbox.read(email)), ...(await mailbox.read(email.replace('owner', 'OWNER')))]
  assert.equal(mails.length, 5 + 2 + 2 + 1)
})

test('sub-addresses share one mailbox’s limits, and using them up does not lock out who has verified the mailbox', async () => {
  minutes(0)
  const owned = await fixture.createOwned()
  const { email } = owned
  await fixture.signIn(owned)
  const spellings = Array.from({ length: 12 }, (_, number) => email.replace('@', `+${number}@`))
  const statuses: number[] = []
  for (const spelling of spellings) {
    const visit = await fixture.visit((await fixture.createOwned({ email: spelling })).account_url)
    for (let time = 0; time < 3; time += 1) {
      statuses.push((await visit.submit('/sign-in/code')).status)
      await visit.get('/sign-in')
    }
    await fixture.askForLinks(spelling)
  }
  assert.equal(statuses.filter((status) => status === 303).length, 4, 'the owner has used one of five')
  await fixture.askForLinks(email)
  const [link] = await fixture.linksFor(email)
  const owner = await fixture.visit(String(link))
  const code = await fixture.askForCode(owner, email)
  assert.equal((await owner.submit('/sign-in', { code })).location, '/account')
  const mails = await Promise.all([email, ...spellings].map((spelling) => mailbox.read(spelling)))
  assert.equal(mails.flat().length, 5 + 2 + 1 + 1, 'codes, links to sub-addresses, and the owner’s link and code')
})

test('a day brings few emails to strangers at one domain; verified mailboxes and large providers have no such limit', async () => {
  minutes(0)
  const domain = 'small-company.example'
  const { max } = allowances['owner-mails-per-domain']
  const first = await fixture.createOwned({ email: `known@${domain}` })
  await fixture.signIn(first)
  await service.asOwner("update allowance_uses set used = $1 where allowance = 'owner-mails-per-domain'", [max - 1])
  const ask = async (email: string) => {
    const visit = await fixture.visit((await fixture.createOwned({ email })).account_url)
    return visit.submit('/sign-in/code')
  }
  assert.equal((await ask(`one@${domain}`)).status, 303)
  const refused = await ask(`two@${domain.toUpperCase()}`)
  assert.equal(refused.status, 429)
  assert.match(refused.page, /Try again in 24 hours/)
  await fixture.askForLinks(`two@${domain}`)
  assert.deepEqual(await mailbox.read(`two@${domain}`), [])
  assert.equal((await ask(`known+work@${domain}`)).status, 303, 'the mailbox is verified')
  assert.equal((await ask('one@other-company.example')).status, 303)
  await service.asOwner(
    `insert into accounts (id, name, email, email_verified_at, policy_version, created_at)
     select 'acct_' || lpad(number::text, 26, '0'), 'Reader', 'reader' || number || '@' || $1, $2, '1', $2
     from generate_series(2, $3::int) number`,
    [domain, service.clock.now(), providerAccounts],
  )
  assert.equal((await ask(`three@${domain}`)).status, 303, 'as many people as this make it a provider')
})
