import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { notifyOwner } from '../../src/accounts/emails/notify-owner.ts'
import { mailOwnerLink } from '../../src/accounts/sign-in/owner-link-email.ts'
import { ownerEmails as emails } from '../../src/handlers.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { shortDay } from '../../src/markup/dates.ts'
import { newId } from '../../src/platform/identifiers.ts'
import { openSealing } from '../../src/platform/sealing.ts'
import { settings } from '../../src/platform/settings/settings.ts'
import { sendWebhookDisabledEmail } from '../../src/webhooks/webhook-disabled-email.ts'
import { newcomer, newSecretsKey, type Service, startService } from '../../tooling/environment/service.ts'
import { type EmailFixture, openEmailFixture } from '../support/owner-page/emails.ts'
import { seedPost } from '../support/posts/create-post.ts'

const secretsKeys = newSecretsKey('test')
const sealing = openSealing(settings.SECRETS_KEYS.parse(secretsKeys))
let service: Service
let fixture: EmailFixture
before(async () => {
  service = await startService({ settings: { SECRETS_KEYS: secretsKeys } })
  fixture = openEmailFixture(service)
})
after(() => service?.[Symbol.asyncDispose]())

const open = async (email: string) => (await service.client().createAccount({ ...newcomer, email })).body

test('an email to an address that nobody has verified contains no text that the account’s creator chose', async () => {
  const { accountId, subjects } = await fixture.seedPayment()
  await service.asOwner("update accounts set email_verified_at = null, name = 'Call evil now' where id = $1", [
    accountId,
  ])
  const { sent, post } = fixture.openPost()
  for (const [about, [subject]] of Object.entries(subjects))
    if (about !== 'email_change_asked')
      await notifyOwner({ db: service.workerDb, post, emails, accountId, about, subject })
  const webhookId = newId('wh', service.clock.now())
  await service.asOwner(
    `insert into webhooks (id, account_id, slot, url, events, created_at, disabled_at, disabled_because, failing_since)
     values ($1, $2, 1, 'https://evil.example/call', '{post.published}', $3, $3, 'failing', $3)`,
    [webhookId, accountId, service.clock.now()],
  )
  await sendWebhookDisabledEmail({ db: service.workerDb, post, webhookId })
  assert.match(String(sent.at(-1)?.text), new RegExp(webhookId))
  const onlyVerified = [...['posts_in_review', 'reviews_decided', 'post_penalised', 'account_banned', 'drafts_waiting']]
  assert.ok(
    sent.length >= Object.keys(subjects).length - onlyVerified.length,
    'all but those that only verified addresses get',
  )
  assert.doesNotMatch(JSON.stringify(sent), /is banned|as abusive/)
  for (const { subject, text, html } of sent) {
    assert.doesNotMatch(subject + text + html, /evil/)
    assert.ok(text.includes(accountId) && html.includes(accountId), subject)
  }
})

test('the email that lists accounts tells them apart by id, age and posts, even if they have the same name', async () => {
  const email = 'two-accounts@example.com'
  const [mine, foreign] = [await open(email), await open(email)]
  for (const status of ['published', 'rejected'] as const)
    await seedPost(service, kinds[0] as Kind, { accountId: mine.id, status })
  await service.asOwner('update accounts set email_verified_at = $2, created_at = $3 where id = $1', [
    mine.id,
    service.clock.now(),
    new Date('2026-03-05T12:00:00Z'),
  ])
  const { sent, post } = fixture.openPost()
  const mailId = await fixture.askForLink(email)
  await mailOwnerLink({ db: service.workerDb, clock: service.clock, sealing, post, mailId })
  const [first = '', second = '', ...more] = String(sent[0]?.text)
    .split(/(?=^Account: )/m)
    .slice(1)
  assert.deepEqual(more, [])
  assert.match(
    first,
    new RegExp(
      `^Account: ${mine.id}\\n[^]*“Harbour Notices”.* opened on 5 Mar 2026 .* 2 posts.*signed in to it before`,
    ),
  )
  const today = shortDay(service.clock.now())
  assert.match(
    second,
    new RegExp(`^Account: ${foreign.id}\\n[^]*opened on ${today} .* no posts.*Nobody has signed in to it`),
  )
  assert.doesNotMatch(second, /Harbour Notices/)
  assert.ok(String(sent[0]?.html).includes(foreign.id))
})
