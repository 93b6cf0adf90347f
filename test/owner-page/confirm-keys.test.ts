import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Mailbox, type OwnerBrowser, openMailbox } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { seedKey } from '../support/accounts/create-key.ts'
import { openSignInFixture, type SignInFixture } from '../support/owner-page/sign-in.ts'

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

const paying = [
  ['/account/top-up', { amount: '5000000' }],
  ['/account/card', {}],
  ['/account/auto-recharge', { enabled: 'on', threshold: '1000000', amount: '5000000', cap: '50000000' }],
] as const

/** Tries everything that would give the keys of the account money to spend. */
async function assertNothingIsPaid(owner: OwnerBrowser, accountId: string) {
  for (const path of ['/account', '/account/money']) {
    const { page } = await owner.get(path)
    assert.equal(page.includes('action="/account/confirm-keys"'), path === '/account')
    assert.equal(page.includes('could spend the money'), path === '/account', 'it says why')
    for (const [paidAt] of paying) assert.ok(!page.includes(`action="${paidAt}"`), `${path} offers ${paidAt}`)
  }
  for (const [path, form] of paying) {
    const { status, location } = await owner.submit(path, form)
    assert.deepEqual([status, location], [303, '/account/confirm-keys'], path)
  }
  assert.deepEqual(await service.asOwner('select from payments where account_id = $1', [accountId]), [])
}

const canTopUp = async (owner: OwnerBrowser) =>
  /^\/account\/payments\//.test(String((await owner.submit('/account/top-up', { amount: '5000000' })).location))

const statusOf = async (key: string) => {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`${service.baseUrls['message']}/v1/account`, { headers })).status
}

test('on first sign-in the owner keeps the one key with one click, and can pay only then; the key works meanwhile', async () => {
  const account = await fixture.createOwned()
  const owner = await fixture.signIn(account)
  await assertNothingIsPaid(owner, account.id)
  assert.equal(await statusOf(account.api_key), 200)
  const { page } = await owner.get('/account')
  assert.equal(page.match(/>Keep</g)?.length, 1)
  assert.ok(page.includes(`…${account.api_key.slice(-4)}`), 'the owner can compare it with the agent’s')
  const [, name = '', value = ''] = /<button[^>]* name="(key_\w+)" value="(keep)"/.exec(page) ?? []
  const kept = await owner.submit('/account/confirm-keys', { [name]: value })
  assert.deepEqual([kept.status, kept.location], [303, '/account'])
  assert.doesNotMatch((await owner.get('/account')).page, /confirm-keys/)
  assert.equal((await owner.get('/account/confirm-keys')).location, '/account')
  assert.ok(await canTopUp(owner))
  assert.equal(await statusOf(account.api_key), 200)
  const acts = await service.asOwner('select action, details from audit_log where account_id = $1 order by id', [
    account.id,
  ])
  assert.deepEqual(acts[1], { action: 'owner.confirm_key', details: { key_id: name } })
})

test('a key that the owner does not know is revoked in the same form', async () => {
  const account = await fixture.createOwned()
  const owner = await fixture.signIn(account)
  const [, name = ''] = /name="(key_\w+)" value="revoke"/.exec((await owner.get('/account')).page) ?? []
  assert.equal((await owner.submit('/account/confirm-keys', { [name]: 'revoke' })).location, '/account')
  assert.equal(await statusOf(account.api_key), 401)
  await owner.get('/account')
  assert.ok(await canTopUp(owner), 'no key is left that could spend it')
})

test('of several keys the owner must choose for each, and another account’s key is not touched', async () => {
  const account = await fixture.createOwned()
  const [second, foreign] = [await seedKey(service, { accountId: account.id, slot: 2 }), await fixture.createOwned()]
  const [{ id: first = '' } = {}] = await service.asOwner<{ id: string }>(
    'select id from api_keys where account_id = $1 and slot = 1',
    [account.id],
  )
  const [{ id: other = '' } = {}] = await service.asOwner<{ id: string }>(
    'select id from api_keys where account_id = $1',
    [foreign.id],
  )
  const owner = await fixture.signIn(account)
  const { page } = await owner.get('/account/confirm-keys')
  assert.doesNotMatch(page, / checked/, 'nothing is chosen for the owner')
  for (const form of [{}, { [first]: 'keep' }, { [first]: 'keep', [second.id]: 'maybe' }]) {
    const refused = await owner.submit('/account/confirm-keys', form)
    assert.equal(refused.status, 422)
    assert.match(refused.page, /Choose for each key/)
  }
  await assertNothingIsPaid(owner, account.id)
  const done = await owner.submit('/account/confirm-keys', {
    [first]: 'keep',
    [second.id]: 'revoke',
    [other]: 'revoke',
  })
  assert.equal(done.location, '/account')
  const keys = await service.asOwner(
    'select id, revoked_at is not null as revoked from api_keys where id = any($1) order by id',
    [[first, second.id, other]],
  )
  const revoked = [
    { id: first, revoked: false },
    { id: second.id, revoked: true },
    { id: other, revoked: false },
  ]
  assert.deepEqual(
    keys,
    revoked.toSorted((one, next) => (one.id < next.id ? -1 : 1)),
  )
})

test('a new address asks for the existing keys again, but not for keys that its owner creates afterwards', async () => {
  const account = await fixture.createOwned()
  const owner = await fixture.signIn(account)
  const keep = async () => {
    const [, name = ''] = /name="(key_\w+)" value="keep"/.exec((await owner.get('/account')).page) ?? []
    assert.equal((await owner.submit('/account/confirm-keys', { [name]: 'keep' })).location, '/account')
  }
  await keep()
  const email = `moved-${account.email}`
  await owner.get('/account/email')
  await owner.submit('/account/email', { email })
  await service.settle()
  await owner.get('/account/email')
  await owner.submit('/account/email/code', { code: await mailbox.codeFor(email) })
  await assertNothingIsPaid(owner, account.id)
  await keep()
  await seedKey(service, { accountId: account.id, slot: 2 })
  await owner.get('/account')
  assert.ok(await canTopUp(owner))
})
