import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { OperationHint } from '../../src/contract/problems/problem.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { kindNamed, seedListedPost, seedPost } from '../support/posts/create-post.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service[Symbol.asyncDispose]())

type Problem = {
  code: string
  detail: string
  expected?: string
  closest?: OperationHint
  allowed?: OperationHint[]
  kind?: string
  site_url?: string
  errors?: { pointer: string; allowed?: string[]; closest?: string }[]
}

async function ask(path: string, init: RequestInit & { kind?: string } = {}) {
  const { kind = 'message', ...rest } = init
  const response = await fetch(`${service.baseUrls[kind]}${path}`, rest)
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) as Problem }
}

const id = 'post_01jcmzq8e5f7r9t2v4x6y8z0ab'
const paths: [method: string, path: string, expected: string][] = [
  ['POST', '/v1/messages', 'POST /v1/posts'],
  ['POST', '/v1/post', 'POST /v1/posts'],
  ['GET', `/v1/posts/${id}/status`, 'GET /v1/posts/{id}'],
  ['POST', '/posts', 'POST /v1/posts'],
  ['GET', '/v1/accounts/me', 'GET /v1/account'],
  ['POST', '/api/v1/posts', 'POST /v1/posts'],
  ['POST', '/v2/posts', 'POST /v1/posts'],
  ['GET', '/v1/place', 'GET /v1/places'],
  ['GET', '/v1/webhook', 'GET /v1/webhooks'],
]

suite('an unknown path names the operation that is probably meant', () => {
  for (const [method, path, expected] of paths)
    test(`${method} ${path}`, async () => {
      const { status, body } = await ask(path, { method })
      assert.equal(status, 404)
      assert.equal(`${body.closest?.method} ${body.closest?.path}`, expected)
    })
  test('on the site of the kind that the path names', async () => {
    const { body } = await ask('/v1/stories', { method: 'POST' })
    assert.equal(body.closest?.url, `${service.baseUrls['story']}/v1/posts`)
  })
  test('but not if nothing is near', async () => {
    const { status, body } = await ask('/v1/zzzzzzzz/qqqqq/wwwww')
    assert.deepEqual([status, body.closest], [404, undefined])
  })
})

test('a wrong method names the operations at the path', async () => {
  const { status, body } = await ask(`/v1/posts/${id}`, { method: 'PUT' })
  assert.equal(status, 405)
  assert.equal(body.closest?.method, 'PATCH')
  assert.deepEqual(
    body.allowed?.map(({ method }) => method),
    ['GET', 'PATCH', 'DELETE'],
  )
})

test('an identifier that matches nothing is a 404, whatever its form and length', async () => {
  for (const wrong of ['x', 'post_1', 'a'.repeat(300), 'a'.repeat(5_000), '%20', 'post_'.repeat(40)]) {
    const { status, body } = await ask(`/v1/posts/${wrong}`)
    assert.deepEqual([status, body.code], [404, 'post_not_found'], wrong.slice(0, 20))
  }
})

test('a post on another site says where, but only to those who may know it', async () => {
  const [author, other] = [await service.createAccount(), await service.createAccount()]
  const story = kindNamed('story')
  const waiting = await seedPost(service, story, { accountId: author.id, status: 'queued' })
  const publishedAt = service.clock.now()
  const body = story.examples[0]
  const published = await seedListedPost(service, { kind: 'story', body, publishedAt, accountId: author.id })
  const read = async (post: string, apiKey?: string) => {
    const answer = await ask(`/v1/posts/${post}`, apiKey ? { headers: { authorization: `Bearer ${apiKey}` } } : {})
    assert.equal(answer.body.code, 'post_not_found')
    return [answer.body.kind, answer.body.site_url]
  }
  const there = ['story', service.baseUrls['story']]
  assert.deepEqual(await read(published), there)
  assert.deepEqual(await read(published, other.api_key), there)
  assert.deepEqual(await read(waiting, author.api_key), there)
  assert.deepEqual(await read(waiting, other.api_key), [undefined, undefined])
  assert.deepEqual(await read(waiting), [undefined, undefined])
  const headers = { authorization: `Bearer ${author.api_key}` }
  assert.equal((await ask(`/v1/posts/${waiting}`, { method: 'DELETE', headers })).body.kind, 'story')
})

test('a wrong key says what was seen and what is right, and never the key', async () => {
  const { api_key: key } = await service.createAccount()
  const wrong: [headers: Record<string, string>, says: RegExp][] = [
    [{ 'x-api-key': key }, /ignores the header x-api-key/],
    [{ authorization: key }, /Bearer is missing before the key/],
    [{ authorization: `Basic ${btoa(`${key}:`)}` }, /uses Basic/],
    [{ authorization: `Token ${key}` }, /does not start with Bearer/],
    [{ authorization: `Bearer "${key}"` }, /in quotes/],
    [{ authorization: `Bearer ${key.slice(0, 20)} ${key.slice(20)}` }, /space in the key/],
    [{ authorization: `Bearer ${key.slice(0, -1)}` }, /53 characters/],
    [{ authorization: 'Bearer whsec_c2VjcmV0LW9mLWEtd2ViaG9vaw==' }, /webhook secret/],
    [{ authorization: `Bearer bsa_${key.slice(4)}` }, /access token of an app/],
    [{ authorization: 'Bearer YOUR_API_KEY' }, /placeholder/],
    [{ authorization: 'Bearer' }, /no key after Bearer/],
  ]
  for (const [headers, says] of wrong) {
    const { status, text, body } = await ask('/v1/account', { headers })
    assert.equal(status, 401, text)
    assert.match(body.detail, says)
    assert.equal(body.expected, 'Authorization: Bearer <API key>')
    assert.ok(!text.includes(key.slice(4, 20)), text)
  }
})

test('a body of unknown fields gets a bounded response without its values', async () => {
  const { api_key } = await service.createAccount()
  const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 'zq7-secret']))
  const { status, text } = await ask('/v1/posts', {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  })
  assert.equal(status, 422)
  assert.ok(text.length < 15_000, `${text.length}`)
  assert.ok(!text.includes('zq7-secret'))
})

test('places are found over HTTP without a key, and hostile text gets no echo', async () => {
  const { status, body } = await ask(`/v1/places?${new URLSearchParams({ q: 'Lisboa', country: 'PT' })}`)
  assert.equal(status, 200)
  assert.match(JSON.stringify(body), /"geonames_id":2267057/)
  for (const q of ['', 'a'.repeat(201), 'Lis\u0000bon', 'Lis\u202ebon']) {
    const refused = await ask(`/v1/places?${new URLSearchParams({ q })}`)
    assert.equal(refused.status, 400, refused.text)
  }
  assert.equal(
    (await ask('/v1/places?query=Lisbon')).body.errors?.find(({ pointer }) => pointer === '#/query')?.closest,
    'q',
  )
})
