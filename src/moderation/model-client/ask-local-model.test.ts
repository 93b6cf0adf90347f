import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { type PolicyCategoryId, policyCategoryIds } from '../../policy/policy.ts'
import { askLocalModel, type LocalOptions } from './ask-local-model.ts'
import { ModelError } from './model-service.ts'

const post = { kind: 'message', authorName: 'Harbour Bot', texts: [{ field: 'text', text: 'Ferry at nine.' }] }
const timeoutMs = 400

type Asked = { body: Record<string, unknown>; headers: IncomingMessage['headers'] }
type Answer = (response: ServerResponse, right: object) => unknown

/** A local model that responds correctly unless a test makes it misbehave. */
async function startModel(answer?: Answer, health?: object) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    if (request.url === '/healthz') return void response.writeHead(health ? 200 : 404).end(JSON.stringify(health ?? {}))
    asked.push({ body: JSON.parse(Buffer.concat(await request.toArray()).toString()), headers: request.headers })
    if (answer) await answer(response, moderation({}))
    else response.end(JSON.stringify(moderation({})))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const options: LocalOptions = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    name: 'a-model',
    timeoutMs,
  }
  return {
    options,
    asked,
    ask: (changes: Partial<LocalOptions> = {}, asks: typeof post = post) =>
      askLocalModel({ ...options, ...changes }, asks),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Scores = Partial<Record<PolicyCategoryId, number>>

function moderation(ofPost: Scores, ofName: Scores = {}) {
  const results = [ofPost, ofName].map((scores) => {
    const category_scores = Object.fromEntries(policyCategoryIds.map((id) => [id, scores[id] ?? 0.01]))
    const categories = Object.fromEntries(policyCategoryIds.map((id) => [id, (scores[id] ?? 0) >= 0.5]))
    return { flagged: Object.values(categories).includes(true), categories, category_scores }
  })
  return { id: 'modr-1', model: 'a-model', system_fingerprint: 'fp_1', results }
}

const isFault = (kind: ModelError['kind']) => (error: unknown) => error instanceof ModelError && error.kind === kind
const answering = (answer: object) => startModel((response) => response.end(JSON.stringify(answer)))

describe('a local model that responds', () => {
  test('gets the post and the name, with the key, and returns its scores', async () => {
    await using model = await startModel()
    const { scores, ...rest } = await model.ask({ apiKey: 'secret' })
    assert.deepEqual(rest, { model: 'a-model', version: 'fp_1', overall: 0.01, judged: true })
    assert.deepEqual(Object.keys(scores), policyCategoryIds)
    const [asked] = model.asked
    assert.deepEqual(asked?.body, { model: 'a-model', input: ['Ferry at nine.', 'Harbour Bot'] })
    assert.equal(asked?.headers.authorization, 'Bearer secret')
  })

  test('also judges the name, except for quality', async () => {
    await using model = await answering(moderation({ spam: 0.2 }, { impersonation: 0.9, low_quality: 0.9 }))
    const { scores } = await model.ask()
    assert.deepEqual([scores.spam, scores.impersonation, scores.low_quality], [0.2, 0.9, 0.01])
  })

  test('can report that it cannot judge the post', async () => {
    const answer = moderation({})
    Object.assign(answer.results[0] ?? {}, { judged: false })
    await using model = await answering(answer)
    assert.equal((await model.ask()).judged, false)
  })

  test('accepts a long story but not an oversized text', async () => {
    await using model = await startModel()
    const story = (word: string) => ({ ...post, texts: [{ field: 'body', text: `${word} `.repeat(2_500) }] })
    assert.ok(await model.ask({}, story('\u0b95\u0bcd\u0bb7'.repeat(6))))
    await assert.rejects(model.ask({}, story('<'.repeat(400))), isFault('too_long'))
  })
})

const drip: Answer = (response) => {
  const dripping = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(dripping))
}

