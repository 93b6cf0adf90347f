import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addStrike } from '../../../src/accounts/strikes.ts'
import { kinds } from '../../../src/kinds/index.ts'
import { upholdAppeal } from '../../../src/moderation/appeals/settle-appeal.ts'
import { decideReview, removePost } from '../../../src/moderation/decisions/decide-by-person.ts'
import type { PolicyCategoryId } from '../../../src/policy/policy.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import { openStaff } from '../../../tooling/clients/staff.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { read } from '../../support/desk/read-pages.ts'
import { callTool } from '../../support/mcp/call-tool.ts'
import { advance, openTrustFixture } from '../../support/moderation/trust-fixture.ts'

let service: Service
let fixture: Awaited<ReturnType<typeof openTrustFixture>>
const stack = new AsyncDisposableStack()
before(async () => {
  service = stack.use(await startService())
  fixture = await openTrustFixture(service, stack)
})
after(() => stack.disposeAsync())

const trustOf = async (apiKey: string) => (await service.client(apiKey).getAccount()).body.trust
const person = (postId: string) => ({ postId, actor: 'operator:test', at: service.clock.now() })
const remove = (postId: string, category: PolicyCategoryId = 'spam') =>
  service.asOperator((tx, sites) => removePost(tx, sites, { ...person(postId), category }))
const publishByPerson = (postId: string) =>
  service.asOperator((tx, sites) => decideReview(tx, sites, { ...person(postId), outcome: 'publish', category: null }))

test('a new account becomes trusted after five accepted posts over seven days, and its record says what is missing', async () => {
  const { id, api_key, created } = { ...(await service.createCustomer()), created: service.clock.now() }
  const begun = await trustOf(api_key)
  assert.equal(begun.level, 'new')
  assert.ok(Math.abs(Date.parse(begun.since) - created.getTime()) < 1_200_000)
  assert.deepEqual(begun.needs, [
    '5 more accepted posts',
    '7 more days, counted from the first accepted post',
    'a verified email address, which the owner confirms on the owner page',
  ])
  await service.asOwner('update accounts set email_verified_at = $2 where id = $1', [id, service.clock.now()])
  for (const words of ['The ferry leaves at nine', 'The market opens early'])
    assert.equal((await fixture.publish(api_key, words)).status, 'published')
  assert.deepEqual((await trustOf(api_key)).needs, ['3 more accepted posts', '7 more days'])

  const doubtful = await fixture.submit(api_key, 'A doubtful notice')
  assert.deepEqual(await fixture.judge(doubtful), {
    ...{ status: 'review', row: 'local_alone_in_doubt', standing: 'new', because: ['new_account'] },
  })
  await publishByPerson(doubtful)
  advance(service, 5)
  assert.deepEqual(
    (await trustOf(api_key)).needs,
    ['2 more accepted posts', '2 more days'],
    'a person accepted the third',
  )
  for (const words of ['Tide tables for the week', 'The library has new hours']) await fixture.publish(api_key, words)
  assert.deepEqual((await trustOf(api_key)).needs, ['2 more days'])
  assert.equal((await fixture.publish(api_key, 'Another doubtful notice')).status, 'review')

  advance(service, 2)
  const trust = await trustOf(api_key)
  assert.deepEqual([trust.level, trust.needs], ['trusted', []])
  assert.ok(Math.abs(Date.parse(trust.since) - service.clock.now().getTime()) < 1_200_000)
  assert.deepEqual(await fixture.publish(api_key, 'A third doubtful notice'), {
    ...{ status: 'published', row: 'trusted_author', standing: 'trusted', because: [] },
  })
})

test('one in ten posts published on trust is drawn for an audit', async () => {
  const { api_key } = await fixture.openTrusted()
  const [drawn, missed] = [await fixture.submit(api_key, 'doubtful'), await fixture.submit(api_key, 'doubtful')]
  await fixture.judge(drawn, 0, 0.09)
  await fixture.judge(missed, 0, 0.11)
  const samples = await service.asOwner<{ post_id: string; share: string }>(
    'select post_id, share::text from audit_samples where post_id = any($1)',
    [[drawn, missed]],
  )
  assert.deepEqual(samples, [{ post_id: drawn, share: '0.1' }])
})

