import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApprovalRequiredError, BroadsideError, isProblem } from '../src/index.ts'
import { clientOf, json, type Reply, refuse, serve } from './misbehaving-server.ts'

const queued = { id: 'post_1', kind: 'story', status: 'queued' }
const story = { title: 'Tides', body: 'Text' }
const apiKey = 'bsk_a'

/** Two sites: the client is opened at the first, and stories are at the second. */
async function twoSites(...replies: Reply[]) {
  const stories = await serve(...replies)
  const listed = [
    { kind: 'message', url: 'https://unused.example' },
    { kind: 'story', url: `${stories.baseUrl}/` },
  ]
  const messages = await serve(json(200, { status: 'up', sites: listed }))
  return {
    ...{ stories, messages, client: clientOf(messages, { apiKey }) },
    [Symbol.asyncDispose]: async () => {
      await stories[Symbol.asyncDispose]()
      await messages[Symbol.asyncDispose]()
    },
  }
}

test('a post goes to the site of its kind, which is looked up once', async () => {
  await using sites = await twoSites(json(202, queued))
  const [first, second] = await Promise.all([
    sites.client.publish('story', story, { idempotencyKey: 'once' }),
    sites.client.publish('story', story),
  ])
  assert.deepEqual([first, second], [queued, queued])
  assert.deepEqual(
    sites.messages.seen.map(({ url, headers }) => [url, headers.authorization]),
    [['/v1/status', undefined]],
  )
  assert.deepEqual(
    sites.stories.seen.map(({ method, url, body }) => [method, url, JSON.parse(body)]),
    [
      ['POST', '/v1/posts', story],
      ['POST', '/v1/posts', story],
    ],
  )
  const keys = sites.stories.seen.map(({ headers }) => headers['idempotency-key'])
  assert.ok(keys.includes('once') && new Set(keys).size === 2)
  assert.equal(await sites.client.siteUrl('story'), sites.stories.baseUrl)
})

test('after a failed look-up of the sites, the next call looks them up again', async () => {
  await using server = await serve(refuse(404, 'not_found'), json(200, { status: 'up' }), json(202, queued))
  const client = clientOf(server)
  await assert.rejects(client.publish('story', story), (error) => isProblem(error, 'not_found'))
  // A service that does not name its sites: the client uses the one that it knows.
  assert.deepEqual(await client.publish('story', story), queued)
})

test('a post that the owner must approve is an error with the draft and the page of the owner', async () => {
  const draft = { id: 'draft_1', state: 'awaiting_approval', kind: 'story' }
  const account_url = 'https://account.example/o/t'
  await using sites = await twoSites(json(202, { draft, account_url, for_human: true }))
  const error = await sites.client.publish('story', story).catch((caught: unknown) => caught)
  assert.ok(error instanceof ApprovalRequiredError && error instanceof BroadsideError)
  assert.deepEqual([error.name, error.draft, error.accountUrl], ['ApprovalRequiredError', draft, account_url])
})

test('a dry run and a scheduled post say so in the query', async () => {
  const draft = { id: 'draft_1', state: 'scheduled' }
  await using sites = await twoSites(json(200, { dry_run: true }), json(202, { draft }))
  assert.deepEqual(await sites.client.check('story', story), { dry_run: true })
  const at = new Date('2026-12-01T08:00:00Z')
  assert.deepEqual(await sites.client.schedule('story', story, at), draft)
  assert.deepEqual(await sites.client.schedule('story', story, '2026-12-01T09:00:00+01:00'), draft)
  assert.deepEqual(
    sites.stories.seen.map(({ url }) => new URL(url, 'http://x').search),
    ['?dry_run=true', '?publish_at=2026-12-01T08%3A00%3A00.000Z', '?publish_at=2026-12-01T09%3A00%3A00%2B01%3A00'],
  )
})

test('a post at another site is found there, with the key for your own and without it for a public one', async () => {
  await using elsewhere = await serve(json(200, queued))
  const sites = [{ kind: 'story', url: `${elsewhere.baseUrl}/` }]
  await using here = await serve((response, request) =>
    (request.url === '/v1/status'
      ? json(200, { status: 'up', sites })
      : refuse(404, 'post_not_found', {}, { kind: 'story', site_url: 'http://elsewhere.example' }))(response, request),
  )
  const client = clientOf(here, { apiKey })
  await client.status('post_1')
  await client.delete('post_1')
  await client.read('post_1')
  assert.deepEqual(
    elsewhere.seen.map(({ method, url, headers }) => [method, url, headers.authorization]),
    [
      ['GET', '/v1/posts/post_1', `Bearer ${apiKey}`],
      ['DELETE', '/v1/posts/post_1', `Bearer ${apiKey}`],
      ['GET', '/v1/posts/post_1', undefined],
    ],
  )
  assert.equal(here.seen.filter(({ url }) => url !== '/v1/status').length, 3)
})

