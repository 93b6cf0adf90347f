import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import { expirePosts } from '../../../src/posts/expiry.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { seedListedPost } from '../../support/posts/create-post.ts'

let service: Service
let authors: string[]
before(async () => {
  service = await startService()
  authors = [(await service.createAccount()).id, (await service.createAccount()).id]
})
after(() => service[Symbol.asyncDispose]())

const day = 86_400_000

type Put = { kind: string; body: object; publishedAt: Date; author?: number }

const put = ({ author = 0, ...post }: Put): Promise<string> =>
  seedListedPost(service, { ...post, accountId: String(authors[author]) })
const clear = () => service.asOwner('truncate posts, search_entries cascade')
const now = () => service.clock.now().getTime()

async function idsOf(kind: string, query: Record<string, string | number>): Promise<string[]> {
  const url = new URL(`${service.baseUrls[kind]}/v1/posts`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  const response = await fetch(url)
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return (JSON.parse(text) as { data: { id: string }[] }).data.map(({ id }) => id)
}

test('pages have no gap and no repeat while new posts appear and others disappear', async () => {
  const step = fc.record({ limit: fc.integer({ min: 1, max: 4 }), newer: fc.nat({ max: 3 }), removes: fc.boolean() })
  const scene = fc.record({
    posts: fc.integer({ min: 0, max: 12 }),
    steps: fc.array(step, { minLength: 20, maxLength: 20 }),
  })
  await fc.assert(
    fc.asyncProperty(scene, async ({ posts, steps }) => {
      await clear()
      const start = now() - 100_000
      const old: string[] = []
      // Several at the same millisecond: the id decides their order.
      for (let index = 0; index < posts; index++)
        old.push(
          await put({
            kind: 'message',
            body: { text: `Old ${index}` },
            publishedAt: new Date(start + Math.floor(index / 3)),
          }),
        )
      const seen: string[] = []
      let removed: string | undefined
      let cursor: string | null = null
      for (const { limit, newer, removes } of steps) {
        const { body } = await service.client().browsePosts({ limit, ...(cursor !== null && { cursor }) })
        seen.push(...body.data.map(({ id }) => id))
        cursor = body.next_cursor
        if (cursor === null) break
        for (let index = 0; index < newer; index++)
          await put({ kind: 'message', body: { text: 'New' }, publishedAt: new Date(start + 50_000 + index) })
        if (removes && !removed) {
          removed = old.find((id) => !seen.includes(id))
          if (removed)
            await service.asOwner("update posts set status = 'removed', listed = false where id = $1", [removed])
        }
      }
      assert.equal(cursor, null, 'the pages end')
      assert.equal(new Set(seen).size, seen.length, 'nothing twice')
      const expected = old.toReversed().filter((id) => id !== removed)
      assert.deepEqual(new Set(seen.filter((id) => old.includes(id))), new Set(expected), 'nothing left out')
    }),
    { numRuns: 25 },
  )
})

test('newest first, and the Link header leads to the next page with the same filters', async () => {
  await clear()
  const ids: string[] = []
  for (let index = 0; index < 5; index++)
    ids.push(
      await put({
        kind: 'message',
        body: { text: `Tide ${index}`, topics: ['tides'] },
        publishedAt: new Date(now() - 10_000 + index),
      }),
    )
  await put({ kind: 'message', body: { text: 'Other', topics: ['other'] }, publishedAt: new Date(now() - 5_000) })
  const first = await fetch(`${service.baseUrl}/v1/posts?topic=tides&limit=3`)
  const page = (await first.json()) as { data: { id: string }[]; next_cursor: string; content_trust: string }
  assert.deepEqual(
    page.data.map(({ id }) => id),
    ids.toReversed().slice(0, 3),
  )
  assert.equal(page.content_trust, 'untrusted-user-content')
  const link = /^<(.*)>; rel="next"$/.exec(String(first.headers.get('link')))?.[1]
  const second = (await (await fetch(String(link))).json()) as typeof page
  assert.deepEqual(
    second.data.map(({ id }) => id),
    ids.toReversed().slice(3),
  )
  assert.equal(second.next_cursor, null)
})

test('each kind is found by its own filters', async () => {
  await clear()
  const at = new Date(now() - 60_000)
  const berlin = { country: 'DE', state: 'DE-BE', city: { geonames_id: 2950159, name: 'Berlin' } }
  const message = await put({
    kind: 'message',
    body: { text: 'Grüße', topics: ['city'], location: berlin },
    publishedAt: at,
  })
  await put({ kind: 'message', body: { text: 'Salut', location: { country: 'FR' } }, publishedAt: at, author: 1 })
  for (const query of [
    { topic: 'city' },
    { country: 'DE' },
    { state: 'DE-BE' },
    { city: 2950159 },
    { author: String(authors[0]) },
  ])
    assert.deepEqual(await idsOf('message', query), [message], JSON.stringify(query))
  const ad = (price: number, category: string) => ({
    title: 'Oars',
    body: 'A pair of ash oars.',
    category,
    price: { amount: price, currency: 'EUR' },
    condition: 'good',
  })
  const cheap = await put({ kind: 'classified', body: ad(10, 'for-sale'), publishedAt: at })
  const dear = await put({ kind: 'classified', body: ad(99.5, 'services'), publishedAt: new Date(at.getTime() - 1) })
  assert.deepEqual(await idsOf('classified', { min_price: 50 }), [dear])
  assert.deepEqual(await idsOf('classified', { max_price: 50, currency: 'EUR' }), [cheap])
  assert.deepEqual(await idsOf('classified', { category: 'services', condition: 'good' }), [dear])
  const until = new Date(at.getTime() + 1).toISOString()
  assert.deepEqual(await idsOf('classified', { since: at.toISOString(), until }), [cheap])
  const event = (starts: string, ends: string) => ({
    title: 'Walk',
    body: 'A walk on the flats.',
    timezone: 'UTC',
    starts_at: starts,
    ends_at: ends,
  })
  const may = await put({ kind: 'event', body: event('2030-05-01T10:00:00Z', '2030-05-01T12:00:00Z'), publishedAt: at })
  const june = await put({
    kind: 'event',
    body: event('2030-06-01T10:00:00Z', '2030-06-01T12:00:00Z'),
    publishedAt: at,
  })
  assert.deepEqual(await idsOf('event', { starts_after: '2030-05-15T00:00:00Z' }), [june])
  assert.deepEqual(await idsOf('event', { starts_before: '2030-05-15T00:00:00Z' }), [may])
})

test('an expired ad and an ended event leave the list at that moment, and their own pages stay', async () => {
  await clear()
  const body = { title: 'Oars', body: 'A pair of ash oars.', category: 'for-sale' }
  const id = await put({ kind: 'classified', body, publishedAt: new Date(now()) })
  service.clock.setOffset(30 * day - 1_200_000)
  assert.deepEqual(await idsOf('classified', {}), [id])
  service.clock.setOffset(30 * day)
  assert.deepEqual(await idsOf('classified', {}), [], 'even before any job has run')
  await expirePosts(service.workerDb, service.clock.now())
  const [row] = await service.asOwner<{ listed: boolean }>('select listed from posts where id = $1', [id])
  assert.equal(row?.listed, false)
  assert.equal((await service.client(undefined, 'classified').getPost(id)).status, 200)
  service.clock.setOffset(0)
})

test('a list and a post are revalidated with their ETag, and a status record is never cached', async () => {
  await clear()
  const id = await put({ kind: 'message', body: { text: 'Same' }, publishedAt: new Date(now() - 1_000) })
  for (const path of ['/v1/posts', `/v1/posts/${id}`]) {
    const first = await fetch(service.baseUrl + path)
    const etag = String(first.headers.get('etag'))
    assert.match(etag, /^W\/"[\w-]+"$/)
    assert.equal(first.headers.get('cache-control'), 'public, no-cache')
    assert.equal(first.headers.get('vary'), 'Authorization')
    for (const tag of [etag, `"other", ${etag}`, '*', etag.slice(2)]) {
      const again = await fetch(service.baseUrl + path, { headers: { 'if-none-match': tag } })
      assert.equal(again.status, 304, tag)
      assert.equal(again.headers.get('etag'), etag)
      assert.equal(await again.text(), '')
    }
    const changed = await fetch(service.baseUrl + path, { headers: { 'if-none-match': '"other"' } })
    assert.equal(changed.status, 200)
  }
  const account = await service.createCustomer()
  const { body } = await account.client.submitPost({ text: 'Mine.' })
  assert.ok('id' in body)
  const own = await account.client.getPost(body.id)
  assert.equal(own.headers.get('cache-control'), 'private, no-store')
  assert.equal(own.headers.get('etag'), null)
})

test('an invalid parameter is refused with a pointer to it', async () => {
  for (const query of [
    'limit=0',
    'limit=101',
    'cursor=nonsense',
    'author=me',
    'since=yesterday',
    'country=Germany',
    'topic=Bad Topic',
    'category=for-sale',
  ]) {
    const response = await fetch(`${service.baseUrl}/v1/posts?${query}`)
    const problem = (await response.json()) as { code: string; errors: { pointer: string }[] }
    assert.equal(problem.code, 'invalid_query', query)
    assert.equal(problem.errors[0]?.pointer, `#/${query.split('=')[0]}`)
  }
})

test('Invariant 4: the public view of a post shows only the author’s name, and user text only under content', async () => {
  await clear()
  const id = await put({
    kind: 'message',
    body: { text: 'Sentinel of user text' },
    publishedAt: new Date(now() - 1_000),
  })
  const { body } = await service.client().getPost(id)
  const { content, ...outside } = body as { content: object }
  assert.ok(JSON.stringify(content).includes('Sentinel'))
  assert.ok(!JSON.stringify(outside).includes('Sentinel'))
  assert.ok(!JSON.stringify(body).includes('owner@example.com'))
})

test('a closed account’s posts stay, without its link', async () => {
  await clear()
  const id = await put({
    kind: 'message',
    body: { text: 'Still here.' },
    publishedAt: new Date(now() - 1_000),
    author: 1,
  })
  await service.asOwner("update accounts set standing = 'closed' where id = $1", [authors[1]])
  const { body } = await service.client().getPost(id)
  assert.ok('content' in body)
  assert.equal(body.author_id, null)
  assert.equal((body.content as { author: { name: string } }).author.name, 'Deleted account')
  assert.deepEqual(await idsOf('message', { author: String(authors[1]) }), [])
  assert.deepEqual(await idsOf('message', {}), [id])
})

test('events of the log are in order, starting after the given one', async () => {
  const account = await service.createCustomer()
  for (let index = 0; index < 5; index++)
    await service.asOwner(
      `insert into events (id, account_id, position, type, data, at) values ($1, $2, $3, 'post.published', $4, $5)`,
      [
        newId('evt', service.clock.now()),
        account.id,
        index + 1,
        JSON.stringify({ id: `p${index}`, kind: 'message', status: 'published' }),
        service.clock.now(),
      ],
    )
  const { body: first } = await account.client.listEvents({ limit: 2 })
  assert.deepEqual(
    first.data.map(({ data }) => data.id),
    ['p0', 'p1'],
  )
  const { body: rest } = await account.client.listEvents({ after: String(first.next_cursor) })
  assert.deepEqual(
    rest.data.map(({ data }) => data.id),
    ['p2', 'p3', 'p4'],
  )
  assert.equal(rest.next_cursor, null)
  const other = await service.createCustomer()
  assert.deepEqual((await other.client.listEvents()).body.data, [])
  await assert.rejects(other.client.listEvents({ after: String(first.next_cursor) }), (error) =>
    isProblem(error, 'invalid_query'),
  )
})

test('polling continues from the time of an event that was lost in a failover', async () => {
  const account = await service.createCustomer()
  const minutesAgo = (minutes: number) => new Date(service.clock.now().getTime() - minutes * 60_000)
  const times = [30, 20, 10].map(minutesAgo)
  for (const [index, at] of times.entries())
    await service.asOwner(
      `insert into events (id, account_id, position, type, data, at) values ($1, $2, $3, 'post.published', $4, $5)`,
      [
        ...[newId('evt', at), account.id, index + 1],
        ...[JSON.stringify({ id: `p${index}`, kind: 'message', status: 'published' }), at],
      ],
    )
  const idsAfter = async (lost: Date) =>
    (await account.client.listEvents({ after: newId('evt', lost) })).body.data.map(({ data }) => data.id)
  assert.deepEqual(await idsAfter(minutesAgo(15)), ['p2'])
  // An event of the same moment may have come later, so it is repeated.
  assert.deepEqual(await idsAfter(minutesAgo(20)), ['p1', 'p2'])
  assert.deepEqual(await idsAfter(minutesAgo(60)), ['p0', 'p1', 'p2'])
  await assert.rejects(idsAfter(minutesAgo(-60)), (error) => isProblem(error, 'invalid_query'))
})
