import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import { removePost } from '../../../src/moderation/decisions/decide-by-person.ts'
import { type Mailbox, openMailbox } from '../../../tooling/clients/owner.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { openSignInFixture, type SignInFixture } from '../../support/owner-page/sign-in.ts'

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

type Account = { id: string; api_key: string }

let texts = 0
/** Posts, and returns the status that this leads to, or the problem's code. */
async function postAs({ api_key }: Account, words = ''): Promise<string> {
  texts += 1
  const text = `${words} ${Array.from({ length: 12 }, (_, word) => `w${(texts * 100 + word).toString(36)}`).join(' ')}.`
  const client = service.client(api_key)
  try {
    const { body } = await client.submitPost({ text })
    await service.settle()
    const { body: post } = await client.getPost('id' in body ? body.id : '')
    return 'status' in post ? String(post.status) : ''
  } catch (error) {
    assert.ok(isProblem(error), String(error))
    return `${error.code}: ${error.message}`
  }
}

const accountOf = async ({ api_key }: Account) => (await service.client(api_key).getAccount()).body
const spelled = (email: string, tag: string) => email.replace('@', `+${tag}@`)

test('who was banned does not come back with the same mailbox, and a lifted ban is lifted for both', async () => {
  const first = await fixture.createOwned()
  await service.credit(first.id, 600_000)
  await fixture.signIn(first)
  const earlier = await fixture.createOwned({ email: spelled(first.email, 'earlier') })
  await fixture.signIn(earlier)
  for (let strike = 0; strike < 3; strike += 1) assert.equal(await postAs(first, 'verdict-reject-spam'), 'rejected')
  assert.equal((await accountOf(first)).standing, 'banned')

  const second = await fixture.createOwned({ email: spelled(first.email, 'again') })
  await service.credit(second.id, 1_000_000)
  assert.equal((await accountOf(second)).standing, 'good', 'anyone can write any address; nobody has verified it yet')
  const owner = await fixture.signIn(second)
  assert.equal((await accountOf(second)).standing, 'banned')
  assert.match(await postAs(second), /^account_banned/)
  assert.match((await owner.get('/account')).page, new RegExp(`another account of yours.*${first.id}`, 's'))
  assert.equal(
    (await accountOf(earlier)).standing,
    'good',
    'three strikes ban an account, not those that exist already',
  )

  const stranger = await fixture.createOwned()
  await fixture.signIn(stranger)
  assert.equal((await accountOf(stranger)).standing, 'good')

  await service.asOperator((tx) =>
    tx.updateTable('accounts').set({ standing: 'good' }).where('id', '=', first.id).execute(),
  )
  assert.equal((await accountOf(second)).standing, 'good')
})

test('an account with a third strike stays banned when the ban of its mailbox ends', async () => {
  const first = await fixture.createOwned()
  await fixture.signIn(first)
  await service.asOperator((tx) =>
    tx.updateTable('accounts').set({ standing: 'banned' }).where('id', '=', first.id).execute(),
  )
  const second = await fixture.createOwned({ email: spelled(first.email, 'again') })
  await service.credit(second.id, 2_000_000)
  assert.equal(await postAs(second, 'verdict-reject-spam'), 'rejected')
  assert.equal(await postAs(second, 'verdict-reject-spam'), 'rejected')
  const { body } = await service
    .client(second.api_key)
    .submitPost({ text: 'The ferry leaves from the other pier today.' })
  await service.settle()
  await fixture.signIn(second)
  assert.equal((await accountOf(second)).standing, 'banned')
  const postId = 'id' in body ? body.id : ''
  const removal = { postId, actor: 'operator:test', at: service.clock.now(), category: 'scam_fraud' } as const
  await service.asOperator((tx, sites) => removePost(tx, sites, removal))
  await service.asOperator((tx) =>
    tx.updateTable('accounts').set({ standing: 'good' }).where('id', '=', first.id).execute(),
  )
  const { standing, strikes } = await accountOf(second)
  assert.deepEqual({ standing, strikes }, { standing: 'banned', strikes: 3 })
})

test('an account that takes over a banned mailbox by a change of address is banned too', async () => {
  const [banned, mover] = [await fixture.createOwned(), await fixture.createOwned()]
  await fixture.signIn(banned)
  await service.asOperator((tx) =>
    tx.updateTable('accounts').set({ standing: 'banned' }).where('id', '=', banned.id).execute(),
  )
  const owner = await fixture.signIn(mover)
  const email = spelled(banned.email, 'moved')
  await owner.get('/account/email')
  await owner.submit('/account/email', { email })
  await service.settle()
  await owner.get('/account/email')
  await owner.submit('/account/email/code', { code: await mailbox.codeFor(email) })
  assert.equal((await accountOf(mover)).standing, 'banned')
})

test('a debt is paid first, whichever account of the mailbox made it', async () => {
  const debtor = await fixture.createOwned()
  await service.credit(debtor.id, 20_000)
  await fixture.signIn(debtor)
  assert.equal(await postAs(debtor, 'verdict-reject-spam'), 'rejected')
  const { owed_micros } = await accountOf(debtor)
  assert.equal(owed_micros, 180_000)

  const other = await fixture.createOwned({ email: spelled(debtor.email, 'other') })
  await service.credit(other.id, 1_000_000)
  const owner = await fixture.signIn(other)
  const refused = await postAs(other)
  assert.match(refused, new RegExp(`^insufficient_balance: .*180000 micro-dollars.*${debtor.id}`))
  assert.equal((await accountOf(other)).balance_micros, 1_000_000)
  assert.match(
    (await owner.get('/account')).page,
    new RegExp(`\\$0\\.18 is owed on another account.*${debtor.id}`, 's'),
  )

  await service.credit(debtor.id, 180_000)
  assert.equal(await postAs(other), 'published')
})
