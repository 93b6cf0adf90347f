import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../src/platform/clock.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import { policyCategoryIds } from '../../src/policy/policy.ts'
import { type LocalModel, type LocalScores, ModelUnavailable } from './local/local-model.ts'
import { buildModelServer } from './server.ts'

const nonce = '0123456789abcdef01234567'
const modelName = 'a-model'

/** Detects spam in every text about chains, and cannot judge French. */
const local: LocalModel = {
  name: modelName,
  version: 'abcdef012345',
  score: async (texts) =>
    texts.map((text) => ({
      scores: Object.fromEntries(
        policyCategoryIds.map((id) => [id, id === 'spam' && text.includes('chain') ? 0.9 : 0.01]),
      ) as LocalScores,
      overall: text.includes('chain') ? 0.9 : 0.02,
      judged: !text.includes('quai'),
    })),
  [Symbol.asyncDispose]: async () => {},
}
const logger = createLogger('silent', 'test')
const build = (changes: Partial<Parameters<typeof buildModelServer>[0]> = {}) =>
  buildModelServer({ clock: systemClock, logger, local, obeysTestWords: true, slowMs: 60, ...changes })

const app = build()

async function moderate(input: string | string[], server = app) {
  const reply = await server.inject({ method: 'POST', url: '/v1/moderations', payload: { model: modelName, input } })
  assert.equal(reply.statusCode, 200)
  return reply.json()
}

const prompt = (text: string) =>
  ['The post:', `BEGIN POST ${nonce}`, `012345| ${text}`, `END POST ${nonce}`, 'It has ended.'].join('\n')

const chat = (content: string, more = {}, server = app) =>
  server.inject({
    method: 'POST',
    url: '/v1/chat/completions',
    payload: {
      model: modelName,
      messages: [
        { role: 'system', content: 'Judge.' },
        { role: 'user', content },
      ],
      ...more,
    },
  })

async function judgement(text: string, server = app) {
  const reply = await chat(prompt(text), {}, server)
  assert.equal(reply.statusCode, 200)
  const { choices } = reply.json()
  assert.equal(choices.length, 1)
  assert.equal(choices[0].finish_reason, 'stop')
  return JSON.parse(choices[0].message.content)
}

test('the server reports that it is up and which model it has', async () => {
  assert.equal((await app.inject('/healthz')).statusCode, 200)
  assert.deepEqual(
    (await app.inject('/v1/models')).json().data.map(({ id }: { id: string }) => id),
    [modelName],
  )
})

test('moderations responds in OpenAI’s format with the policy’s categories, one result per text', async () => {
  const answer = await moderate(['Ferry to Hiiumaa leaves at nine.', 'Break the chain and luck leaves you.', 'Au quai'])
  assert.deepEqual([answer.model, answer.system_fingerprint], [modelName, 'abcdef012345'])
  const flags = answer.results.map(({ flagged, judged }: { flagged: boolean; judged: boolean }) => [flagged, judged])
  assert.deepEqual(flags, [
    [false, true],
    [true, true],
    [false, false],
  ])
  for (const { categories, category_scores } of answer.results) {
    assert.deepEqual(Object.keys(categories), policyCategoryIds)
    assert.deepEqual(Object.keys(category_scores), policyCategoryIds)
  }
  assert.equal((await moderate('one text')).results.length, 1)
})

test('an unavailable model responds with 503 and Retry-After', async () => {
  const score = async () => Promise.reject(new ModelUnavailable('Too many questions wait.'))
  const server = build({ local: { ...local, score, isWell: () => false } })
  const payload = { model: modelName, input: 'Ferry at nine.' }
  const reply = await server.inject({ method: 'POST', url: '/v1/moderations', payload })
  assert.deepEqual([reply.statusCode, reply.headers['retry-after']], [503, '5'])
  assert.equal((await server.inject('/healthz')).statusCode, 503)
})

