import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import { listCases } from '../../../src/cases/queue.ts'
import { verifyAuditChain } from '../../../src/platform/audit-chain.ts'
import { connect } from '../../../src/platform/database/database.ts'
import { type Author, type DeskFixture, openDeskFixture } from '../../support/desk/decided-posts.ts'
import { verifyTestLedger } from '../../support/money/verify-ledger.ts'

let fixture: DeskFixture
before(async () => {
  fixture = await openDeskFixture()
})
after(() => fixture[Symbol.asyncDispose]())

const good = { owed_micros: 0, standing: 'good' }
const typesOf = async (author: Author) => (await author.events()).map(({ type }) => type)
const acts = (verdict: string, effect = 'done', member = fixture.ada) => [
  `staff:${member.id} case.claim`,
  `staff:${member.id} case.decide ${verdict}`,
  `system:desk case.apply ${verdict} ${effect}`,
]

/** Where readers see a post: its own page, the list, the feed, the JSON list and search. */
async function readersSee(id: string, word: string) {
  const found = (await fixture.service.client().searchPosts({ q: word })).body.data.map((post) => post.id)
  const lists = await Promise.all(['/', '/feed.xml', '/index.json'].map(fixture.look))
  return {
    page: (await fixture.look(`/p/${id}`)).status,
    listed: lists.map(({ text }) => text.includes(id)),
    found: found.includes(id),
    deleted: (await fixture.look('/deleted.json')).text.includes(id),
  }
}
const everywhere = { page: 200, listed: [true, true, true], found: true, deleted: false }
const nowhere = { page: 404, listed: [false, false, false], found: false, deleted: false }
const goneFromAll = { page: 410, listed: [false, false, false], found: false, deleted: true }

test('a review is published: page, feed and search show it, and its author is notified', async () => {
  const author = await fixture.openAuthor()
  const id = await author.submit('verdict-review The tidemill grinds rye again from Thursday on.')
  assert.deepEqual(await readersSee(id, 'tidemill'), nowhere)
  const { key } = await fixture.caseOf(id, 'review')
  await fixture.decide(fixture.ada, key, 'publish')
  const { status, decision } = await author.record(id)
  assert.deepEqual([status, decision?.automated], ['published', false])
  assert.deepEqual(await author.money(), { ...good, balance_micros: 980_000, strikes: 0 })
  assert.deepEqual(await typesOf(author), ['post.review', 'post.published'])
  assert.deepEqual(await readersSee(id, 'tidemill'), everywhere)
  assert.deepEqual(await fixture.log(key), acts('publish'))
})

test('a review is rejected for abuse: tenfold charge, a strike, and a statement that names a human reviewer', async () => {
  const author = await fixture.openAuthor()
  const id = await author.submit('verdict-review Send a deposit for the lighthouse flat before you see it.')
  const { key } = await fixture.caseOf(id, 'review')
  await fixture.decide(fixture.ada, key, 'reject', 'scam_fraud')
  const { status, rejection, charged_micros, refunded_micros } = await author.record(id)
  assert.deepEqual([status, rejection?.category, rejection?.strike], ['rejected', 'scam_fraud', true])
  assert.equal(rejection?.statement.automated, false)
  assert.deepEqual([charged_micros, refunded_micros], [200_000, 0])
  assert.deepEqual(await author.money(), { ...good, balance_micros: 800_000, strikes: 1 })
  const event = (await author.events()).at(-1)
  assert.deepEqual([event?.type, event?.data.rejection?.statement?.automated], ['post.rejected', false])
  assert.deepEqual(await readersSee(id, 'lighthouse'), nowhere)
  assert.deepEqual(await fixture.log(key), acts('reject'))
})

test('a review is rejected for low quality: the fee is refunded, without a strike', async () => {
  const author = await fixture.openAuthor()
  const id = await author.submit('verdict-review qwert zuiop nothing whatever')
  const { key } = await fixture.caseOf(id, 'review')
  await fixture.decide(fixture.ada, key, 'low_quality')
  const { status, rejection } = await author.record(id)
  assert.deepEqual([status, rejection?.category, rejection?.refunded], ['rejected', 'low_quality', true])
  assert.equal(rejection?.statement.automated, false)
  assert.deepEqual(await author.money(), { ...good, balance_micros: 1_000_000, strikes: 0 })
  assert.deepEqual(await typesOf(author), ['post.review', 'post.rejected'])
})

