// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PostStatus } from '../../../clients/typescript/src/index.ts'
import { enqueue } from '../../../src/jobs/enqueue.ts'
import type { JobName } from '../../../src/jobs/jobs.ts'
import { reviewReasons } from '../../../src/policy/reasons.ts'
import { type Mailbox, openMailbox, openOwner } from '../../../tooling/clients/owner.ts'
import { openStaff } from '../../../tooling/clients/staff.ts'
import { newcomer } from '../../../tooling/environment/service.ts'
import { type DeskFixture, openDeskFixture } from '../../support/desk/decided-posts.ts'
import { answerOf, connectMcp } from '../../support/mcp/mcp-client.ts'
import { openSignInFixture } from '../../support/owner-page/sign-in.ts'

const stack = new AsyncDisposableStack()
let mailbox: Mailbox
let fixture: DeskFixture
before(async () => {
  mailbox = stack.use(await openMailbox())
  fixture = stack.use(await openDeskFixture({ settings: { SMTP_URL: mailbox.smtpUrl } }))
})
after(() => stack.disposeAsync())

const hour = 3_600
type Sweep = Extract<JobName, 'tell-of-reviews' | 'measure-review-pace' | 'return-review-fees'>
/** Moves the clock, and runs a scheduled job as its schedule would. */
const passAndRun = async (seconds: number, name: Sweep) => {
  fixture.pass(seconds)
  await fixture.service.asWorker((tx) => enqueue(tx, name, {}))
  await fixture.service.settle()
}
const mails = async (says: RegExp) =>
  (await mailbox.read(newcomer.email)).filter(({ subject }) => says.test(subject ?? ''))
/** By a member who has just signed in, because the clock moves by days here. */
const decide = async (id: string, verdict: string) => {
  const member = await openStaff(fixture.service, { name: 'Cleo' })
  await fixture.decide(member, (await fixture.caseOf(id, 'review', member)).key, verdict)
}
const pageOf = async (accountId: string, path: string) => (await openOwner(fixture.service, accountId)).get(path)
const textOf = async (accountId: string, path: string) => (await pageOf(accountId, path)).text()

test('a post in review tells its author why and until when, over HTTP, MCP, events and the owner page', async () => {
  const author = await fixture.openAuthor()
  const id = await author.submit('verdict-review The ferry bell rings twice on foggy mornings.')
  const { body, headers } = await author.client.getPost(id)
  const { status, review, created_at } = body as PostStatus
  assert.equal(status, 'review')
  assert.deepEqual([review?.reason, review?.fee_returned_at], ['unsure', null])
  const aheadHours = (Date.parse(String(review?.expected_decision_at)) - Date.parse(created_at)) / 3_600_000
  assert.ok(aheadHours >= 24 && aheadHours < 24.2, `${aheadHours} hours, where the setting says 24`)
  assert.equal(headers.get('retry-after'), '3600')
  await using client = Object.assign(await connectMcp(fixture.service.baseUrl, { apiKey: author.api_key }), {
    [Symbol.asyncDispose]: () => client.close(),
  })
  assert.deepEqual((await answerOf<PostStatus>(client, 'get_post', { id })).review, review)
  const [event] = await author.events()
  assert.deepEqual([event?.type, event?.data.review], ['post.review', review])
  for (const path of ['/account/posts', `/account/posts/${id}`]) {
    const page = await textOf(author.id, path)
    assert.ok(page.includes(reviewReasons.unsure), path)
    assert.doesNotMatch(page, /fee was returned/)
  }
})

test('an edit in review shows the same, while its post stays published', async () => {
  const author = await fixture.openAuthor()
  const id = await author.submit('The chandler sells lamp oil by the pint.')
  await author.client.editPost(id, { text: 'verdict-review The chandler sells lamp oil by the quart.' })
  await fixture.service.settle()
  const { status, review, edit } = await author.record(id)
  assert.deepEqual([status, review, edit?.status, edit?.review?.reason], ['published', undefined, 'review', 'unsure'])
  assert.ok((await author.client.getPost(id)).headers.get('retry-after'))
  const event = (await author.events()).at(-1)
  assert.deepEqual([event?.data.edit, event?.data.review], [true, edit?.review])
  assert.match(await textOf(author.id, `/account/posts/${id}`), /The last edit is in review/)
})

