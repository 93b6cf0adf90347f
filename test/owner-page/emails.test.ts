import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { notifyOwner } from '../../src/accounts/emails/notify-owner.ts'
import { mailCode } from '../../src/accounts/sign-in/code-email.ts'
import { mailOwnerLink } from '../../src/accounts/sign-in/owner-link-email.ts'
import { ownerSignInPurges } from '../../src/accounts/sign-in/sessions.ts'
import { ownerEmails as emails } from '../../src/handlers.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { MailError } from '../../src/platform/mail/mailer.ts'
import { openSealing } from '../../src/platform/sealing.ts'
import { settings } from '../../src/platform/settings/settings.ts'
import { openOwner, openOwnerBrowser } from '../../tooling/clients/owner.ts'
import { newcomer, newSecretsKey, type Service, startService } from '../../tooling/environment/service.ts'
import { type EmailFixture, openEmailFixture } from '../support/owner-page/emails.ts'
import { type PostSeed, seedPost } from '../support/posts/create-post.ts'

const secretsKeys = newSecretsKey('test')
const sealing = openSealing(settings.SECRETS_KEYS.parse(secretsKeys))
let service: Service
let fixture: EmailFixture
before(async () => {
  service = await startService({ settings: { SECRETS_KEYS: secretsKeys } })
  fixture = openEmailFixture(service)
})
after(() => service?.[Symbol.asyncDispose]())