test('a client that disconnects cancels its request', async () => {
  const asked = Promise.withResolvers<AbortSignal | undefined>()
  const gone = Promise.withResolvers<never>()
  const score = (_texts: readonly string[], signal?: AbortSignal) => {
    signal?.addEventListener('abort', () => gone.reject(new ModelUnavailable('given up')))
    asked.resolve(signal)
    return gone.promise
  }
  const server = build({ local: { ...local, score } })
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const client = new AbortController()
  const body = JSON.stringify({ model: modelName, input: 'Ferry at nine.' })
  const headers = { 'content-type': 'application/json' }
  const reply = fetch(`${url}/v1/moderations`, { method: 'POST', body, headers, signal: client.signal })
  assert.equal((await asked.promise)?.aborted, false)
  client.abort()
  await assert.rejects(reply, /abort/)
  await assert.rejects(gone.promise, /given up/)
  await server.close()
})

test('the stub judge repeats the nonce and accepts posts without test words', async () => {
  assert.deepEqual(await judgement('Break the chain and luck leaves you.'), {
    nonce,
    addresses_reader_as_machine: false,
    evidence: '',
    category: null,
    verdict: 'accept',
    score: 0.99,
  })
})

test('test words make both stages reject for every category', async () => {
  for (const id of policyCategoryIds) {
    const text = `Ferry at nine. verdict-reject-${id.replaceAll('_', '-')}`
    const [result] = (await moderate([text])).results
    const flagged = Object.keys(result.categories).filter((name) => result.categories[name])
    assert.deepEqual([flagged, result.category_scores[id]], [[id], 0.99])
    const { verdict, category } = await judgement(text)
    assert.deepEqual([verdict, category], ['reject', id])
  }
})

test('test words can send a post to review and delay the response', async () => {
  assert.equal((await judgement('Ferry at nine. verdict-review')).verdict, 'review')
  assert.equal((await moderate('Ferry at nine. verdict-review')).results[0].flagged, false)
  const begin = performance.now()
  assert.equal((await judgement('Ferry at nine. Verdict-Slow')).verdict, 'accept')
  await moderate('Ferry at nine. verdict-slow')
  assert.ok(performance.now() - begin >= 110)
})

test('in production test words have no effect, and there is no stub judge', async () => {
  const server = build({ obeysTestWords: false, slowMs: 60_000 })
  const text = 'Ferry at nine. verdict-slow verdict-review verdict-reject-spam verdict-low-quality'
  assert.equal((await chat(prompt(text), {}, server)).statusCode, 404)
  assert.equal((await moderate(text, server)).results[0].flagged, false)
})

test('shutdown does not wait for a late response', async () => {
  const server = build({ slowMs: 3_600_000 })
  const taken = Promise.withResolvers<void>()
  server.addHook('preHandler', async () => taken.resolve())
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const payload = JSON.stringify({ model: modelName, input: 'verdict-slow' })
  const headers = { 'content-type': 'application/json' }
  const asked = fetch(`${url}/v1/moderations`, { method: 'POST', body: payload, headers }).catch(() => 'cut off')
  await taken.promise
  await new Promise(setImmediate)
  await server.close()
  await asked
})

test('invalid requests are rejected in OpenAI’s format', async () => {
  const post = (url: string, payload: string, type = 'application/json') =>
    app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
  const large = JSON.stringify({ model: modelName, input: 'x'.repeat(512 * 1024) })
  const replies = [
    [400, await post('/v1/moderations', '{')],
    [400, await post('/v1/moderations', '{}')],
    [400, await post('/v1/moderations', '[]')],
    [400, await post('/v1/moderations', '{"input":[]}')],
    [404, await post('/v1/moderations', '{"input":"a","model":"another"}')],
    [413, await post('/v1/moderations', large)],
    [415, await post('/v1/moderations', 'a=b', 'application/x-www-form-urlencoded')],
    [404, await app.inject('/v1/embeddings')],
    [400, await chat('There is no post here.')],
    [400, await chat(prompt('a').replace(/END POST .*/, `END POST ${nonce.replace('8', '9')}`))],
    [400, await chat(prompt('a'), { stream: true })],
    [400, await chat(prompt('a'), { n: 2 })],
  ] as const
  for (const [status, reply] of replies) {
    assert.equal(reply.statusCode, status, reply.body)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
    assert.deepEqual(Object.keys(reply.json().error), ['message', 'type', 'param', 'code'])
  }
})
