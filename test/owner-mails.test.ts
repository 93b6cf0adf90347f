import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mailCode } from '../src/accounts/mails/mail-code.ts'
import { mailOwnerLink } from '../src/accounts/mails/mail-owner-link.ts'
import { tellOwner } from '../src/accounts/mails/tell-owner.ts'
import { tellings } from '../src/accounts/mails/tellings.ts'
import { forgetOwnerSessions } from '../src/accounts/sign-in/forget-owner-sessions.ts'
import { newId } from '../src/platform/identifiers.ts'
import { createLogger } from '../src/platform/logger.ts'
import { type Mail, MailFault } from '../src/platform/mailer.ts'
import { openSealing } from '../src/platform/sealing.ts'
import { settings } from '../src/platform/settings.ts'
import { openOwner } from './support/owner.ts'
import { openOwnerBrowser } from './support/owner-browser.ts'
import { newcomer, newSecretsKey, type Service, startService } from './support/service.ts'

const secretsKeys = newSecretsKey('test')
const sealing = openSealing(settings.SECRETS_KEYS.parse(secretsKeys))
let service: Service
before(async () => {
  service = await startService({ secretsKeys })
})
after(() => service?.[Symbol.asyncDispose]())

/** What a worker mails with, to a server that answers so. */
function openPost(fault?: MailFault) {
  const sent: Mail[] = []
  const logged: string[] = []
  const mailer = {
    send: async (mail: Mail) => {
      if (fault) throw fault
      sent.push(mail)
    },
    [Symbol.asyncDispose]: async () => {},
  }
  const logger = createLogger('info', 'test', { write: (line) => logged.push(line) })
  return { sent, logged, post: { mailer, logger, accountPageUrl: service.accountPageUrl } }
}

/** Somebody names an address on the front page; nobody has looked yet whether it has accounts. */
async function askForLink(email: string): Promise<number> {
  await openOwnerBrowser(service).submit('/find-account', { email })
  const [asked] = await service.asOwner<{ id: number }>(
    'select max(id)::int as id from owner_link_mails where email = $1',
    [email],
  )
  return Number(asked?.id)
}

async function stagePayment() {
  const { id: accountId } = await service.createAccount()
  const at = service.clock.now()
  const [paymentId, refundId] = [newId('pay', at), newId('rfd', at)]
  await service.asOwner(
    `insert into payments (id, account_id, cause, provider, amount_micros, status, failure, created_at, settled_at)
     values ($1, $2, 'recharge', 'stripe', 25000000, 'failed', 'expired_card', $3, $3)`,
    [paymentId, accountId, at],
  )
  await service.asOwner(
    `insert into payment_disputes (reference, payment_id, amount_micros, status, opened_at, closed_at)
     values ($1, $2, 24990000, 'lost', $3, $3)`,
    [`dp_${paymentId}`, paymentId, at],
  )
  await service.asOwner(
    `insert into payment_refunds (id, payment_id, amount_micros, status, created_at) values ($1, $2, 1230000, 'failed', $3)`,
    [refundId, paymentId, at],
  )
  const [key] = await service.asOwner<{ id: string; last4: string }>(
    'select id, last4 from api_keys where account_id = $1',
    [accountId],
  )
  const [code] = await service.asOwner<{ id: number }>(
    `insert into owner_codes (account_id, purpose, asked_by, email, email_before, key_id, created_at, expires_at)
     values ($1, 'change_email', sha256('x'), 'new@example.com', 'old@example.com', 'k', $2, $2) returning id`,
    [accountId, at],
  )
  const subjects: Record<keyof typeof tellings, [subject: string, says: RegExp]> = {
    recharge_failed: [paymentId, /\$25\.00 from your card\. The card has expired/],
    recharge_off: [paymentId, /three times in a row.*The card has expired/],
    payment_disputed: [`dp_${paymentId}`, /take back \$24\.99/],
    dispute_closed: [`dp_${paymentId}`, /has taken the \$24\.99 back/],
    refund_failed: [refundId, /\$1\.23/],
    key_created: [key?.id ?? '', new RegExp(`ends in ${key?.last4}`)],
    email_change_asked: [String(code?.id), /answer this mail/],
  }
  return { accountId, subjects }
}

