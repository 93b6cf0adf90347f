import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { repoDir } from '../../tooling/services/state.ts'
import { compareDocuments } from './check.ts'
import { type Document, readDocuments } from './read-contracts.ts'

type Planted = [file: string, place: string, value: unknown, change: string]

const before = readDocuments(join(repoDir, 'generated'))
const [api, events, problems, tools] = [
  'openapi.json',
  'asyncapi.yml',
  'problems/index.json',
  'mcp-tools.json',
] as const
const post = 'paths > /v1/posts > post'
const body = `${post} > requestBody > content > application/json > schema`
const search = 'paths > /v1/search > get'
const status = 'components > schemas > PostStatus'
const event = 'components > schemas > PostEvent'
const text = { type: 'string' }
const parameter = (name: string, required: boolean) => ({ name, in: 'query', required, schema: text })
const add = (value: unknown) => (list: unknown[]) => [...list, value]
const without = (value: unknown) => (list: unknown[]) => list.filter((one) => one !== value)
const named = (name: string) => (list: Document[]) => list.filter((one) => one.name !== name && one.code !== name)

/** Each is a file, a place in it, what it becomes (nothing, a value, or a function of what it was), and its change. */
const breaks: readonly Planted[] = [
  [api, 'paths > /v1/places > get', undefined, 'GET /v1/places: removed'],
  [api, `${status} > properties > url`, undefined, 'PostStatus.url: removed'],
  [api, `${status} > required`, without('url'), 'PostStatus.url: no longer required'],
  [api, `${status} > properties > charged_micros > type`, 'string', 'PostStatus.charged_micros: type integer → string'],
  [api, `${status} > properties > created_at > type`, ['string', 'null'], 'PostStatus.created_at: null added'],
  [api, `${status} > properties > status > enum`, add('lost'), 'PostStatus.status: value lost added'],
  [api, `${body} > required`, add('topics'), 'POST /v1/posts.body application/json.topics: now required'],
  [api, `${body} > properties > topics`, undefined, 'POST /v1/posts.body application/json.topics: removed'],
  [api, `${body} > properties > text > maxLength`, 400, 'application/json.text: maxLength 500 → 400'],
  [api, `${search} > parameters`, named('since'), 'GET /v1/search.query since: removed'],
  [api, `${search} > parameters > 8 > schema > pattern`, '^EUR$', 'GET /v1/search.query currency: pattern changed'],
  [api, `${search} > parameters > 15 > schema > enum`, ['newest'], 'query sort: value relevance removed'],
  [api, `${post} > parameters`, add(parameter('agent', true)), 'POST /v1/posts.query agent: added, required'],
  [api, 'paths > /v1/posts > get > security', [{ apiKey: [] }], 'GET /v1/posts: access with nothing ends'],
  [api, `${post} > responses > 201`, { content: {} }, 'POST /v1/posts 201 without body: added'],
  [events, 'components > messages > postReview', undefined, 'post.review: removed'],
  [events, `${event} > properties > url`, undefined, 'PostEvent.url: removed'],
  [problems, 'problems', named('post_gone'), 'post_gone: removed'],
  [problems, 'problems > 0 > status', 499, 'malformed_request status: value 499 added'],
  [tools, 'messages', named('get_pricing'), 'get_pricing: removed'],
]
const additions: readonly Planted[] = [
  [api, 'paths > /v1/prices', { get: { responses: {} } }, 'GET /v1/prices: added'],
  [api, `${status} > properties > language`, text, 'PostStatus.language: added'],
  [api, `${status} > required`, add('moderation'), 'PostStatus.moderation: now required'],
  [api, `${status} > properties > charged_micros > maximum`, undefined, 'maximum 9007199254740991 → none'],
  [api, `${body} > properties > language`, text, 'POST /v1/posts.body application/json.language: added'],
  [api, `${body} > required`, [], 'POST /v1/posts.body application/json.text: no longer required'],
  [api, `${body} > properties > text > maxLength`, 600, 'application/json.text: maxLength 500 → 600'],
  [api, `${body} > properties > text > minLength`, undefined, 'application/json.text: minLength 1 → none'],
  [api, `${search} > parameters`, add(parameter('agent', false)), 'GET /v1/search.query agent: added'],
  [api, `${search} > parameters > 8 > schema > pattern`, undefined, 'GET /v1/search.query currency: pattern removed'],
  [api, `${search} > parameters > 15 > schema > enum`, add('oldest'), 'query sort: value oldest added'],
  [api, `${search} > parameters > 0 > required`, false, 'GET /v1/search.query q: no longer required'],
  [api, `${post} > responses > 406`, undefined, 'POST /v1/posts 406 application/problem+json: removed'],
  [api, `${post} > responses > 418`, { content: {} }, 'POST /v1/posts 418 without body: added'],
  [api, 'components > schemas > Problem > properties > code > enum', add('too_tired'), 'value too_tired added'],
  [events, 'components > messages > pinned', { name: 'post.pinned', payload: {} }, 'post.pinned: added'],
  [events, `${event} > properties > language`, text, 'PostEvent.language: added'],
  [problems, 'problems', add({ code: 'too_tired', status: 418, type: 'https://a.example/p' }), 'too_tired: added'],
  [tools, 'messages', add({ name: 'list_prices', inputSchema: {} }), 'list_prices: added'],
  [tools, 'messages > 0 > inputSchema > properties > language', text, '.language: added'],
]

/** The changes after one is planted in the documents of messages, or in the tools of its server. */
function changesOf([file, place, value]: Planted) {
  const path = file === tools ? file : `messages/${file}`
  const document = structuredClone(before[path])
  const keys = place.split(' > ')
  const last = String(keys.pop())
  const holder = keys.reduce((inner, key) => inner[key], document)
  if (value === undefined) delete holder[last]
  else holder[last] = typeof value === 'function' ? value(holder[last]) : value
  return compareDocuments(before, { ...before, [path]: document })
}

test('equal documents have no changes, and words do not count', () => {
  assert.deepEqual(compareDocuments(before, structuredClone(before)), [])
  assert.deepEqual(changesOf([api, `${post} > description`, 'Other words.', '']), [])
  assert.deepEqual(changesOf([api, `${status} > properties > url > description`, 'Other words.', '']), [])
})

for (const [what, rows, isBreaking] of [
  ['a break', breaks, true],
  ['an addition', additions, false],
] as const)
  suite(`${what} is told as one`, () => {
    assert.equal(rows.length, 20)
    for (const planted of rows)
      test(planted[3], () => {
        const found = changesOf(planted)
        assert.ok(
          found.some(({ text }) => text.includes(' (messages): ') && text.endsWith(planted[3])),
          JSON.stringify(found),
        )
        assert.equal(
          found.some(({ breaking }) => breaking),
          isBreaking,
          JSON.stringify(found),
        )
      })
  })
