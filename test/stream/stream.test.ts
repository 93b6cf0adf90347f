import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { kinds } from '../../src/kinds/index.ts'
import { applyDecision } from '../../src/moderation/decisions/apply-decision.ts'
import { clearAccount } from '../../src/posts/deletion.ts'
import { publicPostOf } from '../../src/posts/public/public-post.ts'
import { lockPost } from '../../src/posts/status/change-status.ts'
import { type OpenStream, openEventStream } from '../../tooling/clients/event-stream.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { kindNamed, seedPost } from '../support/posts/create-post.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'

let service: Service
let accountId: string

before(async () => {
  service = await startService({ streamTiming: { lookMs: 20, ownLookMs: 20, careMs: 100, blockedMs: 1_000 } })
  accountId = (await service.createCustomer()).id
})
after(() => service[Symbol.asyncDispose]())

const publish = (kind = 'message', changes: object = {}, account = accountId) =>
  publishAsModel(service, { kind: kindNamed(kind), accountId: account, changes })
const told = ({ events }: OpenStream) => events.map(({ type, data }) => `${type} ${data.id}`)
const untilTold = (stream: OpenStream, lines: readonly string[]) =>
  waitFor(
    async () => {
      if (told(stream).length < lines.length) return false
      assert.deepEqual(told(stream), lines)
      return true
    },
    `the stream to tell ${lines.join(', ')}`,
  )

async function removeAsOperator(postId: string) {
  const at = service.clock.now()
  await service.asOperator((tx, sites) =>
    applyDecision(tx, sites, {
      ...{ postId, edit: 0, outcome: 'remove', category: 'spam', from: ['published'], at },
      by: { automated: false, actor: 'operator:test' },
    }),
  )
}