test('the owner is told of each thing in text and markup, with its amount, at the address that is meant', async () => {
  const { accountId, subjects } = await stagePayment()
  assert.deepEqual(Object.keys(subjects).sort(), Object.keys(tellings).sort())
  for (const [about, [subject, says]] of Object.entries(subjects)) {
    const { sent, post } = openPost()
    await tellOwner({ db: service.workerDb, post, accountId, about, subject })
    const [mail] = sent
    assert.ok(mail && sent.length === 1, about)
    assert.equal(mail.to, about === 'email_change_asked' ? 'old@example.com' : 'owner@example.com')
    assert.match(mail.text, says)
    assert.match(mail.text, /“Harbour Notices”/)
    assert.doesNotMatch(mail.text + mail.html, /new@example\.com|undefined|null|NaN/)
    assert.match(mail.messageId, new RegExp(`^<${about}\\.[\\w-]+@localhost>$`))
    assert.ok(mail.html.includes(`${service.accountPageUrl}/account`))
    assert.doesNotMatch(mail.html, /<img|<script|<link|url\(/)
  }
  const { sent, post } = openPost()
  const [subject] = subjects.key_created
  await service.asOwner("update api_keys set scope = 'read' where id = $1", [subject])
  await tellOwner({ db: service.workerDb, post, accountId, about: 'key_created', subject })
  assert.match(String(sent[0]?.text), /can read .* cannot post/)
})

test('nobody is told of what is another’s, is gone, or belongs to a closed account', async () => {
  const { accountId, subjects } = await stagePayment()
  const stranger = await service.createAccount()
  const { sent, post } = openPost()
  const told = (id: string, about: string, subject: string) =>
    tellOwner({ db: service.workerDb, post, accountId: id, about, subject })
  for (const [about, [subject]] of Object.entries(subjects))
    if (about !== 'recharge_off') await told(stranger.id, about, subject)
  await service.asOwner("update accounts set standing = 'closed' where id = $1", [accountId])
  for (const [about, [subject]] of Object.entries(subjects)) await told(accountId, about, subject)
  await service.asOwner('update accounts set email = $2 where id = $1', [accountId, 'closed@example.com'])
  const mailId = await askForLink('closed@example.com')
  await mailOwnerLink({ db: service.workerDb, clock: service.clock, post, mailId })
  assert.deepEqual(await service.asOwner('select from owner_link_mails where id = $1', [mailId]), [])
  await mailCode({ db: service.workerDb, clock: service.clock, sealing, post, codeId: 1_000_000 })
  assert.deepEqual(sent, [])
  await assert.rejects(told(stranger.id, 'the_weather', 'x'), /has no text/)
})

test('a mail server that refuses for good ends the job; any other fault is tried again', async () => {
  const { id: accountId, account_url } = await service.createAccount()
  const browser = openOwnerBrowser(service)
  await browser.get(account_url)
  await browser.get('/sign-in')
  await browser.submit('/sign-in/code')
  const [code] = await service.asOwner<{ id: number }>('select id from owner_codes where account_id = $1', [accountId])
  const mailId = await askForLink(newcomer.email)
  const common = { db: service.workerDb, clock: service.clock, sealing }
  const jobs = (post: ReturnType<typeof openPost>['post']) => [
    () => mailCode({ ...common, post, codeId: code?.id ?? 0 }),
    () => mailOwnerLink({ ...common, post, mailId }),
    () => tellOwner({ ...common, post, accountId, about: 'recharge_off', subject: '-' }),
  ]
  for (const fault of [new MailFault('refused', 550), new MailFault('malformed')]) {
    const { logged, post } = openPost(fault)
    for (const job of jobs(post)) await job()
    const { kind, status } = fault
    assert.deepEqual(
      logged.map((line) => JSON.parse(line)).map((line) => [line.level, line.mail, line.kind, line.status]),
      [`code.${code?.id}`, `link.${mailId}`, 'recharge_off.-'].map((id) => [40, `<${id}@localhost>`, kind, status]),
    )
    assert.ok(!logged.join().includes(newcomer.email))
  }
  for (const fault of [new MailFault('refused', 450), new MailFault('unreachable'), new MailFault('timeout')])
    for (const job of jobs(openPost(fault).post)) await assert.rejects(job, fault)
  const late = openPost()
  service.clock.setOffset(600_000)
  await jobs(late.post)[0]?.()
  service.clock.setOffset(0)
  assert.deepEqual(late.sent, [], 'a code that is over is not mailed')
})

test('what opens nothing any more is deleted when its time has come, and nothing sooner', async () => {
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
    await forgetOwnerSessions(service.workerDb, service.clock.now())
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
