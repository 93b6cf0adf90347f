import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { newcomer, type Service, startService } from '../../tooling/environment/service.ts'
import { callTool } from '../support/mcp/call-tool.ts'
import { type Era, eras } from '../support/mcp/mcp-client.ts'
import { seedListedPost } from '../support/posts/create-post.ts'

const folder = join(import.meta.dirname, '../..', 'src', 'mcp')
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
const filesWith = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name)

test('operations are called in one place only', () => {
  assert.deepEqual(filesWith(/\bperform\(/), ['tools/call-tool.ts'])
  assert.deepEqual(filesWith(/\badmit\(/), ['tools/call-tool.ts'])
  assert.deepEqual(filesWith(/\bauthenticateKey\(/), ['authenticate-app.ts', 'http-adapter.ts'])
  assert.deepEqual(filesWith(/\bhandle\b/), [], 'an operation is called around the rules')
  assert.deepEqual(
    filesWith(/\b(?:db|sideDb|kysely)\b|\bcaller:/),
    [],
    'data is reached, or a caller made, without a call',
  )
})

const sizes = { searchesPerKey: 4, searchesPerAddress: 4, reportsPerAddress: 3, accountsPerAddress: 3 }

let service: Service
let author: string
before(async () => {
  service = await startService({ ...sizes, apiServers: 2 })
  standAt('2030-01-01')
  author = (await service.createAccount()).id
})
after(() => service[Symbol.asyncDispose]())

/** Each test runs on a different day, so that each has its own daily limit. */
const standAt = (day: string) => {
  service.clock.now = () => new Date(`${day}T12:00:00Z`)
}

/** One way to call the operation. Returns the problem code, or `done`. */
type Way = () => Promise<string>

const overHttp =
  (path: string, init: RequestInit = {}): Way =>
  async () => {
    const response = await fetch(`${service.baseUrl}${path}`, init)
    const body = await response.text()
    return response.ok ? 'done' : codeIn(body)
  }

/** The search page shows a text for people. */
const codeIn = (body: string) => (body.startsWith('{') ? JSON.parse(body).code : 'refused')

const byTool =
  (name: string, given: object, era: Era, apiKey?: string): Way =>
  async () => {
    const { problem, result, body } = await callTool(service.baseUrl, name, given, { era, apiKey })
    assert.ok(result, body)
    return problem?.code ?? 'done'
  }

const post = (body: object, apiKey?: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }), ...headers },
  body: JSON.stringify(body),
})

/** Uses every way in turn, three times: the first calls up to the limit succeed, and all later ones are refused. */
async function useUp(ways: readonly Way[], size: number): Promise<Set<string>> {
  const outcomes: string[] = []
  for (const way of [...ways, ...ways, ...ways]) outcomes.push(await way())
  const done = outcomes.slice(0, size)
  assert.deepEqual(
    done,
    Array.from(done, () => 'done'),
  )
  return new Set(outcomes.slice(size))
}

test('searches are counted together across interfaces, revisions and servers: of a key, and of an address without one', async () => {
  standAt('2030-01-02')
  const { api_key: key } = await service.createAccount()
  const ofKey = [
    overHttp('/v1/search?q=ferry&max_charge_micros=0', { headers: { authorization: `Bearer ${key}` } }),
    ...eras.map((era) => byTool('search_posts', { q: 'ferry' }, era, key)),
  ]
  assert.deepEqual([...(await useUp(ofKey, sizes.searchesPerKey))], ['max_charge_exceeded'])
  const keyless = [
    overHttp('/search?q=ferry', { headers: { accept: 'text/html' } }),
    ...eras.map((era) => byTool('search_posts', { q: 'ferry' }, era)),
    overHttp('/v1/search?q=ferry'),
  ]
  const refused = await useUp(keyless, sizes.searchesPerAddress)
  assert.deepEqual([...refused].sort(), ['refused', 'search_allowance_exhausted'])
})

test('reports and new accounts of an address are counted together', async () => {
  standAt('2030-01-04')
  const report = { post_id: await publishedPost(), category: 'spam' }
  const reports = [overHttp('/v1/reports', post(report)), ...eras.map((era) => byTool('report_post', report, era))]
  assert.deepEqual([...(await useUp(reports, sizes.reportsPerAddress))], ['rate_limited'])
  const accounts = [
    ...eras.map((era) => byTool('create_account', newcomer, era)),
    overHttp('/v1/accounts', post(newcomer)),
  ]
  assert.deepEqual([...(await useUp(accounts, sizes.accountsPerAddress))], ['rate_limited'])
})

const publishedPost = () =>
  seedListedPost(service, {
    ...{ kind: 'message', body: { text: 'The ferry is late.' }, accountId: author },
    publishedAt: service.clock.now(),
  })