test('an accepted edit replaces the old text; a rejected edit leaves it', async () => {
  const author = await fixture.openAuthor()
  const id = await author.submit('The sailmaker on Rope Street mends spinnakers on Mondays.')
  const edit = async (text: string) => {
    await author.client.editPost(id, { text })
    await fixture.service.settle()
    return fixture.caseOf(id, 'review')
  }
  const first = await edit('verdict-review The sailmaker on Rope Street mends spinnakers on Fridays.')
  assert.deepEqual([first.key, first.edit], [`review:${id}:1`, 1])
  await fixture.decide(fixture.ada, first.key, 'publish')
  assert.equal((await author.record(id)).edit?.status, 'accepted')
  assert.match((await fixture.look(`/p/${id}`)).text, /on Fridays/)
  const second = await edit('verdict-review Sail lofts pay triple if you wire the money today, ask at the quay.')
  await fixture.decide(fixture.ben, second.key, 'reject', 'scam_fraud')
  const { edit: refused, status } = await author.record(id)
  assert.deepEqual([status, refused?.status, refused?.rejection?.strike], ['published', 'rejected', true])
  assert.equal(refused?.rejection?.statement.automated, false)
  assert.match((await fixture.look(`/p/${id}`)).text, /on Fridays/)
  assert.deepEqual(await author.money(), { ...good, balance_micros: 980_000 - 10_000 - 100_000, strikes: 1 })
  assert.deepEqual(await typesOf(author), [
    ...['post.published', 'post.review', 'post.published', 'post.review', 'post.rejected'],
  ])
})

test('a reported post is kept: the case is closed, and nobody else is notified', async () => {
  const author = await fixture.openAuthor()
  const id = await author.submit('Oysters are sold at the slipway while the flag is up.')
  await fixture.report(id, 'spam')
  const { key, reports } = await fixture.caseOf(id, 'report')
  assert.equal(reports, 1)
  await fixture.decide(fixture.ada, key, 'keep')
  const cases = await fixture.service.asOwner('select outcome from report_cases where post_id = $1', [id])
  assert.deepEqual(cases, [{ outcome: 'dismissed' }])
  assert.deepEqual(await typesOf(author), ['post.published'])
  assert.deepEqual(await readersSee(id, 'oysters'), everywhere)
  assert.deepEqual(await fixture.log(key), acts('keep'))
})

test('a reported post is removed: gone from page, feed, list and search, and announced to mirrors and its author', async () => {
  const author = await fixture.openAuthor()
  const id = await author.submit('The harpsichord in the customs house may be played at noon.')
  assert.deepEqual(await readersSee(id, 'harpsichord'), everywhere)
  await fixture.report(id, 'impersonation')
  const { key } = await fixture.caseOf(id, 'report')
  await fixture.decide(fixture.ada, key, 'remove', 'impersonation')
  const { status, removal } = await author.record(id)
  assert.deepEqual([status, removal?.category, removal?.statement.automated], ['removed', 'impersonation', false])
  assert.deepEqual(await author.money(), { ...good, balance_micros: 800_000, strikes: 1 })
  assert.deepEqual(await typesOf(author), ['post.published', 'post.removed'])
  assert.deepEqual(await readersSee(id, 'harpsichord'), goneFromAll)
  const cases = await fixture.service.asOwner('select outcome from report_cases where post_id = $1', [id])
  assert.deepEqual(cases, [{ outcome: 'removed' }])
  assert.deepEqual(await fixture.log(key), acts('remove'))
})

test('an appeal is dismissed: the rejection remains, and its author sees that it was reviewed', async () => {
  const author = await fixture.openAuthor()
  const id = await author.submit('verdict-reject-spam Brass cleats, forty to the box, at the usual place.')
  await author.client.appealPost(id, { message: 'It is one notice.' })
  const { key } = await fixture.caseOf(id, 'appeal')
  await fixture.decide(fixture.ada, key, 'dismiss')
  const { status, rejection } = await author.record(id)
  assert.deepEqual([status, rejection?.appeal?.status, rejection?.strike], ['rejected', 'dismissed', true])
  assert.deepEqual(await author.money(), { ...good, balance_micros: 800_000, strikes: 1 })
  assert.deepEqual(await typesOf(author), ['post.rejected'])
  assert.deepEqual(await fixture.log(key), acts('dismiss'))
})