/** Each must end in a ModelError. */
const anyhow: Record<string, Answer> = {
  'never responds': () => {},
  'sends single bytes forever': drip,
  'sends its head and nothing more': (response) => response.writeHead(200).flushHeaders(),
  'closes the connection': (response) => response.destroy(),
  'sends the right body with an error status': (response, right) => response.writeHead(500).end(JSON.stringify(right)),
  'is overloaded': (response) => response.writeHead(429).end('{}'),
  'sends a web page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  'sends truncated JSON': (response, right) => response.end(JSON.stringify(right).slice(0, -2)),
  'sends an empty body': (response) => response.end(),
  'sends null': (response) => response.end('null'),
  'sends a list': (response, right) => response.end(JSON.stringify([right])),
  'sends an empty object': (response) => response.end('{}'),
  'sends 10 MB': (response, right) => response.end(JSON.stringify({ padding: 'x'.repeat(10_000_000), ...right })),
  'is compressed and huge': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from('not gzip at all')),
}

const edited =
  (edit: (answer: Record<string, unknown>) => unknown): Answer =>
  (response, right) => {
    const answer = structuredClone(right) as Record<string, unknown>
    response.end(JSON.stringify(edit(answer) ?? answer))
  }
const results = (edit: (result: Record<string, Record<string, unknown>>) => void) =>
  edited((answer) => {
    for (const result of answer['results'] as Record<string, Record<string, unknown>>[]) edit(result)
  })

const inItsScores: Record<string, Answer> = {
  'sends one result for two texts': edited((answer) => ({ results: (answer['results'] as object[]).slice(1) })),
  'sends three results for two texts': edited((answer) => ({
    results: [...(answer['results'] as object[]), (answer['results'] as object[])[0]],
  })),
  'omits a category': results(({ categories }) => delete categories?.['spam']),
  'omits a score': results(({ category_scores }) => delete category_scores?.['spam']),
  'adds an unknown category': results(({ categories }) => Object.assign(categories ?? {}, { bad: false })),
  'adds an unknown score': results(({ category_scores }) => Object.assign(category_scores ?? {}, { bad: 0 })),
  'scores above one': results(({ category_scores }) => Object.assign(category_scores ?? {}, { spam: 1.01 })),
  'scores below zero': results(({ category_scores }) => Object.assign(category_scores ?? {}, { spam: -0.01 })),
  'scores null': results(({ category_scores }) => Object.assign(category_scores ?? {}, { spam: null })),
  'sends a score as a string': results(({ category_scores }) => Object.assign(category_scores ?? {}, { spam: '0.1' })),
  'scores NaN': (response, right) => response.end(JSON.stringify(right).replace('0.01', 'NaN')),
  'scores infinity': (response, right) => response.end(JSON.stringify(right).replace('0.01', '1e999')),
  'is flagged without a category': results((result) => Object.assign(result, { flagged: true })),
  'has a category but is not flagged': results(({ categories }) => Object.assign(categories ?? {}, { spam: true })),
}

describe('a ModelError is thrown when the local model', { concurrency: 8 }, () => {
  for (const [name, answer] of Object.entries({ ...anyhow, ...inItsScores }))
    test(name, async () => {
      await using model = await startModel(answer)
      await assert.rejects(
        model.ask(),
        (error) => error instanceof ModelError && !/Ferry|Because|bad_taste/.test(error.message),
      )
    })
})

test('a late model that reports progress is busy', async () => {
  const windows = { finished: 4_810, waiting: 96 }
  await using model = await startModel(() => {}, { status: 'up', windows })
  await assert.rejects(model.ask(), isFault('busy'))
  await using silent = await startModel(() => {}, { status: 'up' })
  await assert.rejects(silent.ask(), isFault('timeout'))
})

test('a long post gets more time', async () => {
  const late: Answer = (response, right) => setTimeout(() => response.end(JSON.stringify(right)), 1_500).unref()
  await using model = await startModel(late)
  const story = { ...post, texts: [{ field: 'body', text: 'The ferry leaves at nine. '.repeat(400) }] }
  assert.ok(await model.ask({}, story))
  await assert.rejects(model.ask(), isFault('timeout'))
})

test('a local model that is down is unreachable', async () => {
  const model = await startModel()
  await model[Symbol.asyncDispose]()
  await assert.rejects(model.ask(), isFault('unreachable'))
})

test('a redirect is not followed', async () => {
  await using elsewhere = await startModel()
  await using model = await startModel((response) =>
    response.writeHead(307, { location: `${elsewhere.options.url}/v1/moderations` }).end(),
  )
  await assert.rejects(model.ask({ apiKey: 'secret' }), isFault('unreachable'))
  assert.deepEqual(elsewhere.asked, [])
})
