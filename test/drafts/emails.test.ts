import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { notifyOwner } from '../../src/accounts/emails/notify-owner.ts'
import { notifyOfDrafts } from '../../src/drafts/notify-of-drafts.ts'
import { ownerEmails as emails } from '../../src/handlers.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { type Mailbox, openMailbox, openOwnerBrowser } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { createAuthor, submitDraftOf } from '../support/drafts/draft-fixture.ts'
import { seedDraft, seedDrafts } from '../support/drafts/seed-draft.ts'
import { openEmailFixture } from '../support/owner-page/emails.ts'

const minute = 60_000
let service: Service
let mailbox: Mailbox
before(async () => {
  mailbox = await openMailbox()
  service = await startService({ judges: true, settings: { SMTP_URL: mailbox.smtpUrl } })
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  await mailbox?.[Symbol.asyncDispose]()
})

/** Authors with an address of their own. */
async function createMailedAuthor() {
  const author = await createAuthor(service, 1_000_000)
  const email = `${author.id}@example.com`
  await service.asOwner('update accounts set email = $2 where id = $1', [author.id, email])
  return { ...author, email }
}

async function sweep() {
  await service.asWorker((tx) => enqueue(tx, 'tell-of-drafts', {}))
  await service.settle()
}

test('an owner gets one email about the drafts that wait, and its link approves them', async () => {
  const author = await createMailedAuthor()
  const first = await submitDraftOf(author.waiting)
  await submitDraftOf(author.waiting)
  await sweep()
  await sweep()
  const [mail, ...others] = await mailbox.read(author.email)
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, '2 drafts are waiting for your approval')
  const [link = ''] = /http:\S+\/d\/[\w-]+/.exec(String(mail?.text)) ?? []
  const browser = openOwnerBrowser(service)
  await browser.get(link)
  assert.ok((await browser.get('/drafts')).page.includes(first.id))
  await browser.submit('/drafts', { one: `approve ${first.id}` })
  await service.settle()
  assert.equal((await author.client.getDraft(first.id)).body.state, 'submitted')
  const stored = await service.asOwner<{ row: string }>('select draft_links::text as row from draft_links')
  assert.ok(
    stored.every(({ row }) => !row.includes(link.split('/d/')[1] ?? link)),
    'the token is not stored',
  )
})

test('further drafts wait 15 minutes for the next email', async () => {
  const author = await createMailedAuthor()
  const mails = async () => (await mailbox.read(author.email)).length
  await submitDraftOf(author.waiting)
  await sweep()
  await submitDraftOf(author.waiting)
  service.clock.setOffset(14 * minute)
  await sweep()
  assert.equal(await mails(), 1)
  service.clock.setOffset(16 * minute)
  await sweep()
  assert.equal(await mails(), 2)
  service.clock.setOffset(60 * minute)
  await sweep()
  service.clock.setOffset(0)
  assert.equal(await mails(), 2, 'an owner is told once of each draft')
})

test('no email goes to an address that is not verified; once it is, the owner is told', async () => {
  const author = await createMailedAuthor()
  await service.asOwner('update accounts set email_verified_at = null where id = $1', [author.id])
  await submitDraftOf(author.waiting)
  await sweep()
  assert.deepEqual(await mailbox.read(author.email), [])
  await service.asOwner('update accounts set email_verified_at = created_at where id = $1', [author.id])
  await sweep()
  assert.equal((await mailbox.read(author.email)).length, 1)
})

test('two workers at once send one email', async () => {
  const author = await createMailedAuthor()
  await seedDrafts(service, author.id, 5)
  const at = service.clock.now()
  await Promise.all([notifyOfDrafts(service.workerDb, at), notifyOfDrafts(service.workerDb, at)])
  await service.settle()
  assert.equal((await mailbox.read(author.email)).length, 1)
})

const mailAbout = async (accountId: string) => {
  const { sent, post } = openEmailFixture(service).openPost()
  const subject = `${accountId}/${service.clock.now().toISOString()}`
  await notifyOwner({ db: service.workerDb, post, emails, accountId, about: 'drafts_waiting', subject })
  return sent[0]
}

test('an email lists ten drafts, counts the others and escapes their text', async () => {
  const { id } = await createMailedAuthor()
  await seedDrafts(service, id, 12)
  const text = '</blockquote><script>alert(1)</script> Visit https://evil.example/now, owner!'
  await seedDraft(service, { accountId: id, text })
  const mail = await mailAbout(id)
  assert.ok(mail)
  assert.match(mail.text, /asks to publish 13 posts for \$0\.26\./)
  assert.match(mail.text, /And 3 more\./)
  assert.equal(mail.text.match(/^> /gm)?.length, 10)
  assert.doesNotMatch(mail.html, /<script|<\/blockquote><script|href="https:\/\/evil/)
  assert.doesNotMatch(mail.text + mail.html, /https:\/\/evil\.example/, 'no client makes it a link')
})

test('an email that is late says nothing of drafts that were decided meanwhile', async () => {
  const author = await createMailedAuthor()
  const draft = await submitDraftOf(author.waiting)
  await author.waiting.cancelDraft(draft.id)
  assert.equal(await mailAbout(author.id), undefined)
})