test('a reader gets posts as they are published, edited and taken down, in order', async () => {
  await using stream = await openEventStream(service.baseUrl)
  assert.equal(stream.response.status, 200)
  assert.equal(stream.response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(stream.response.headers.get('access-control-allow-origin'), '*')
  const first = await publish()
  const second = await publish()
  await service.asOwner('update posts set content = content, edited_at = $2 where id = $1', [
    first,
    service.clock.now(),
  ])
  // A post that was taken down before it is read is not told any more.
  await waitFor(async () => stream.events.length === 3, 'the first three events')
  await removeAsOperator(second)
  await untilTold(stream, [
    `post.published ${first}`,
    `post.published ${second}`,
    `post.edited ${first}`,
    `post.removed ${second}`,
  ])
  const [published, , , removed] = stream.events
  assert.doesNotThrow(() => publicPostOf(kindNamed('message')).parse(published?.data))
  assert.deepEqual(Object.keys(removed?.data ?? {}), ['id', 'kind', 'url', 'removed_at'])
})

test('a reader that comes back gets exactly what it has missed, by Last-Event-ID and by after', async () => {
  const first = await openEventStream(service.baseUrl)
  const before = await publish()
  await untilTold(first, [`post.published ${before}`])
  await first.close()
  const missed = [await publish(), await publish()]
  const lines = missed.map((id) => `post.published ${id}`)
  await using byHeader = await openEventStream(service.baseUrl, { lastEventId: first.lastId() })
  await using byQuery = await openEventStream(service.baseUrl, { query: { after: String(first.lastId()) } })
  // EventSource repeats the address it was given, with an older cursor than the header.
  await using byBoth = await openEventStream(service.baseUrl, {
    lastEventId: String(first.lastId()),
    query: { after: '1-1-1' },
  })
  for (const stream of [byHeader, byQuery, byBoth]) await untilTold(stream, lines)
})

test('a reader that got no event can resume by the id of the first comment or of a heartbeat', async () => {
  const quiet = await openEventStream(service.baseUrl, { query: { topic: 'nobody-writes-this' } })
  await waitFor(async () => quiet.lastId() !== undefined, 'the first id')
  const atStart = quiet.lastId()
  await publish()
  await waitFor(async () => quiet.lastId() !== atStart, 'a heartbeat with a later id')
  await quiet.close()
  const later = await publish()
  await using resumed = await openEventStream(service.baseUrl, { lastEventId: quiet.lastId() })
  await untilTold(resumed, [`post.published ${later}`])
  assert.deepEqual(quiet.events, [])
})

test('a stream has the kind of its site, or with kind=all every kind', async () => {
  await using messages = await openEventStream(service.baseUrl)
  await using all = await openEventStream(service.baseUrl, { query: { kind: 'all' } })
  const ids: string[] = []
  for (const { name } of kinds) ids.push(await publish(name))
  await untilTold(
    all,
    ids.map((id) => `post.published ${id}`),
  )
  await untilTold(messages, [`post.published ${ids[kinds.findIndex(({ name }) => name === 'message')]}`])
  const urls = all.events.map(({ data }) => String(data['url']))
  assert.deepEqual(
    urls,
    kinds.map(({ name }, index) => `${service.baseUrls[name]}/p/${ids[index]}`),
  )
})

test('filters choose posts as they do in lists; removals reach every reader of the kind', async () => {
  const other = await service.createAccount()
  const open = (query: Record<string, string>, kind = 'classified') =>
    openEventStream(String(service.baseUrls[kind]), { query })
  await using byAuthor = await open({ author: other.id })
  await using byTopic = await open({ topic: 'boats' })
  await using byPrice = await open({ category: 'for-sale', max_price: '100' })
  const amount = (value: number) => ({ price: { amount: value, currency: 'EUR' }, category: 'for-sale' })
  const cheap = await publish('classified', { ...amount(50), topics: ['boats'] })
  const dear = await publish('classified', { ...amount(5_000), topics: ['cars'] }, other.id)
  await untilTold(byAuthor, [`post.published ${dear}`])
  await removeAsOperator(dear)
  await untilTold(byAuthor, [`post.published ${dear}`, `post.removed ${dear}`])
  await untilTold(byTopic, [`post.published ${cheap}`, `post.removed ${dear}`])
  await untilTold(byPrice, [`post.published ${cheap}`, `post.removed ${dear}`])
})

test('a deleted post is removed from the stream, and its text is not sent any more', async () => {
  const { id, client } = await service.createCustomer()
  const start = await openEventStream(service.baseUrl)
  await waitFor(async () => start.lastId() !== undefined, 'the first id')
  const cursor = start.lastId()
  const post = await publish('message', { text: 'A ferry with a very particular name' }, id)
  await untilTold(start, [`post.published ${post}`])
  await client.deletePost(post)
  await untilTold(start, [`post.published ${post}`, `post.removed ${post}`])
  await using later = await openEventStream(service.baseUrl, { lastEventId: cursor })
  await untilTold(later, [`post.removed ${post}`])
  assert.ok(!later.text().includes('particular'))
  await start.close()
})

test('when an author closes the account, readers get the posts without the author', async () => {
  const account = await service.createCustomer()
  const post = await publish('message', {}, account.id)
  await using stream = await openEventStream(service.baseUrl)
  const at = service.clock.now()
  await service.asOwner('select close_account($1, $2)', [account.id, at])
  const sites = new Map(service.sites.map((site) => [site.kind.name, site]))
  await clearAccount({ db: service.workerDb, sites, accountId: account.id, at })
  await untilTold(stream, [`post.edited ${post}`])
  assert.equal(stream.events[0]?.data['author_id'], null)
})

test('a post that cannot be rendered is skipped and logged, and the stream goes on', async () => {
  await using stream = await openEventStream(service.baseUrl, { query: { kind: 'all' } })
  const post = await publish()
  await untilTold(stream, [`post.published ${post}`])
  await service.asOwner("insert into stream_entries (kind, post_id, type) values ('unheardof', $1, 'post.edited')", [
    post,
  ])
  const next = await publish()
  await untilTold(stream, [`post.published ${post}`, `post.published ${next}`])
  const line = service.logLines.find((one) => one.includes('cannot be rendered'))
  assert.ok(line?.includes(post))
})

test('transactions that commit in another order than they started lose nothing', async () => {
  await using stream = await openEventStream(service.baseUrl)
  const slow = await publishLater()
  const quick = await publish()
  await untilTold(stream, [`post.published ${quick}`])
  await slow.commit()
  const last = await publish()
  await untilTold(stream, [`post.published ${quick}`, `post.published ${slow.id}`, `post.published ${last}`])
})

/** A post whose publication is written and not committed. */
async function publishLater() {
  // The events of one account are written one after another, so this is another account's.
  const account = await service.createAccount()
  const id = await seedPost(service, kindNamed('message'), { accountId: account.id, status: 'queued' })
  const [written, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = service.asWorker(async (tx, sites) => {
    const post = await lockPost(tx, id)
    assert.ok(post)
    const at = service.clock.now()
    await applyDecision(tx, sites, {
      ...{ postId: id, edit: 0, outcome: 'publish', category: null, from: ['queued'], at },
      by: { automated: true, actor: 'model:test' },
    })
    written.resolve()
    await commit.promise
  })
  await written.promise
  return {
    id,
    commit: async () => {
      commit.resolve()
      await done
    },
  }
}