test('a removal for abuse ends trust and restarts the count; an upheld appeal restores it', async () => {
  const { api_key } = await fixture.openTrusted()
  const before = await trustOf(api_key)
  const post = await fixture.submit(api_key, 'A notice that will be removed')
  await fixture.judge(post)
  await remove(post)
  const lost = await trustOf(api_key)
  assert.equal(lost.level, 'new')
  assert.ok(Math.abs(Date.parse(lost.since) - service.clock.now().getTime()) < 1_200_000)
  assert.deepEqual(lost.needs.slice(0, 2), [
    '5 more accepted posts since the last rejection for abuse',
    '7 more days, counted from the first accepted post',
  ])
  assert.match(String(lost.needs[2]), /^no strikes: this account has 1/)
  assert.deepEqual((await fixture.publish(api_key, 'doubtful')).because, ['new_account'])
  await fixture.publish(api_key, 'A plain notice afterwards')
  assert.equal(
    (await trustOf(api_key)).needs[0],
    '4 more accepted posts since the last rejection for abuse',
    'what is accepted afterwards counts',
  )

  await service.client(api_key).appealPost(post, { message: 'It breaks no rule.' })
  await service.asOperator((tx, sites) => upholdAppeal(tx, sites, person(post)))
  assert.deepEqual(await trustOf(api_key), before)
  assert.equal((await fixture.publish(api_key, 'doubtful')).status, 'published')
})

test('an edit rejected for abuse also ends trust', async () => {
  const { api_key } = await fixture.openTrusted()
  const post = await fixture.submit(api_key, 'A notice to be edited')
  await fixture.judge(post)
  await service.client(api_key).editPost(post, { text: fixture.text('doubtful https://shop.example/') })
  assert.equal((await fixture.judge(post, 1)).status, 'review')
  await service.asOperator((tx, sites) =>
    decideReview(tx, sites, { ...person(post), outcome: 'abuse', category: 'scam_fraud' }),
  )
  assert.equal((await trustOf(api_key)).level, 'new')
})

test('a deleted post counts; a removed one does not, even after it was deleted', async () => {
  const { api_key } = await fixture.openAccount()
  const ids = []
  for (let post = 0; post < 4; post++) {
    const id = await fixture.submit(api_key, 'A plain notice')
    await fixture.judge(id)
    ids.push(id)
  }
  const needs = async () => (await trustOf(api_key)).needs[0]
  const client = service.client(api_key)
  await client.deletePost(String(ids[0]))
  assert.equal(await needs(), '1 more accepted post')
  await remove(String(ids[1]), 'low_quality')
  assert.equal(await needs(), '2 more accepted posts')
  await client.deletePost(String(ids[1]))
  assert.equal(await needs(), '2 more accepted posts')
  assert.equal((await client.getAccount()).body.strikes, 0)
})

test('a first link to a domain counts as new, in a post and in an edit, and the next one does not', async () => {
  const { api_key } = await fixture.openTrusted()
  const linked = await fixture.submit(api_key, 'doubtful https://news.example/one')
  assert.deepEqual(await fixture.judge(linked), {
    ...{ status: 'review', row: 'local_alone_in_doubt', standing: 'new', because: ['new_domain'] },
  })
  await publishByPerson(linked)
  assert.equal((await fixture.publish(api_key, 'doubtful https://www.NEWS.example./two')).status, 'published')
  for (const other of [
    'https://shop.news.example/',
    'https://news.example@shop.example/',
    'https://news.example.shop/',
  ])
    assert.deepEqual((await fixture.publish(api_key, `doubtful ${other}`)).because, ['new_domain'], other)

  advance(service, 1)
  const client = service.client(api_key)
  const known = fixture.text('doubtful, see https://news.example/three and nothing else')
  await client.editPost(linked, { text: known })
  assert.deepEqual(await fixture.judge(linked, 1), {
    ...{ status: 'accepted', row: 'trusted_author', standing: 'trusted', because: [] },
  })
  await client.editPost(linked, { text: fixture.text('doubtful, see https://offers.example/ instead') })
  assert.deepEqual((await fixture.judge(linked, 2)).because, ['new_domain'])

  await remove(linked, 'low_quality')
  const again = await fixture.publish(api_key, 'doubtful https://news.example/four')
  assert.deepEqual(again.because, ['new_domain'], 'what was removed is not known any more')
})

