import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem } from '../../clients/typescript/src/index.ts'
import type { Call } from '../../src/contract/call.ts'
import { kinds } from '../../src/kinds/index.ts'
import { byKey } from '../../src/mcp/http-adapter.ts'
import { estimateQueued } from '../../src/moderation/status/estimate.ts'
import { connect } from '../../src/platform/database/database.ts'
import { newId } from '../../src/platform/identifiers.ts'
import { ownPostsOperation } from '../../src/posts/list-own-posts.ts'
import { postStatuses } from '../../src/posts/status/lifecycle.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { countBuffers } from '../support/database/count-buffers.ts'
import { callTool } from '../support/mcp/call-tool.ts'
import { kindNamed, seedListedPost, seedPost } from '../support/posts/create-post.ts'

let service: Service
before(async () => {
  service = await startService({ commonMcp: { authentication: byKey } })
})
after(() => service[Symbol.asyncDispose]())

type Item = {
  id: string
  kind: string
  status: string
  url: string | null
  content_trust: string
  content: { headline: string } | null
}
type Page = { data: Item[]; next_cursor: string | null; content_trust: string }

async function list(apiKey: string, query: Record<string, string> = {}, kind = 'message'): Promise<Page> {
  const url = `${service.baseUrls[kind]}/v1/account/posts?${new URLSearchParams(query)}`
  const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } })
  assert.equal(response.status, 200, await response.clone().text())
  return (await response.json()) as Page
}

let offset = 0
function nextSecond() {
  offset += 1_000
  service.clock.setOffset(offset)
}

const idsOf = ({ data }: Page) => data.map(({ id }) => id)

/** One post of each kind in each status, newest first. */
async function seedAll(accountId: string): Promise<string[]> {
  const ids: string[] = []
  for (const kind of kinds)
    for (const status of postStatuses) {
      nextSecond()
      ids.unshift(await seedPost(service, kind, { accountId, status }))
    }
  return ids
}

test('the list has posts of every kind in every status, newest first, each as its own status record', async () => {
  const author = await service.createAccount()
  const ids = await seedAll(author.id)
  for (const { name } of kinds) assert.deepEqual(idsOf(await list(author.api_key, { limit: '100' }, name)), ids)
  const page = await list(author.api_key, { limit: '100' })
  assert.equal(page.content_trust, 'untrusted-user-content')
  for (const { content_trust, content, ...record } of page.data) {
    assert.equal(content_trust, 'untrusted-user-content')
    const { presentation, examples } = kindNamed(record.kind)
    assert.deepEqual(content, record.status === 'deleted' ? null : { headline: presentation.headline(examples[0]) })
    const response = await fetch(`${service.baseUrls[record.kind]}/v1/posts/${record.id}`, {
      headers: { authorization: `Bearer ${author.api_key}` },
    })
    const own = (await response.json()) as Record<string, unknown>
    const moment = (name: string, value: unknown) => (/_decision_at$/.test(name) ? typeof value : value)
    assert.deepEqual(JSON.parse(JSON.stringify(record), moment), JSON.parse(JSON.stringify(own), moment))
  }
})

test('the filters by status, kind and time work alone and together', async () => {
  const author = await service.createAccount()
  const ids = await seedAll(author.id)
  const all = (await list(author.api_key, { limit: '100' })).data
  const only = (keep: (item: Item) => boolean) => all.filter(keep).map(({ id }) => id)
  for (const status of postStatuses)
    assert.deepEqual(
      idsOf(await list(author.api_key, { status })),
      only((item) => item.status === status),
    )
  for (const { name: kind } of kinds)
    assert.deepEqual(
      idsOf(await list(author.api_key, { kind })),
      only((item) => item.kind === kind),
    )
  assert.deepEqual(
    idsOf(await list(author.api_key, { kind: 'story', status: 'review' })),
    only((item) => item.kind === 'story' && item.status === 'review'),
  )
  const created = all.map((item) => String((item as unknown as { created_at: string }).created_at))
  const range = { since: String(created[9]), until: String(created[4]), limit: '100' }
  assert.deepEqual(idsOf(await list(author.api_key, range)), ids.slice(5, 10))
  assert.deepEqual(
    idsOf(await list(author.api_key, { ...range, status: 'queued' })),
    all.slice(5, 10).flatMap(({ id, status }) => (status === 'queued' ? [id] : [])),
  )
  assert.deepEqual(idsOf(await list(author.api_key, { since: '9999-01-01T00:00:00Z' })), [])
  assert.equal(idsOf(await list(author.api_key, { since: '0001-01-01T00:00:00Z', limit: '100' })).length, ids.length)
})

test('pages show each post once, also while posts are added', async () => {
  const author = await service.createAccount()
  const ids = await seedAll(author.id)
  for (const filter of [{}, { status: 'published' }, { kind: 'event' }]) {
    const wanted = idsOf(await list(author.api_key, { limit: '100', ...filter }))
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Page = await list(author.api_key, { limit: '3', ...filter, ...(cursor && { cursor }) })
      assert.ok(page.data.length <= 3)
      seen.push(...idsOf(page))
      cursor = page.next_cursor
      nextSecond()
      for (const kind of kinds) await seedPost(service, kind, { accountId: author.id, status: 'published' })
    } while (cursor)
    assert.deepEqual(seen, wanted)
  }
  assert.ok(ids.length > 0)
})

