import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { isProblem } from '../../clients/typescript/src/index.ts'
import { penalty } from '../../src/ledger/split-transfers.ts'
import { ownerRoutes } from '../../src/owner-page/routes.ts'
import { type Mailbox, type Owner, openMailbox, openOwner, openOwnerBrowser } from '../../tooling/clients/owner.ts'
import { newcomer, type Service, startService } from '../../tooling/environment/service.ts'
import { startProvider } from '../../tooling/services/payment-provider/start-for-tests.ts'
import { seedDomain } from '../support/accounts/seed-domain.ts'

const stack = new AsyncDisposableStack()
let mailbox: Mailbox
let provider: Awaited<ReturnType<typeof startProvider>>
let service: Service
before(async () => {
  mailbox = stack.use(await openMailbox())
  provider = await startProvider(stack)
  service = stack.use(
    await startService({ judges: true, settings: { SMTP_URL: mailbox.smtpUrl, ...provider.settings } }),
  )
  provider.double.webhooks.sendTo(`${service.accountPageUrl}/payments/events`)
})
after(() => stack.disposeAsync())

let people = 0
/** An agent with its account, and the signed-in owner. */
async function seed({ balanceMicros = 1_000_000 } = {}) {
  people += 1
  const email = `owner${people}@example.com`
  const { body } = await service.client().createAccount({ ...newcomer, email })
  if (balanceMicros > 0) await service.credit(body.id, balanceMicros)
  const agent = service.client(body.api_key)
  const account = async () => (await agent.getAccount()).body
  return { ...body, email, agent, account, owner: await openOwner(service, body.id) }
}

const acted = new Set<string>()
/** Submits a form that redirects, and returns the target. */
async function act(owner: Owner, path: string, fields: Record<string, string> = {}): Promise<string> {
  acted.add(path.replace(/[a-z]+_[0-9a-z]{26}/, ':id'))
  const answer = await owner.post(path, fields)
  assert.equal(answer.status, 303, await answer.text())
  return String(answer.headers.get('location'))
}

/** Waits until the provider has reported and we have fetched its state. */
async function heard() {
  await provider.double.webhooks.settled()
  await service.settle()
}
const sessionOf = (url: string) => String(url.split('/').at(-1))

async function topUp(owner: Owner, micros: number) {
  provider.double.pay(sessionOf(await act(owner, '/account/top-up', { amount: String(micros) })))
  await heard()
}
async function addCard(owner: Owner) {
  provider.double.leaveCard(sessionOf(await act(owner, '/account/card')))
  await heard()
}

let notes = 0
const newNote = () => ({ text: `The tide table of pier ${++notes} is on the board.` })
const refusedWith = (code: Parameters<typeof isProblem>[1]) => (error: unknown) => isProblem(error, code)