test('a burst counts as new from its sixth post on, including edits, and the next hour does not', async () => {
  const { api_key } = await fixture.openTrusted()
  const sent = []
  for (let post = 0; post < 5; post++) sent.push(await fixture.submit(api_key, 'doubtful'))
  for (const id of sent) assert.equal((await fixture.judge(id)).status, 'published')
  await service.client(api_key).editPost(String(sent[0]), { text: fixture.text('doubtful again') })
  assert.deepEqual((await fixture.judge(String(sent[0]), 1)).because, ['burst'])
  assert.deepEqual((await fixture.publish(api_key, 'doubtful')).because, ['burst'])
  advance(service, 61 / 1_440)
  assert.equal((await fixture.publish(api_key, 'doubtful')).status, 'published')
})

test('a kind that the account has not published before counts as new', async () => {
  const { api_key } = await fixture.openTrusted()
  const event = kinds.find(({ name }) => name === 'event')
  assert(event)
  const start = service.clock.now().getTime() + 86_400_000
  const times = { starts_at: new Date(start).toISOString(), ends_at: new Date(start + 3_600_000).toISOString() }
  const submit = async () => {
    const body = { title: 'An evening', body: fixture.text('A doubtful evening of songs'), timezone: 'UTC', ...times }
    const { body: answer } = await service.client(api_key, 'event').submitPost(body as never)
    assert.ok('id' in answer)
    return answer.id
  }
  const first = await submit()
  assert.deepEqual((await fixture.judge(first)).because, ['new_kind'])
  await publishByPerson(first)
  assert.equal((await fixture.judge(await submit())).status, 'published')
})

const waitingHere = `select from pg_locks join pg_stat_activity using (pid)
  where not granted and datname = current_database()`

test('no strike can come between reading the trust and publishing based on it', async () => {
  const { id, api_key } = await fixture.openTrusted()
  const other = await fixture.submit(api_key, 'A plain notice')
  const doubtful = await fixture.submit(api_key, 'doubtful')
  const judging = await service.asWorker(async (tx) => {
    await addStrike(tx, { accountId: id, postId: other, edit: 0, at: service.clock.now() })
    const judging = fixture.judge(doubtful)
    await waitFor(async () => (await service.asOwner(waitingHere)).length > 0, 'the decision to wait for the strike')
    return { judging }
  })
  assert.deepEqual((await judging.judging).because, ['new_account'])
})

test('the tool, the owner page and the desk show the same trust', async () => {
  const { id, api_key } = await fixture.openTrusted()
  const { result } = await callTool(service.baseUrl, 'get_account', {}, { apiKey: api_key })
  assert.deepEqual(result?.structuredContent?.['trust'], await trustOf(api_key))
  const owner = await openOwner(service, id)
  assert.match(await (await owner.get('/account')).text(), /<dt>Trust<\/dt><dd>Trusted since/)

  const waiting = await fixture.submit(api_key, 'doubtful https://fresh.example/')
  await fixture.judge(waiting)
  const ada = await openStaff(service)
  const page = await read(ada, `/cases/review:${waiting}:0`)
  assert.match(page, /Author .* 0 of 3 strikes trusted Trusted since/)
  assert.match(
    page,
    /Judged as a post by a new author: it links to a domain that the account had not published before\./,
  )

  const newcomer = await fixture.openAccount()
  const first = await fixture.submit(newcomer.api_key, 'doubtful')
  await fixture.judge(first)
  const other = await read(ada, `/cases/review:${first}:0`)
  assert.match(other, /not trusted yet Still needed for trust: 5 more accepted posts 7 more days/)
  assert.match(other, /Judged as a post by a new author: the account was not trusted yet\./)
})

test('the domains that an account published are stored as hashes, and are deleted with the account', async () => {
  const { id, api_key } = await fixture.openAccount()
  await fixture.publish(api_key, 'See https://harbour.example/')
  const rows = () =>
    service.asOwner<{ subject: string }>('select subject from published_before where account_id = $1', [id])
  const kept = (await rows()).map(({ subject }) => subject).sort()
  assert.equal(kept.length, 2)
  assert.match(String(kept[0]), /^domain:[\w-]{43}$/)
  assert.equal(kept[1], 'kind:message')
  const owner = await openOwner(service, id)
  assert.equal((await owner.post('/account/deletion', { word: 'DELETE', refund: 'yes' })).status, 303)
  assert.deepEqual(await rows(), [])
})