test('other accounts’ posts are never listed, and without a key nothing is', async () => {
  const [author, other] = [await service.createAccount(), await service.createAccount()]
  await seedAll(author.id)
  const own = await seedPost(service, kindNamed('story'), { accountId: other.id, status: 'published' })
  assert.deepEqual(idsOf(await list(other.api_key)), [own])
  const foreign = idsOf(await list(author.api_key))[0] as string
  assert.deepEqual(idsOf(await list(other.api_key, { cursor: foreign })).length, 0, 'a foreign cursor is only a time')
  const response = await fetch(`${service.baseUrl}/v1/account/posts`)
  assert.equal(response.status, 401)
})

test('another account’s post is unknown until it is published', async () => {
  const [author, other] = [await service.createAccount(), await service.createAccount()]
  const kind = kindNamed('message')
  for (const status of ['queued', 'review', 'rejected', 'deleted'] as const) {
    const id = await seedPost(service, kind, { accountId: author.id, status })
    assert.partialDeepStrictEqual((await service.client(author.api_key).getPost(id)).body, { status })
    await assert.rejects(service.client(other.api_key).getPost(id), (error) => isProblem(error, 'post_not_found'))
  }
})

test('the tool returns the same on each site and for all sites', async () => {
  const author = await service.createAccount()
  await seedAll(author.id)
  const sending = { apiKey: author.api_key }
  for (const query of [{}, { kind: 'message', status: 'review' }, { limit: 2 }]) {
    const json = await list(
      author.api_key,
      Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    )
    for (const url of [...Object.values(service.baseUrls), service.accountPageUrl]) {
      const { result } = await callTool(String(url), 'list_my_posts', query, sending)
      const page = result?.structuredContent as Page
      assert.deepEqual(idsOf(page), idsOf(json))
      assert.equal(page.next_cursor, json.next_cursor)
      assert.equal(result?._meta?.['broadside/content_trust'], 'untrusted-user-content')
    }
  }
})

test('unknown values of the filters are refused', async () => {
  const author = await service.createAccount()
  for (const query of ['status=open', 'kind=poem', 'limit=0', 'limit=101', 'cursor=x', 'since=yesterday', 'page=2']) {
    const response = await fetch(`${service.baseUrl}/v1/account/posts?${query}`, {
      headers: { authorization: `Bearer ${author.api_key}` },
    })
    assert.equal(response.status, 400, query)
    assert.equal(((await response.json()) as { code: string }).code, 'invalid_query')
  }
})

test('a published post of the list links to its site', async () => {
  const author = await service.createAccount()
  const { name, examples } = kindNamed('event')
  const publishedAt = service.clock.now()
  const id = await seedListedPost(service, { kind: name, body: examples[0], publishedAt, accountId: author.id })
  const [item] = (await list(author.api_key)).data
  assert.equal(item?.url, `${service.baseUrls['event']}/p/${id}`)
})

test('a page takes the same statements for 1 and for 100 posts, and few reads among thousands of posts', async () => {
  const author = await service.createAccount()
  const at = service.clock.now().getTime()
  const rows = Array.from({ length: 5_000 }, (_, index) => newId('post', new Date(at - 5_000_000 + index * 1_000)))
  await service.asOwner(
    `insert into posts (id, account_id, kind, status, content, facets, created_at)
     select id, $2, 'message', 'queued', '{"text": "A ferry is late.", "topics": []}', '{}', $3 from unnest($1::text[]) as rows(id)`,
    [rows, author.id, service.clock.now()],
  )
  await service.asOwner("update posts set status = 'review' where id = $1", [rows[7]])
  await service.asOwner('analyze posts')
  await using connection = connect(service.database.urls.api, { poolMax: 1, applicationName: 'test own posts' })
  const operation = ownPostsOperation(kinds, estimateQueued)
  const measure = (query: object) =>
    countBuffers(connection, async (db) => {
      const { clock, baseUrls } = service
      const call = { db, clock, baseUrls, caller: { accountId: author.id } } as unknown as Call
      const input = { params: {}, body: undefined, query: operation.query?.parse(query) }
      const { data } = (await operation.handle(call, input)) as Page
      assert.ok(data.length > 0)
    })
  const [one, hundred] = [await measure({ limit: '1' }), await measure({ limit: '100' })]
  assert.equal(one.queries, hundred.queries)
  const deep = { cursor: String(rows[2_500]), limit: '1' }
  for (const query of [{ limit: '1' }, deep, { status: 'review' }, { status: 'review', kind: 'message' }]) {
    const { buffers } = await measure(query)
    assert.ok(buffers < 200, `${JSON.stringify(query)}: ${buffers} pages`)
  }
})