test('an edit goes to the site of its kind', async () => {
  await using sites = await twoSites(json(202, queued))
  await sites.client.edit('story', 'post_1', { title: 'High tides' })
  assert.deepEqual(
    sites.stories.seen.map(({ method, url, body }) => [method, url, body]),
    [['PATCH', '/v1/posts/post_1', '{"title":"High tides"}']],
  )
})

test('a hint is followed once, and only to a site that the service lists', async () => {
  const missing = async (sites: (baseUrl: string) => object[], kind = 'story') => {
    await using here = await serve((response, request) =>
      (request.url === '/v1/status'
        ? json(200, { status: 'up', sites: sites(here.baseUrl) })
        : refuse(404, 'post_not_found', {}, { kind, site_url: here.baseUrl }))(response, request),
    )
    const isMissing = (error: unknown) => isProblem(error, 'post_not_found')
    await assert.rejects(clientOf(here, { apiKey }).status('post_1'), isMissing)
    return here.seen.filter(({ url }) => url !== '/v1/status').length
  }
  assert.equal(await missing((url) => [{ kind: 'story', url }]), 1)
  assert.equal(await missing(() => []), 1)
})

/** Answers for any host. */
const answering = (sites: object[]) => {
  const asked: string[] = []
  const answer = async (input: Parameters<typeof fetch>[0]) => {
    asked.push(String(input))
    const isStatus = String(input).endsWith('/v1/status')
    return Response.json(isStatus ? { status: 'up', sites } : queued, { status: isStatus ? 200 : 202 })
  }
  return { asked, fetch: answer as typeof fetch }
}

test('a site without https is refused if the client’s own has it, and the other way round is fine', async () => {
  const down = answering([{ kind: 'story', url: 'http://stories.example' }])
  const client = clientOf({ baseUrl: 'https://m.example' }, { apiKey, fetch: down.fetch })
  await assert.rejects(client.publish('story', story), /without https for story/)
  assert.deepEqual(down.asked, ['https://m.example/v1/status'])
  const up = answering([{ kind: 'story', url: 'https://stories.example' }])
  await clientOf({ baseUrl: 'http://m.example' }, { apiKey, fetch: up.fetch }).publish('story', story)
  assert.equal(up.asked[1], 'https://stories.example/v1/posts')
})

test('a kind without a listed site is an error', async () => {
  const { asked, fetch } = answering([{ kind: 'message', url: 'https://m.example' }])
  const client = clientOf({ baseUrl: 'https://m.example' }, { apiKey, fetch })
  await assert.rejects(client.publish('story', story), /lists no site for story/)
  assert.equal(asked.length, 1)
})

test('a signal ends the look-up of a site for its caller, and not for the others', async () => {
  const gate = Promise.withResolvers<void>()
  const sites = answering([{ kind: 'story', url: 'https://stories.example' }])
  const slow: typeof fetch = async (input, init) => {
    if (String(input).endsWith('/v1/status')) await gate.promise
    return sites.fetch(input, init)
  }
  const client = clientOf({ baseUrl: 'https://m.example' }, { apiKey, fetch: slow })
  const stop = new AbortController()
  const reason = new Error('enough')
  const other = client.publish('story', story)
  const aborted = client.publish('story', story, { signal: stop.signal })
  const stream = client.stream({ kind: 'story', signal: stop.signal }).next()
  stop.abort(reason)
  await assert.rejects(aborted, reason)
  await assert.rejects(stream, reason)
  gate.resolve()
  assert.deepEqual(await other, queued)
  assert.equal(sites.asked.length, 2)
})

test('the status of another account’s post is an error that says what to use', async () => {
  await using server = await serve(json(200, { id: 'post_1', kind: 'message', content: { text: 'a' } }))
  await assert.rejects(clientOf(server, { apiKey }).status('post_1'), /not a post of this account.*Use read\(\)/)
})