test('the owner is notified of each event in text and markup, with its amount, at the right address', async () => {
  const { accountId, subjects } = await fixture.seedPayment()
  assert.deepEqual(Object.keys(subjects).sort(), Object.keys(emails).sort())
  for (const [about, [subject, says]] of Object.entries(subjects)) {
    const { sent, post } = fixture.openPost()
    await notifyOwner({ db: service.workerDb, post, emails, accountId, about, subject })
    const [mail] = sent
    assert.ok(mail && sent.length === 1, about)
    assert.equal(mail.to, about === 'email_change_asked' ? 'old@example.com' : 'owner@example.com')
    assert.match(mail.text, says)
    assert.match(mail.text, /“Harbour Notices”/)
    assert.doesNotMatch(mail.text + mail.html, /new@example\.com|undefined|null|NaN/)
    assert.match(mail.messageId, new RegExp(`^<${about}\\.[\\w-]+@localhost>$`))
    assert.ok(mail.html.includes(`${service.accountPageUrl}/account`))
    assert.doesNotMatch(mail.html, /<img|<script|<link|url\((?!data:font\/woff2;base64,)/)
  }
  const { sent, post } = fixture.openPost()
  const [subject] = subjects.key_created
  await service.asOwner("update api_keys set scope = 'read' where id = $1", [subject])
  await notifyOwner({ db: service.workerDb, post, emails, accountId, about: 'key_created', subject })
  assert.match(String(sent[0]?.text), /can read .* but not post/)
})

test('the email about an appeal states the decision and its consequences, and nothing of the appeal’s text', async () => {
  const { id: accountId } = await service.createAccount()
  const message = kinds[0] as Kind
  const at = service.clock.now()
  const mailed = async (status: PostSeed['status'], outcome: string | null, edit = 0) => {
    const id = await seedPost(service, message, { accountId, status })
    await service.asOwner(
      `insert into appeals (post_id, edit, account_id, message, submitted_at, outcome) values ($1, $2, $3, 'Avocet.', $4, $5)`,
      [id, edit, accountId, at, outcome],
    )
    const { sent, post } = fixture.openPost()
    const subject = `${id}/${edit}`
    await notifyOwner({ db: service.workerDb, post, emails, accountId, about: 'appeal_decided', subject })
    assert.doesNotMatch(JSON.stringify(sent), /Avocet/)
    return sent[0] ? `${sent[0].subject}: ${sent[0].text}` : null
  }
  const follows: [Parameters<typeof mailed>, RegExp][] = [
    [
      ['published', 'upheld'],
      /^Your appeal was upheld.*public again\. If it caused a penalty and a strike, we reversed both/s,
    ],
    [['rejected', 'upheld'], /refunded its fee.*not published\. Your agent can send it again/s],
    [['published', 'upheld', 1], /an edit of a post.*refunded its fee.*can send it again/s],
    [['removed', 'upheld'], /reversed it\. If it caused/],
    [
      ['removed', 'dismissed'],
      /^Your appeal was dismissed.*did not make the decision.*confirmed it.*You can appeal a post once, and each rejected edit once, so this decision is final/s,
    ],
  ]
  for (const [what, says] of follows) assert.match(String(await mailed(...what)), says)
  assert.equal(await mailed('rejected', null), null, 'nothing is decided yet')
})

test('the email about a rejection reversed without an appeal states its outcome', async () => {
  const { id: accountId } = await service.createAccount()
  const mailed = async (status: PostSeed['status'], edit = 0, unbanned = '') => {
    const id = await seedPost(service, kinds[0] as Kind, { accountId, status })
    const { sent, post } = fixture.openPost()
    const subject = `${id}/${edit}${unbanned}`
    const told = () =>
      notifyOwner({ db: service.workerDb, post, emails, accountId, about: 'refusal_taken_back', subject })
    await told()
    assert.equal(sent.length, 0, 'nothing was taken back yet')
    await fixture.restore(id, edit)
    await told()
    return sent.map(({ subject: title, text }) => `${title}: ${text}`).join()
  }
  const back = /If it caused a penalty and a strike, we reversed both/
  const follows: [Parameters<typeof mailed>, RegExp][] = [
    [['published'], /^A rejection was reversed: .*a post from account.*reversed it\. The post is public again\./s],
    [['rejected'], /refunded its fee.*not published\. Your agent can send it again/s],
    [['published', 1], /an edit of a post.*refunded its fee.*not applied\. Your agent can send it again/s],
    [['removed'], /reversed it\. If it caused/],
    [['published', 0, '/unbanned'], /The account is no longer banned\. Its agent can post again/],
  ]
  for (const [what, says] of follows) {
    const text = await mailed(...what)
    assert.match(text, says)
    assert.match(text, back)
    assert.equal(text.includes('banned'), what.includes('/unbanned'))
  }
  await service.asOwner("update accounts set standing = 'banned' where id = $1", [accountId])
  assert.doesNotMatch(await mailed('published', 0, '/unbanned'), /no longer banned/, 'it is banned again')
})

test('nobody is notified about another account, a missing object, or a closed account', async () => {
  const { accountId, subjects } = await fixture.seedPayment()
  const stranger = await service.createAccount()
  const { sent, post } = fixture.openPost()
  const told = (id: string, about: string, subject: string) =>
    notifyOwner({ db: service.workerDb, post, emails, accountId: id, about, subject })
  for (const [about, [subject]] of Object.entries(subjects))
    if (about !== 'recharge_off') await told(stranger.id, about, subject)
  await service.asOwner("update accounts set standing = 'closed' where id = $1", [accountId])
  for (const [about, [subject]] of Object.entries(subjects)) await told(accountId, about, subject)
  await service.asOwner('update accounts set email = $2 where id = $1', [accountId, 'closed@example.com'])
  const mailId = await fixture.askForLink('closed@example.com')
  await mailOwnerLink({ db: service.workerDb, clock: service.clock, sealing, post, mailId })
  assert.deepEqual(await service.asOwner('select from owner_link_mails where id = $1', [mailId]), [])
  await mailCode({ db: service.workerDb, clock: service.clock, sealing, post, codeId: 1_000_000 })
  assert.deepEqual(sent, [])
  await assert.rejects(told(stranger.id, 'the_weather', 'x'), /no email text/)
})

test('a permanent refusal of the mail server ends the job; any other error is retried', async () => {
  const { id: accountId, account_url } = await service.createAccount()
  const browser = openOwnerBrowser(service)
  await browser.get(account_url)
  await browser.get('/sign-in')
  await browser.submit('/sign-in/code')
  const [code] = await service.asOwner<{ id: number }>('select id from owner_codes where account_id = $1', [accountId])
  const mailId = await fixture.askForLink(newcomer.email)
  const common = { db: service.workerDb, clock: service.clock, sealing }
  const jobs = (post: ReturnType<EmailFixture['openPost']>['post']) => [
    () => mailCode({ ...common, post, codeId: code?.id ?? 0 }),
    () => mailOwnerLink({ ...common, post, mailId }),
    () => notifyOwner({ ...common, post, emails, accountId, about: 'recharge_off', subject: '-' }),
  ]
  for (const fault of [new MailError('refused', 550), new MailError('malformed')]) {
    const { logged, post } = fixture.openPost(fault)
    for (const job of jobs(post)) await job()
    const { kind, status } = fault
    assert.deepEqual(
      logged.map((line) => JSON.parse(line)).map((line) => [line.level, line.mail, line.kind, line.status]),
      [`code.${code?.id}`, `link.${mailId}`, 'recharge_off.-'].map((id) => [40, `<${id}@localhost>`, kind, status]),
    )
    assert.ok(!logged.join().includes(newcomer.email))
  }
  for (const fault of [new MailError('refused', 450), new MailError('unreachable'), new MailError('timeout')])
    for (const job of jobs(fixture.openPost(fault).post)) await assert.rejects(job, fault)
  const late = fixture.openPost()
  service.clock.setOffset(600_000)
  await jobs(late.post)[0]?.()
  service.clock.setOffset(0)
  assert.deepEqual(late.sent, [], 'a code that is over is not mailed')
})

test('expired tokens are deleted when due, and not sooner', async () => {
  const { id: accountId, account_url } = await service.createAccount()
  const browser = openOwnerBrowser(service)
  await browser.get(account_url)
  await browser.get('/sign-in')
  await browser.submit('/sign-in/code')
  const [email, at] = ['mailed@example.com', service.clock.now()]
  await service.asOwner('insert into owner_link_mails (email, asked_at, mailed_at) values ($1, $2, $2)', [email, at])
  await openOwner(service, accountId)
  const count = async (days: number) => {
    service.clock.setOffset(days * 86_400_000)
    for (const purge of Object.values(ownerSignInPurges)) await purge(service.workerDb, service.clock.now())
    service.clock.setOffset(0)
    const tables = ['owner_visits', 'owner_codes', 'owner_sessions']
    const counts = tables.map((table) =>
      service.asOwner<{ left: number }>(`select count(*)::int as left from ${table} where account_id = $1`, [
        accountId,
      ]),
    )
    counts.push(service.asOwner('select count(*)::int as left from owner_link_mails where email = $1', [email]))
    return (await Promise.all(counts)).map(([row]) => row?.left)
  }
  assert.deepEqual(await count(0), [1, 1, 1, 1])
  assert.deepEqual(await count(0.5 / 24), [1, 1, 1, 1])
  assert.deepEqual(await count(0.5), [0, 1, 1, 0])
  assert.deepEqual(await count(1.1), [0, 0, 1, 0])
  assert.deepEqual(await count(29.9), [0, 0, 1, 0])
  assert.deepEqual(await count(30.1), [0, 0, 0, 0])
})