suite('the agent’s next call sees that its owner', () => {
  test('signed in, and so verified the email', async () => {
    const { account, account_url, email } = await seed()
    assert.equal((await account()).email_verified, false)
    const browser = openOwnerBrowser(service)
    await browser.get(account_url)
    await browser.get('/sign-in')
    await browser.submit('/sign-in/code')
    await service.settle()
    assert.equal((await browser.submit('/sign-in', { code: await mailbox.codeFor(email) })).location, '/account')
    assert.equal((await account()).email_verified, true)
  })

  test('changed the email', async () => {
    const { id, account, owner } = await seed()
    const email = `moved${people}@example.com`
    await act(owner, '/account/top-up', { amount: '5000000' })
    await act(owner, '/account/email', { email })
    await service.settle()
    assert.notEqual((await account()).email, email)
    await act(owner, '/account/email/code', { code: await mailbox.codeFor(email) })
    const { email: shown, email_verified } = await account()
    assert.deepEqual([shown, email_verified], [email, true])
    await service.settle()
    const customer = provider.double.list('customer').find(({ metadata }) => metadata['account_id'] === id)
    assert.equal(customer?.email, email, 'and so does the payment provider')
  })

  test('topped up: a call refused with 402 succeeds with the same Idempotency-Key', async () => {
    const { agent, account, owner } = await seed({ balanceMicros: 0 })
    const [note, once] = [newNote(), { idempotencyKey: 'after-the-top-up' }]
    await assert.rejects(agent.submitPost(note, {}, once), refusedWith('insufficient_balance'))
    await topUp(owner, 5_000_000)
    assert.equal((await account()).balance_micros, 5_000_000)
    assert.equal((await agent.submitPost(note, {}, once)).status, 202)
  })

  test('added a card, turned auto-recharge on and off, and removed the card', async () => {
    const { account, owner } = await seed({ balanceMicros: 3_000_000 })
    const recharge = (enabled: string) =>
      act(owner, '/account/auto-recharge', { enabled, threshold: '2000000', amount: '10000000', cap: '25000000' })
    const shown = async () => {
      const { card_on_file, auto_recharge } = await account()
      return [card_on_file, auto_recharge.enabled]
    }
    assert.deepEqual(await shown(), [false, false])
    await addCard(owner)
    assert.deepEqual(await shown(), [true, false])
    await recharge('on')
    const { auto_recharge } = await account()
    assert.deepEqual(auto_recharge, { enabled: true, threshold_micros: 2_000_000, amount_micros: 10_000_000 })
    await recharge('off')
    assert.deepEqual(await shown(), [true, false])
    await recharge('on')
    assert.match(await (await owner.get('/account/card/remove')).text(), /Visa ending in 4242/)
    await act(owner, '/account/card/remove')
    assert.deepEqual(await shown(), [false, false])
    const again = await owner.post('/account/auto-recharge', {
      enabled: 'on',
      threshold: '1000000',
      amount: '5000000',
      cap: '25000000',
    })
    assert.match(await again.text(), /needs a card on file/)
  })

  test('created a key, made it read-only, set a cap, and revoked it', async () => {
    const { account, owner } = await seed()
    const form = await (await owner.get('/account/keys')).text()
    const id = String(/name="id" value="(key_\w+)"/.exec(form)?.[1])
    const made = await (await owner.post('/account/keys', { id, name: 'second', scope: 'full', cap: '' })).text()
    const agent = service.client(/value="(bsk_\w+)"/.exec(made)?.[1])
    assert.equal((await account()).keys, 2)
    assert.equal((await agent.submitPost(newNote())).status, 202)
    await act(owner, `/account/keys/${id}`, { name: 'second', scope: 'read', cap: '' })
    await assert.rejects(agent.submitPost(newNote()), refusedWith('key_read_only'))
    assert.equal((await agent.getAccount()).status, 200)
    await act(owner, `/account/keys/${id}`, { name: 'second', scope: 'full', cap: '0.03' })
    await assert.rejects(agent.submitPost(newNote()), refusedWith('key_cap_reached'))
    await act(owner, `/account/keys/${id}/revoke`)
    await assert.rejects(agent.getAccount(), refusedWith('invalid_api_key'))
    assert.equal((await account()).keys, 1)
  })

  test('removed the domain', async () => {
    const { id: accountId, account, owner } = await seed()
    await seedDomain(service, accountId, 'example.com')
    assert.equal((await account()).domain?.domain, 'example.com')
    await act(owner, '/account/settings/domain/remove')
    assert.equal((await account()).domain, null)
  })

  test('deleted a webhook', async () => {
    const { agent, owner } = await seed()
    const { body } = await agent.createWebhook({ url: 'https://agent.example/events' })
    const path = `/account/webhooks/${body.id}`
    assert.match(await (await owner.get(`${path}/delete`)).text(), /cannot be undone/)
    await act(owner, `${path}/delete`)
    assert.deepEqual((await agent.listWebhooks()).body.data, [])
    assert.equal((await owner.get(path)).status, 404)
  })

  test('refused to delete the account, and then deleted it', async () => {
    const { agent, account, owner } = await seed()
    await agent.requestAccountDeletion()
    assert.ok((await account()).deletion)
    await act(owner, '/account/deletion/cancel')
    assert.equal((await account()).deletion, null)
    await act(owner, '/account/deletion', { word: 'DELETE' })
    await assert.rejects(agent.getAccount(), refusedWith('invalid_api_key'))
  })

  test('signed out everywhere: a session used as a bearer token is refused, and the key still works', async () => {
    const { agent, owner, id } = await seed()
    const elsewhere = await openOwner(service, id)
    const asBearer = async () => {
      const headers = { authorization: `Bearer ${elsewhere.token}` }
      return (await fetch(`${service.baseUrl}/v1/manage/keys`, { headers })).status
    }
    assert.equal(await asBearer(), 200)
    await act(owner, '/account/sessions/end-all')
    assert.equal(await asBearer(), 401)
    assert.equal((await agent.getAccount()).status, 200)
  })
})

