import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem, type PostStatus } from '../../../clients/typescript/src/index.ts'
import { upholdAppeal } from '../../../src/moderation/appeals/settle-appeal.ts'
import { decideReview, removePost } from '../../../src/moderation/decisions/decide-by-person.ts'
import { policy } from '../../../src/policy/policy.ts'
import { lockPost } from '../../../src/posts/status/change-status.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

type Account = Awaited<ReturnType<Service['createCustomer']>>

/** Submits, waits for the decision and returns the post's id and record. */
async function decided({ client }: Account, text: string): Promise<PostStatus> {
  const { body } = await client.submitPost({ text: `${text} ${crypto.randomUUID()}` })
  assert.ok('id' in body)
  await service.settle()
  return record(client, body.id)
}
async function record(client: Account['client'], id: string): Promise<PostStatus> {
  const { body } = await client.getPost(id)
  assert.ok('status' in body)
  return body
}
const person = (postId: string) => ({ postId, actor: 'operator:test', at: service.clock.now() })
const money = async ({ client }: Account) => {
  const { balance_micros, owed_micros, strikes, standing } = (await client.getAccount()).body
  return { balance_micros, owed_micros, strikes, standing }
}
const typesOf = async ({ client }: Account) => (await client.listEvents()).body.data.map(({ type }) => type)

test('low quality is rejected and refunded, without a strike', async () => {
  const account = await service.createCustomer(100_000)
  const post = await decided(account, 'verdict-low-quality')
  assert.equal(post.status, 'rejected')
  assert.deepEqual(
    { ...post.rejection, reason: '', statement: null, log_entry: null },
    {
      ...{ category: 'low_quality', reason: '', abusive: false, refunded: true, strike: false },
      ...{ statement: null, appeal: null, log_entry: null },
    },
  )
  assert.ok((post.rejection?.reason.length ?? 0) > 20)
  assert.deepEqual([post.charged_micros, post.refunded_micros], [20_000, 20_000])
  assert.deepEqual(await money(account), { balance_micros: 100_000, owed_micros: 0, strikes: 0, standing: 'good' })
  assert.deepEqual(await typesOf(account), ['post.rejected'])
})

test('abuse costs ten times the post price and a strike; links are charged once', async () => {
  const account = await service.createCustomer(1_000_000)
  const post = await decided(
    account,
    'verdict-reject-spam, see https://example.com/one and https://example.com/two for it',
  )
  assert.equal(post.status, 'rejected')
  assert.equal(post.rejection?.category, 'spam')
  assert.equal(post.rejection?.strike, true)
  assert.equal(post.charged_micros, 20_000 * 10 + 2 * 10_000)
  assert.deepEqual(await money(account), { balance_micros: 780_000, owed_micros: 0, strikes: 1, standing: 'good' })
  assert.equal(post.decision?.automated, true)
})

test('the author learns why: policy, rule, remedy, who decided and how to appeal, in the record and in the event', async () => {
  const account = await service.createCustomer(1_000_000)
  const rejected = await decided(account, 'verdict-reject-spam')
  const { id } = await decided(account, 'The bascule bridge opens at noon.')
  await service.asOperator((tx, sites) => removePost(tx, sites, { ...person(id), category: 'personal_data' }))
  const removed = await record(account.client, id)
  const stated = [
    { post: rejected, refusal: rejected.rejection, automated: true },
    { post: removed, refusal: removed.removal, automated: false },
  ]
  for (const { post, refusal, automated } of stated) {
    const { rule, remedy, ...rest } = refusal?.statement ?? {}
    assert.equal(`${rule} ${remedy}`, refusal?.reason)
    assert.deepEqual(rest, {
      policy_version: policy.version,
      policy_url: `${service.baseUrl}/policy/#${refusal?.category}`,
      automated,
      how_to_appeal:
        `POST ${service.baseUrl}/v1/posts/${post.id}/appeal with {"message": "…"}; you can appeal once, even while the account is banned; ` +
        'a person who did not make this decision reviews the appeal.',
    })
  }
  const events = (await account.client.listEvents()).body.data.map(({ data }) => data.rejection ?? data.removal)
  const told = (refusal: object | undefined) => ({
    ...refusal,
    ...{ appeal: undefined, removed_at: undefined, log_entry: undefined },
  })
  assert.deepEqual(events.filter(Boolean).map(told), [told(rejected.rejection), told(removed.removal)])
})