test('an upheld appeal of a third strike: unbanned, refunded, published again', async () => {
  const author = await fixture.openAuthor()
  const id = await author.submit('The cooper shows how a barrel is made, free of charge, at the maltings.')
  await author.submit('verdict-reject-spam Anchors by the dozen, call tonight.')
  await author.submit('verdict-reject-malware_phishing Confirm the berth with this program.')
  await fixture.report(id, 'scam_fraud')
  await fixture.decide(fixture.ada, (await fixture.caseOf(id, 'report')).key, 'remove', 'scam_fraud')
  assert.deepEqual(await author.money(), { ...good, balance_micros: 400_000, strikes: 3, standing: 'banned' })
  assert.deepEqual(await readersSee(id, 'cooper'), goneFromAll)
  await assert.rejects(author.client.submitPost({ text: 'One more.' }), (error) => isProblem(error, 'account_banned'))
  await author.client.appealPost(id, { message: 'It is free, as it says.' })
  const { key, barred } = await fixture.caseOf(id, 'appeal', fixture.ben)
  assert.equal(barred, false)
  await fixture.decide(fixture.ben, key, 'uphold')
  const { status, removal } = await author.record(id)
  assert.deepEqual([status, removal], ['published', undefined])
  assert.deepEqual(await author.money(), { ...good, balance_micros: 580_000, strikes: 2 })
  assert.deepEqual((await typesOf(author)).slice(-2), ['post.removed', 'post.published'])
  assert.deepEqual(await readersSee(id, 'cooper'), everywhere)
  assert.deepEqual(await fixture.log(key), acts('uphold', 'done', fixture.ben))
  assert.equal((await author.client.submitPost({ text: 'The rivet forge is cold until spring.' })).status, 202)
})

test('an automated penalty is confirmed, and nothing changes', async () => {
  const author = await fixture.openAuthor()
  const id = await author.submit('verdict-reject-spam Tar by the barrel and pitch by the pot, hurry.')
  const before = [await author.record(id), await author.money(), await author.events()]
  const { key } = await fixture.caseOf(id, 'check')
  await fixture.decide(fixture.ada, key, 'confirm')
  assert.deepEqual([await author.record(id), await author.money(), await author.events()], before)
  assert.deepEqual(await fixture.log(key), acts('confirm'))
})

test('an automated penalty is overturned: strike and money are returned', async () => {
  const author = await fixture.openAuthor()
  const id = await author.submit('verdict-reject-hate_harassment The ferrymen of the east bank are late again.')
  assert.deepEqual(await author.money(), { ...good, balance_micros: 800_000, strikes: 1 })
  const { key } = await fixture.caseOf(id, 'check')
  await fixture.decide(fixture.ada, key, 'overturn')
  const { status, rejection, charged_micros, refunded_micros } = await author.record(id)
  assert.deepEqual([status, rejection?.strike, charged_micros - refunded_micros], ['rejected', false, 0])
  assert.ok(rejection?.taken_back_at, 'the record says that it was taken back')
  assert.deepEqual(await author.money(), { ...good, balance_micros: 1_000_000, strikes: 0 })
  assert.deepEqual(await fixture.log(key), acts('overturn'))
  const told = await fixture.service.asOwner(
    `select data ->> 'about' as about, data ->> 'subject' as subject from pgboss.job_common
     where name = 'tell-owner' and data ->> 'account_id' = $1 and data ->> 'about' <> 'post_penalised'`,
    [author.id],
  )
  assert.deepEqual(told, [{ about: 'refusal_taken_back', subject: `${id}/0` }])
})

test('an automated ban is offered for review immediately, and after 18 hours only urgent cases come before it', async () => {
  const author = await fixture.openAuthor()
  const posts = [
    await author.submit('verdict-reject-spam Rope ends, rope ends, rope ends for everyone.'),
    await author.submit('verdict-reject-spam Lanterns at half the price of the chandler.'),
    await author.submit('verdict-reject-spam Seven secret ways to caulk a hull for nothing.'),
  ]
  assert.equal((await author.money()).standing, 'banned')
  const urgent = await fixture.openAuthor()
  const worst = await urgent.submit('verdict-review Whoever rows past the boom at night will be hurt, we promise.')
  await fixture.service.asOwner(
    `update moderation_decisions set category = 'violence_threats' where post_id = $1 and outcome = 'review'`,
    [worst],
  )
  const orderAt = async (hours: number) => {
    const at = new Date(fixture.service.clock.now().getTime() + hours * 3_600_000)
    const cases = await listCases(fixture.service.deskDb, { staffId: fixture.ada.id, at, limit: 100 })
    return cases.map(({ post_id, kind }) => (posts.includes(post_id) ? kind : post_id === worst ? 'worst' : 'other'))
  }
  const now = await orderAt(0)
  assert.deepEqual([now[0], now.filter((kind) => kind === 'check').length], ['worst', 3])
  const later = (await orderAt(18.1)).filter((kind) => kind !== 'other')
  assert.deepEqual(later, ['worst', 'check', 'check', 'check'])
})

test('at the end every ledger balance is correct, and the chain over the log is intact', async () => {
  const { database } = fixture.service
  const { differences, sum_micros } = await verifyTestLedger(database)
  assert.deepEqual([differences, sum_micros], [[], '0'])
  await using reader = connect(database.urls.migrator, {
    poolMax: 1,
    applicationName: 'test chain',
    statementTimeoutMs: 0,
  })
  const { ok, faults, entries } = await verifyAuditChain(reader.db, null, () => {})
  assert.deepEqual([ok, faults], [true, []])
  assert.ok(entries > 20)
})