test('after a payment, the page says that the agent can continue only if nothing but money blocked it', async () => {
  const { id, account, owner } = await seed({ balanceMicros: 0 })
  const read = async (path: string) => (await owner.get(path)).text()
  const payment = async () => {
    await topUp(owner, 5_000_000)
    return read(`/account/payments/${/receipts\/(pay_\w+)/.exec(await read('/account/money'))?.[1]}`)
  }
  await service.asWorker((tx) =>
    penalty(tx, { accountId: id, amountMicros: 9_000_000, subject: `test:${id}`, at: service.clock.now() }),
  )
  assert.match(await read('/account'), /can continue once the debt of \$9\.00 is paid/)
  const first = await payment()
  assert.match(first, /\$5\.00 has arrived.*\$4\.00 is still owed/s)
  assert.doesNotMatch(first, /try again now/)
  assert.match(await payment(), /try again now.*The balance is \$1\.00/s)
  assert.equal((await account()).balance_micros, 1_000_000)
  assert.match(await read('/account'), /can continue as soon as the money arrives/)
  await service.asOwner("update accounts set standing = 'banned' where id = $1", [id])
  assert.match(await payment(), /This account is banned.*The balance is \$6\.00/s)
  assert.match(await read('/account'), /A top-up does not end the ban/)
})

/** Actions without an effect for agents, or covered by a browser test above. */
const others: Record<string, string> = {
  '/find-account': 'mails links to who asks',
  '/sign-in/code': 'mails a code',
  '/sign-in': 'is done in a browser above',
  '/sign-out': 'ends the session of this browser',
  '/account/sessions/:id/end': 'ends one session, as end-all ends all',
  '/account/settings/review-mails': 'decides what the owner is mailed; test/journeys/moderation/post-in-review.test.ts',
  '/account/refund': 'is tested with its pages in pages.test.ts',
  '/account/posts/:id/appeal': 'is tested with its pages in pages.test.ts',
  '/account/keys': 'is sent by itself above: it shows the key in place of leading on',
  '/device': 'finds the request of a device; test/oauth/clients/libraries.test.ts',
  '/connect/:request': 'connects an app; test/oauth/',
  '/connect/email': 'mails a code; test/oauth/sign-in.test.ts',
  '/connect/code': 'proves a mailbox; test/oauth/sign-in.test.ts',
  '/connect/account': 'signs in; test/oauth/sign-in.test.ts',
  '/connect/sign-up': 'opens an account; test/oauth/sign-in.test.ts',
  '/account/drafts': 'is tested with its effect on posts and money in test/drafts/owner-page.test.ts',
  '/drafts': 'is the same with an emailed link',
  '/account/confirm-keys': 'is tested with its effect on every payment in confirm-keys.test.ts',
}

test('these are all actions of the owner page, and each is logged with only identifiers and amounts', async () => {
  const all = ownerRoutes.filter(({ method }) => method === 'POST').map(({ path }) => path)
  assert.deepEqual(all.sort(), [...acted, ...Object.keys(others)].sort())
  const rows = await service.asOwner<{ action: string; details: object }>(
    "select action, details from audit_log where actor like 'owner:%'",
  )
  const logged = new Set(rows.map(({ action }) => action))
  for (const act of ['start_top_up', 'change_auto_recharge', 'start_card', 'remove_card', 'delete_webhook'])
    assert.ok(logged.has(`owner.${act}`), act)
  assert.doesNotMatch(JSON.stringify(rows), /@example|The tide table/)
})