test('a search beyond the free quota is refused unless max_charge_micros allows it; then it costs exactly one charge', async () => {
  standAt('2030-01-06')
  const { api_key: key, id } = await service.createCustomer(50_000)
  const searchFree = byTool('search_posts', { q: 'ferry' }, 'modern', key)
  for (let count = 0; count < sizes.searchesPerKey; count++) assert.equal(await searchFree(), 'done')
  assert.deepEqual(await booksOf(id), { charges: 0, left: '50000' })
  for (const max of [undefined, null, 0, 999])
    assert.equal(
      await byTool('search_posts', { q: 'ferry', max_charge_micros: max }, 'modern', key)(),
      'max_charge_exceeded',
    )
  assert.deepEqual(await booksOf(id), { charges: 0, left: '50000' })
  const { result } = await callTool(
    service.baseUrl,
    'search_posts',
    { q: 'ferry', max_charge_micros: 1_000 },
    { apiKey: key },
  )
  assert.deepEqual(result?.structuredContent?.['metering'], { free_remaining: 0, charged_micros: 1_000 })
  assert.deepEqual(await booksOf(id), { charges: 1, left: '49000' })
})

async function booksOf(accountId: string) {
  const [books] = await service.asOwner(
    `select (select count(*)::integer from ledger_transfers where account_id = $1 and reason <> 'credit') as charges,
       (select prepaid_micros::text from balances where account_id = $1) as left`,
    [accountId],
  )
  return books
}

test('an idempotency key is shared by both interfaces: ten concurrent calls give one post and one charge', async () => {
  standAt('2030-01-07')
  const { api_key: key, id } = await service.createCustomer(1_000_000)
  const body = { text: 'Low tide uncovers the old slipway twice this week.', topics: ['tides'] }
  const name = 'one-for-both-doors'
  const sendOverHttp = async () => {
    const init = post(body, key, { 'idempotency-key': name })
    return (await fetch(`${service.baseUrl}/v1/posts`, init)).json()
  }
  const sendByTool = async (era: Era) => {
    const given = { ...body, idempotency_key: name }
    return (await callTool(service.baseUrl, 'publish_message', given, { apiKey: key, era })).result?.structuredContent
  }
  const calls = Array.from({ length: 10 }, (_, index) =>
    index % 2 === 0 ? sendOverHttp() : sendByTool(index % 4 === 1 ? 'modern' : 'legacy'),
  )
  const answers = await Promise.all(calls)
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  assert.deepEqual(await service.asOwner('select count(*)::integer as posts from posts where account_id = $1', [id]), [
    { posts: 1 },
  ])
  assert.deepEqual(await booksOf(id), { charges: 1, left: '980000' })
  const another = { text: 'Another text altogether, about lamps.', idempotency_key: name }
  assert.equal(await byTool('publish_message', another, 'modern', key)(), 'idempotency_key_reused')
})

test('a change is charged once, whichever interface repeats it, and a repeat is marked as one', async () => {
  standAt('2030-01-09')
  const { api_key: key, id: accountId } = await service.createCustomer(1_000_000)
  const body = { text: 'The swing bridge opens on the hour.' }
  const id = await seedListedPost(service, { kind: 'message', body, accountId, publishedAt: service.clock.now() })
  const change = { text: 'The swing bridge opens on the half hour.' }
  const edit = { id, ...change, idempotency_key: 'one-change-only' }
  const [first, again] = [
    await callTool(service.baseUrl, 'edit_post', edit, { apiKey: key }),
    await callTool(service.baseUrl, 'edit_post', edit, { apiKey: key, era: 'legacy' }),
  ]
  const init = { ...post(change, key, { 'idempotency-key': 'one-change-only' }), method: 'PATCH' }
  const overHttp = await (await fetch(`${service.baseUrl}/v1/posts/${id}`, init)).json()
  assert.deepEqual(again.result?.structuredContent, first.result?.structuredContent)
  assert.deepEqual(overHttp, first.result?.structuredContent)
  const isReplay = 'broadside/idempotent_replayed'
  assert.deepEqual([first.result?._meta?.[isReplay], again.result?._meta?.[isReplay]], [undefined, true])
  assert.deepEqual(await booksOf(accountId), { charges: 1, left: '990000' })
})

test('an Idempotency-Key header is not an argument: it belongs to a request, and clients do not repeat it for a tool', async () => {
  standAt('2030-01-08')
  const { api_key: key, id } = await service.createCustomer(1_000_000)
  const sending = { apiKey: key, headers: { 'idempotency-key': 'of-the-request' } }
  for (const text of ['Lanterns are lit on the quay at dusk.', 'Nets dry behind the chapel until Friday.']) {
    const { problem } = await callTool(service.baseUrl, 'publish_message', { text }, sending)
    assert.equal(problem, undefined)
  }
  assert.deepEqual(await booksOf(id), { charges: 2, left: '960000' })
})
