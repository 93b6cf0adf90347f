// Runs alone: it starts processes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { actorName } from '../../src/bin/operator.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { removePost } from '../../src/moderation/decisions/decide-by-person.ts'
import { runOperator, settingsFor, type TestSettings } from '../../tooling/environment/processes.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { seedPost } from '../support/posts/create-post.ts'

let service: Service
let settings: TestSettings
let account: Awaited<ReturnType<Service['createCustomer']>>
before(async () => {
  service = await startService()
  settings = await settingsFor(service.database)
  account = await service.createCustomer(10_000_000)
})
after(() => service[Symbol.asyncDispose]())

const seed = (status: 'queued' | 'review' | 'published' | 'rejected' | 'removed') =>
  seedPost(service, kinds[0] as Kind, { accountId: account.id, status })
const run = (...args: string[]) => runOperator(settings, ...args)
const audit = async (postId: string) =>
  service.asOwner<{ action: string; actor: string }>(
    "select action, actor from audit_log where details->>'post_id' = $1 order by id",
    [postId],
  )

test('decide publishes, rejects as low quality, and rejects with a category; each leaves an audit row', async () => {
  const verdicts: [string[], string][] = [
    [['publish'], 'published'],
    [['low-quality'], 'rejected'],
    [['reject', 'scam_fraud'], 'rejected'],
    [['reject', 'scam-fraud'], 'rejected'],
  ]
  for (const [verdict, status] of verdicts)
    for (const from of ['review', 'queued'] as const) {
      const id = await seed(from)
      const { code, json, stderr } = await run('decide', id, ...verdict)
      assert.equal(code, 0, stderr)
      assert.deepEqual(json, { post_id: id, status })
      const [row] = await audit(id)
      assert.equal(row?.action, 'post.decide')
      assert.match(String(row?.actor), /^operator:/)
    }
})

test('post show prints what happened to a post, for each reading of its status', async () => {
  const author = await service.createCustomer()
  const { body } = await author.client.submitPost({ text: 'The crane on the south quay is out of order.' })
  const id = 'id' in body ? body.id : ''
  await service.asWorker((tx) => enqueue(tx, 'publish-post', { post_id: id }))
  assert.equal((await run('decide', id, 'publish')).code, 0)
  const { json, stderr } = await run('post', 'show', id)
  assert(json, stderr)
  assert.deepEqual([json['id'], json['status'], json['listed'], json['edits']], [id, 'published', true, []])
  const named = (list: unknown, field: string) => (list as Record<string, unknown>[]).map((row) => row[field])
  assert.deepEqual(named(json['decisions'], 'outcome'), ['publish'])
  assert(named(json['jobs'], 'name').includes('publish-post'))
  assert.deepEqual(named(json['charges'], 'reason'), ['post'])
  assert.doesNotMatch(JSON.stringify(json), /crane/)
  assert.match((await run('post', 'show', 'post_short')).stderr, /A post ID is post_/)
})

test('remove and restore', async () => {
  const id = await seed('published')
  const { strikes, balance_micros } = (await account.client.getAccount()).body
  assert.deepEqual((await run('remove', id, 'hate_harassment')).json, { post_id: id, status: 'removed' })
  const after = (await account.client.getAccount()).body
  assert.deepEqual([after.strikes, after.balance_micros], [strikes + 1, balance_micros - 180_000])
  assert.deepEqual((await run('restore', id)).json, { post_id: id, status: 'published' })
  const restored = (await account.client.getAccount()).body
  assert.deepEqual([restored.strikes, restored.balance_micros], [strikes, balance_micros])
  assert.deepEqual(
    (await audit(id)).map(({ action }) => action),
    ['post.remove', 'post.restore'],
  )
})

test('dismiss confirms a rejection: once, with an audit row, and not by the person who decided', async () => {
  const [refused, removed] = [await seed('rejected'), await seed('published')]
  await account.client.appealPost(refused, { message: 'It is fine.' })
  assert.deepEqual((await run('dismiss', refused)).json, { post_id: refused, status: 'rejected' })
  const { body } = await account.client.getPost(refused)
  assert.equal('rejection' in body && body.rejection?.appeal?.status, 'dismissed')
  assert.match((await run('dismiss', refused)).stderr, /The post has no open appeal/)
  assert.deepEqual(
    (await audit(refused)).map(({ action }) => action),
    ['post.dismiss_appeal'],
  )
  const own = { postId: removed, actor: actorName(), at: service.clock.now() }
  await service.asOperator((tx, sites) => removePost(tx, sites, { ...own, category: 'low_quality' }))
  await account.client.appealPost(removed, { message: 'It is fine.' })
  const { code, stderr } = await run('dismiss', removed)
  assert.match(stderr, /You made this decision/)
  assert.notEqual(code, 0)
})

test('a wrong call prints one line of instructions and changes nothing', async () => {
  const published = await seed('published')
  const wrong: [string[], RegExp][] = [
    [['decide', published, 'publish'], /The post is published\. There is nothing to decide/],
    [['decide', 'post_short', 'publish'], /A post ID is post_/],
    [['decide', 'post_01jcmzq8e5f7r9t2v4x6y8z0ab', 'publish'], /There is no post/],
    [['decide', published, 'maybe'], /The verdict must be one of: publish, low-quality, reject/],
    [['decide', published, 'reject'], /The category must be one of: hate_harassment/],
    [['decide', published, 'publish', 'spam'], /Only `reject` takes a category/],
    [['remove', published, 'rudeness'], /The category must be one of/],
    [['restore', published], /There is nothing to restore/],
    [['remove', published], /Usage: npm run broadside -- remove <post_id> <category>/],
  ]
  for (const [args, message] of wrong) {
    const { code, stderr } = await run(...args)
    assert.notEqual(code, 0)
    assert.match(stderr, message)
    assert.ok(stderr.trim().split('\n').length <= 2, stderr)
  }
  assert.deepEqual(await audit(published), [])
})