test('after five decided reviews, the estimate follows the pace of the reviewers', async () => {
  const author = await fixture.openAuthor()
  const texts = ['anchors', 'buoys', 'cleats', 'davits', 'ensigns'].map(
    (word) => `verdict-review Old ${word} for sale.`,
  )
  const ids: string[] = []
  for (const text of texts) ids.push(await author.submit(text))
  fixture.pass(2 * hour)
  for (const id of ids) await decide(id, 'publish')
  await passAndRun(0, 'measure-review-pace')
  const id = await author.submit('verdict-review Fenders and ropes are given away on Sunday.')
  const { review, created_at } = await author.record(id)
  const aheadHours = (Date.parse(String(review?.expected_decision_at)) - Date.parse(created_at)) / 3_600_000
  assert.ok(aheadHours > 1.9 && aheadHours < 20, `${aheadHours} hours`)
  assert.equal((await author.record(ids[0] as string)).review, undefined, 'a decided post has no review')
})

test('the owner is emailed once a day about waiting posts, once about decided ones, and not when turned off', async () => {
  const author = await fixture.openAuthor()
  await openSignInFixture({ service: fixture.service, mailbox }).signIn({ ...author, email: newcomer.email })
  const id = await author.submit('verdict-review The sluice is closed for repairs until spring.')
  await passAndRun(60, 'tell-of-reviews')
  assert.equal((await mails(/in review/)).length, 0, 'the owner is not emailed about posts that are decided soon')
  await passAndRun(hour, 'tell-of-reviews')
  const [first] = await mails(/^1 post is in review$/)
  assert.ok(first?.text.includes(reviewReasons.unsure))
  assert.match(String(first?.text), /72 hours.*\/account\/posts.*\/account\/settings#mails/s)
  assert.doesNotMatch(String(first?.text), /sluice/)
  await author.submit('verdict-review The sluice keeper has a new boat.')
  await passAndRun(20 * hour, 'tell-of-reviews')
  assert.equal((await mails(/in review/)).length, 1, 'one a day')
  await passAndRun(5 * hour, 'tell-of-reviews')
  assert.equal((await mails(/^2 posts are in review$/)).length, 1)
  await passAndRun(48 * hour, 'tell-of-reviews')
  assert.equal((await mails(/in review/)).length, 2, 'nothing new, no mail')

  await decide(id, 'low_quality')
  await passAndRun(hour, 'tell-of-reviews')
  const [decided] = await mails(/^A person has decided on 1 post$/)
  assert.match(String(decided?.text), /1 post: rejected for low quality\. The fee has been refunded/)

  const owner = await openOwner(fixture.service, author.id)
  assert.equal((await owner.post('/account/settings/review-mails', { enabled: 'off' })).status, 303)
  assert.match(await textOf(author.id, '/account/settings'), /value="off" checked/)
  await author.submit('verdict-review The sluice opens again on the first of May.')
  await passAndRun(72 * hour, 'tell-of-reviews')
  assert.equal((await mails(/in review/)).length, 2)
})

test('an owner without a verified address gets no email', async () => {
  const before = (await mails(/in review/)).length
  const author = await fixture.openAuthor()
  await author.submit('verdict-review The tide table hangs at the pier.')
  await passAndRun(2 * hour, 'tell-of-reviews')
  assert.equal((await mails(/in review/)).length, before)
})

test('the scheduled job returns the fee after 72 hours, and a second run returns nothing', async () => {
  const author = await fixture.openAuthor()
  const id = await author.submit('verdict-review The crane lifts again at high water.')
  await passAndRun(71 * hour, 'return-review-fees')
  assert.equal((await author.record(id)).review?.fee_returned_at, null)
  await passAndRun(hour, 'return-review-fees')
  await passAndRun(hour, 'return-review-fees')
  const { status, review, refunded_micros } = await author.record(id)
  assert.deepEqual([status, refunded_micros], ['review', 20_000])
  assert.ok(review?.fee_returned_at)
  assert.equal((await author.money()).balance_micros, 1_000_000)
})
