import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { csrfTokenOf } from '../../../src/accounts/sign-in/tokens.ts'
import { type OwnerBrowser, openOwnerBrowser } from '../../../tooling/clients/owner.ts'
import { newcomer, newSecretsKey, type Service, startService } from '../../../tooling/environment/service.ts'
import { atOnce, countRows, type Flow, startFlow } from '../../support/oauth/attack.ts'
import { readNewestCode } from '../../support/oauth/sign-in.ts'

const secretsKeys = newSecretsKey('test')
let service: Service
before(async () => {
  service = await startService({ settings: { SECRETS_KEYS: secretsKeys } })
})
after(() => service?.[Symbol.asyncDispose]())

/** A browser that asked for a code. */
async function asking(email: string): Promise<Flow & { browser: OwnerBrowser; code: string }> {
  const browser = openOwnerBrowser(service)
  const flow = await startFlow(service, browser)
  const { status } = await browser.submit('/connect/email', { request: flow.request, email })
  assert.equal(status, 303)
  await browser.get(flow.path)
  return { ...flow, browser, code: await readNewestCode(service, secretsKeys) }
}

const otherThan = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')
const mailboxCookie = ({ cookies }: OwnerBrowser) => String(cookies.get('broadside_mailbox'))

const enter = (browser: OwnerBrowser, { request }: Flow, code: string) =>
  browser.send('/connect/code', {
    method: 'POST',
    headers: { origin: service.accountPageUrl, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ request, code, csrf: csrfTokenOf(mailboxCookie(browser)) }),
  })

suite('guessing a mailed code', () => {
  test('after five wrong codes the right one is worth nothing', async () => {
    const { browser, code, ...flow } = await asking('five@example.com')
    for (let guess = 1; guess <= 5; guess += 1)
      assert.equal((await enter(browser, flow, otherThan(code, guess))).status, 422)
    const { status } = await enter(browser, flow, code)
    assert.notEqual(status, 303)
    assert.match((await browser.get(flow.path)).page, /Enter your email address/)
  })

  test('of 30 guesses at once five count, and the right one among the later ones does not', async () => {
    const { browser, code, ...flow } = await asking('thirty@example.com')
    const answers = await atOnce(30, (index) => enter(browser, flow, otherThan(code, index + 1)))
    assert.ok(answers.every(({ status }) => status !== 303))
    const [row] = await service.asOwner<{ tries: number }>(
      "select tries from mailbox_codes where email = 'thirty@example.com'",
    )
    assert.equal(row?.tries, 5)
    assert.notEqual((await enter(browser, flow, code)).status, 303)
  })

  test('a mailbox gets five codes an hour, so that there are 25 guesses of a million', async () => {
    for (const index of [1, 2, 3, 4, 5]) await asking(`many${index % 2 ? '' : '+tag'}@example.com`)
    const browser = openOwnerBrowser(service)
    const { request } = await startFlow(service, browser)
    const { status } = await browser.submit('/connect/email', { request, email: 'Many@example.com' })
    assert.equal(status, 429)
  })

  test('a code works only in the browser that asked for it, for its time, and once', async () => {
    const first = await asking('mine@example.com')
    const other = await asking('other@example.com')
    assert.equal(
      (await enter(other.browser, other, first.code === other.code ? otherThan(first.code) : first.code)).status,
      422,
    )
    service.clock.setOffset(3_600_000)
    assert.notEqual((await enter(first.browser, first, first.code)).status, 303)
    service.clock.setOffset(0)
    assert.equal((await enter(first.browser, first, first.code)).status, 303)
    assert.notEqual((await enter(first.browser, first, first.code)).status, 303)
  })
})

suite('enumeration of mailboxes', () => {
  test('the response is the same with and without accounts, before the code is entered', async () => {
    await service.client().createAccount({ ...newcomer, email: 'known@example.com' })
    const answers: string[] = []
    for (const email of ['known@example.com', 'nobody@example.com']) {
      const browser = openOwnerBrowser(service)
      const { path, request } = await startFlow(service, browser)
      const rows = async () => [
        await countRows(service, 'mailbox_codes'),
        await countRows(service, 'pgboss.job_common'),
      ]
      const before = await rows()
      const sent = await browser.submit('/connect/email', { request, email })
      const added = (await rows()).map((count, index) => count - Number(before[index]))
      const shown = await browser.get(path)
      const early = await browser.submit('/connect/account', { request, account: 'acct_01jcmzq8e5f7r9t2v4x6y8z0ab' })
      const csrf = new RegExp(`${csrfTokenOf(mailboxCookie(browser))}|${request}`, 'g')
      const text = [sent.status, sent.location, sent.page, shown.status, shown.page, early.status, early.page, added]
      answers.push(JSON.stringify(text).replaceAll(csrf, '').replaceAll(email, ''))
    }
    assert.equal(answers[0], answers[1])
  })
})