test('a banned account appeals a rejection and a removal with the documented call', async () => {
  const account = await service.createCustomer(10_000_000)
  const { id: removed } = await decided(account, 'The lock keeper answers on channel 20.')
  const { id: rejected } = await decided(account, 'verdict-reject-spam')
  await service.asOperator((tx, sites) => removePost(tx, sites, { ...person(removed), category: 'scam_fraud' }))
  await decided(account, 'verdict-reject-malware_phishing')
  assert.equal((await money(account)).standing, 'banned')
  for (const id of [removed, rejected]) {
    const before = await record(account.client, id)
    const call = (before.rejection ?? before.removal)?.statement.how_to_appeal ?? ''
    const [, url] = /^POST (\S+) with \{"message": "…"\}/.exec(call) ?? []
    const response = await fetch(String(url), {
      method: 'POST',
      headers: { authorization: `Bearer ${account.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'It quotes a leaflet.' }),
    })
    assert.equal(response.status, 202)
    const { status, rejection, removal } = (await response.json()) as PostStatus
    assert.equal(status, id === removed ? 'removed' : 'rejected')
    assert.equal((rejection ?? removal)?.appeal?.status, 'open')
    assert.equal((rejection ?? removal)?.statement.how_to_appeal, null, 'it can be appealed once')
  }
})

test('an amount that the balance cannot cover is owed, and paid operations wait until it is settled', async () => {
  const account = await service.createCustomer(50_000)
  await decided(account, 'verdict-reject-scam_fraud')
  assert.deepEqual(await money(account), { balance_micros: 0, owed_micros: 150_000, strikes: 1, standing: 'good' })
  await service.credit(account.id, 100_000)
  await assert.rejects(account.client.submitPost({ text: 'Ferry at nine.' }), (error) => {
    assert.ok(isProblem(error, 'insufficient_balance'))
    assert.deepEqual([error.document.required_micros, error.document.balance_micros], [20_000 + 50_000, 0])
    assert.ok(error.accountUrl)
    return true
  })
  await service.credit(account.id, 100_000)
  assert.deepEqual(await money(account), { balance_micros: 50_000, owed_micros: 0, strikes: 1, standing: 'good' })
  assert.equal((await account.client.submitPost({ text: 'Ferry at nine.' })).status, 202)
})

test('three strikes ban the account: it can only read, appeal and delete', async () => {
  const account = await service.createCustomer(10_000_000)
  const posts: PostStatus[] = []
  for (let strike = 0; strike < 3; strike++) posts.push(await decided(account, 'verdict-reject-malware_phishing'))
  assert.equal((await money(account)).standing, 'banned')
  await assert.rejects(account.client.submitPost({ text: 'One more.' }), (error) => isProblem(error, 'account_banned'))
  const id = String(posts[2]?.id)
  const { body: appealed } = await account.client.appealPost(id, { message: 'That was a quotation.' })
  assert.equal(appealed.rejection?.appeal?.status, 'open')
  await assert.rejects(account.client.appealPost(id, { message: 'Again.' }), (error) =>
    isProblem(error, 'invalid_state'),
  )
  await service.asOperator((tx, sites) => upholdAppeal(tx, sites, person(id)))
  const upheld = await record(account.client, id)
  assert.equal(upheld.rejection?.appeal?.status, 'upheld')
  assert.equal(upheld.rejection?.strike, false)
  assert.equal(upheld.charged_micros, upheld.refunded_micros, 'all of it came back')
  assert.deepEqual(await money(account), {
    balance_micros: 10_000_000 - 2 * 200_000,
    owed_micros: 0,
    strikes: 2,
    standing: 'good',
  })
  assert.equal((await account.client.deletePost(id)).body.status, 'deleted')
})

test('a post that the model is unsure about goes to review', async () => {
  const account = await service.createCustomer(100_000)
  const post = await decided(account, 'verdict-review')
  assert.equal(post.status, 'review')
  assert.equal(post.decided_at, null)
  await assert.rejects(service.client().getPost(post.id), (error) => isProblem(error, 'post_not_found'))
  await service.asOperator((tx, sites) =>
    decideReview(tx, sites, { ...person(post.id), outcome: 'publish', category: null }),
  )
  const published = await record(account.client, post.id)
  assert.equal(published.status, 'published')
  assert.equal(published.decision?.automated, false)
  assert.deepEqual(await typesOf(account), ['post.review', 'post.published'])
})

test('a reviewer removes a post and restores it: strike and money change accordingly', async () => {
  const account = await service.createCustomer(1_000_000)
  const { id } = await decided(account, 'The harbour office opens at eight on weekdays.')
  await service.asOperator((tx, sites) => removePost(tx, sites, { ...person(id), category: 'impersonation' }))
  const removed = await record(account.client, id)
  assert.equal(removed.status, 'removed')
  assert.equal(removed.removal?.category, 'impersonation')
  assert.deepEqual(await money(account), { balance_micros: 800_000, owed_micros: 0, strikes: 1, standing: 'good' })
  await assert.rejects(service.client().getPost(id), (error) => isProblem(error, 'post_gone'))
  await service.asOperator((tx, sites) => upholdAppeal(tx, sites, person(id)))
  assert.equal((await record(account.client, id)).status, 'published')
  assert.deepEqual(await money(account), { balance_micros: 980_000, owed_micros: 0, strikes: 0, standing: 'good' })
  assert.deepEqual(await typesOf(account), ['post.published', 'post.removed', 'post.published'])
  assert.equal((await service.client().getPost(id)).status, 200)
})

test('an edit is moderated separately: a rejected edit leaves the published version, an accepted one replaces it', async () => {
  const account = await service.createCustomer(1_000_000)
  const { id } = await decided(account, 'The pump station is closed for repairs until Friday.')
  const textOf = async () => {
    const { body } = await service.client().getPost(id)
    return 'content' in body && 'text' in body.content ? body.content.text : ''
  }
  const original = await textOf()
  const edit = async (text: string) => {
    await account.client.editPost(id, { text })
    await service.settle()
    return record(account.client, id)
  }
  const poor = await edit('verdict-low-quality and nothing more')
  assert.equal(poor.edit?.status, 'rejected')
  assert.equal(poor.edit?.rejection?.refunded, true)
  assert.equal(await textOf(), original)
  const abusive = await edit('verdict-reject-spam at https://example.com/x now')
  assert.equal(abusive.edit?.rejection?.strike, true)
  assert.equal(abusive.charged_micros - abusive.refunded_micros, 20_000 + 10_000 * 10 + 10_000)
  assert.equal(await textOf(), original)
  const unsure = await edit('verdict-review of the new opening hours')
  assert.equal(unsure.edit?.status, 'review')
  await assert.rejects(account.client.editPost(id, { text: 'Open again.' }), (error) =>
    isProblem(error, 'invalid_state'),
  )
  await service.asOperator((tx, sites) =>
    decideReview(tx, sites, { ...person(id), outcome: 'publish', category: null }),
  )
  assert.match(String(await textOf()), /new opening hours/)
  const events = (await account.client.listEvents()).body.data
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.edit ?? false]),
    [
      ['post.published', false],
      ['post.rejected', true],
      ['post.rejected', true],
      ['post.review', true],
      ['post.published', true],
    ],
  )
})

test('a deleted post is no longer moderated, and its edit is cancelled', async () => {
  const account = await service.createCustomer(1_000_000)
  const { body } = await account.client.submitPost({ text: `verdict-slow ${crypto.randomUUID()}` })
  assert.ok('id' in body)
  await account.client.deletePost(body.id)
  await service.settle()
  assert.equal((await record(account.client, body.id)).status, 'deleted')
  assert.deepEqual(await typesOf(account), [])
  assert.equal((await money(account)).balance_micros, 980_000, 'no refund')
})

test('only its author can lock a post: calls of another account do not wait, even while it is locked', async () => {
  const [author, stranger] = [await service.createCustomer(100_000), await service.createCustomer(100_000)]
  const { id } = await decided(author, 'The pilot house is open on weekdays from nine.')
  await service.asWorker(async (tx) => {
    await lockPost(tx, id)
    const calls = [
      () => stranger.client.deletePost(id),
      () => stranger.client.editPost(id, { topics: ['mine-now'] }),
      () => stranger.client.appealPost(id, { message: 'Mine.' }),
    ]
    // A caller that waited for the lock, which is never released, would get a lock error.
    for (const call of calls) await assert.rejects(call(), (error) => isProblem(error, 'post_not_found'))
  })
})

test('no event contains user text', async () => {
  const account = await service.createCustomer(1_000_000)
  await decided(account, 'Sentinel-of-user-text verdict-reject-spam')
  const events = JSON.stringify((await account.client.listEvents()).body)
  assert.ok(!events.includes('Sentinel'))
  assert.ok(!service.logLines.join('').includes('Sentinel'), 'nor does the log')
})