suite('session fixation', () => {
  test('an attacker who planted the mailbox cookie does not hold the proof after the victim entered the code', async () => {
    const { id } = await service.createAccount()
    await service.asOwner("update accounts set email = 'fixed@example.com' where id = $1", [id])
    const attacker = await asking('fixed@example.com')
    const planted = mailboxCookie(attacker.browser)
    const victim = openOwnerBrowser(service)
    victim.cookies.set('broadside_mailbox', planted)
    await victim.get(attacker.path)
    assert.equal((await enter(victim, attacker, attacker.code)).status, 303)
    assert.notEqual(mailboxCookie(victim), planted, 'the proof has a new cookie')
    assert.match((await victim.get(attacker.path)).page, /Choose an account/)
    assert.doesNotMatch((await attacker.browser.get(attacker.path)).page, /Choose an account/)
    const { status } = await attacker.browser.send('/connect/account', {
      method: 'POST',
      body: new URLSearchParams({ request: attacker.request, account: id, csrf: csrfTokenOf(planted) }),
    })
    assert.ok([401, 403, 422].includes(status))
    assert.equal(attacker.browser.cookies.get('broadside_owner'), undefined)
  })

  test('an invented cookie is never adopted', async () => {
    const browser = openOwnerBrowser(service)
    const invented = 'A'.repeat(43)
    for (const name of ['broadside_mailbox', 'broadside_connect', 'broadside_owner'])
      browser.cookies.set(name, invented)
    const { request } = await startFlow(service, browser)
    assert.notEqual(browser.cookies.get('broadside_connect'), invented)
    await browser.submit('/connect/email', { request, email: 'invented@example.com' })
    assert.notEqual(mailboxCookie(browser), invented)
    assert.equal(await countRows(service, 'mailbox_codes where asked_by = sha256($1)', [invented]), 0)
  })

  test('signing in starts a session with a new cookie and ends the one before', async () => {
    const { browser, code, ...flow } = await asking('fresh@example.com')
    const { id } = await service.createAccount()
    await service.asOwner("update accounts set email = 'fresh@example.com' where id = $1", [id])
    await enter(browser, flow, code)
    const choose = async () => {
      await browser.get(`${flow.path}?account=another`)
      assert.equal((await browser.submit('/connect/account', { request: flow.request, account: id })).status, 303)
      return String(browser.cookies.get('broadside_owner'))
    }
    const [first, second] = [await choose(), await choose()]
    assert.notEqual(first, second)
    const old = await fetch(`${service.accountPageUrl}/account`, {
      headers: { cookie: `broadside_owner=${first}` },
      redirect: 'manual',
    })
    assert.equal(old.status, 303)
  })

  test('a planted connect cookie leads only to a page that asks', async () => {
    const victim = await asking('planted@example.com')
    const evil = await startFlow(service, openOwnerBrowser(service), { metadata: { client_name: 'Evil' } })
    victim.browser.cookies.set('broadside_connect', evil.request)
    await enter(victim.browser, victim, victim.code)
    await victim.browser.get(victim.path)
    const form = { request: victim.request, name: 'Planted Author', terms: 'on' }
    const { location } = await victim.browser.submit('/connect/sign-up', form)
    assert.equal(location, victim.path, 'the request of the form counts, and not that of the cookie')
    assert.equal(await countRows(service, 'oauth_requests where id = $1 and decided_at is null', [evil.request]), 1)
  })

  test('after signing out, the next person at this browser cannot choose an account', async () => {
    const { browser, code, ...flow } = await asking('shared@example.com')
    await enter(browser, flow, code)
    await browser.get(flow.path)
    await browser.submit('/connect/sign-up', { request: flow.request, name: 'Shared Computer', terms: 'on' })
    await browser.get('/account')
    assert.equal((await browser.submit('/sign-out')).location, '/')
    assert.deepEqual(
      [...browser.cookies.keys()].filter((name) => name !== 'broadside_connect'),
      [],
    )
    assert.match((await browser.get(flow.path)).page, /Enter your email address/)
  })

  test('signing out everywhere ends what other browsers have proven', async () => {
    const stolen = await asking('everywhere@example.com')
    await enter(stolen.browser, stolen, stolen.code)
    const owner = await asking('everywhere@example.com')
    await enter(owner.browser, owner, owner.code)
    await owner.browser.get(owner.path)
    await owner.browser.submit('/connect/sign-up', { request: owner.request, name: 'Everywhere', terms: 'on' })
    assert.match((await stolen.browser.get(stolen.path)).page, /Choose an account/)
    await owner.browser.get('/account/sessions')
    assert.equal((await owner.browser.submit('/account/sessions/end-all')).status, 303)
    assert.match((await stolen.browser.get(stolen.path)).page, /Enter your email address/)
  })

  test('an account of another mailbox cannot be chosen', async () => {
    const { id } = await service.createAccount()
    const { browser, code, ...flow } = await asking('thief@example.com')
    await enter(browser, flow, code)
    await browser.get(flow.path)
    const { status } = await browser.submit('/connect/account', { request: flow.request, account: id })
    assert.equal(status, 422)
    assert.equal(browser.cookies.get('broadside_owner'), undefined)
  })

  test('the proof of a mailbox lasts 30 minutes', async () => {
    const { browser, code, ...flow } = await asking('half-hour@example.com')
    await enter(browser, flow, code)
    service.clock.setOffset(1_801_000)
    assert.match((await browser.get(flow.path)).page, /Enter your email address/)
    service.clock.setOffset(0)
  })
})
