import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { type PolicyCategoryId, policyCategoryIds } from '../policy/policy.ts'
import { askModel, ModelFault, type ModelOptions } from './ask-model.ts'

const post = { kind: 'message', authorName: 'Harbour Bot', texts: [{ field: 'text', text: 'Ferry at nine.' }] }
const timeoutMs = 400

type Stage = 'moderations' | 'chat/completions'
type Asked = { body: Record<string, unknown>; headers: IncomingMessage['headers'] }
type Answer = (response: ServerResponse, right: object, marker: string) => unknown

/** A model that answers rightly, but for the stage that is told to misbehave. */
async function startModel(stage?: Stage, answer?: Answer) {
  const asked = new Map<string, Asked>()
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const path = String(request.url).replace('/v1/', '')
    asked.set(path, { body, headers: request.headers })
    const marker = /BEGIN POST (\S+)/.exec(JSON.stringify(body))?.[1]?.slice(0, 36) ?? ''
    const right = path === 'moderations' ? moderation({}) : completion({ marker })
    if (path === stage && answer) await answer(response, right, marker)
    else response.end(JSON.stringify(right))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const options: ModelOptions = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    name: 'a-model',
    timeoutMs,
  }
  return {
    options,
    asked,
    ask: (changes: Partial<ModelOptions> = {}, asks: typeof post = post) => askModel({ ...options, ...changes }, asks),
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
  return { id: 'modr-1', model: 'a-model', results }
}

const completion = (members: object) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'a-model-1',
  choices: [choice(JSON.stringify({ marker: '', verdict: 'accept', category: null, score: 0.9, ...members }))],
})
const choice = (content: unknown) => ({ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' })

describe('a model that answers', () => {
  test('may put white space around its answer, and nothing else', async () => {
    await using model = await startModel(
      'chat/completions',
      content((marker) => `\n ${rightText(marker)}\n`),
    )
    assert.equal((await model.ask()).judge.verdict, 'accept')
  })

  test('is asked both questions, with the key, and its opinion comes back', async () => {
    await using model = await startModel()
    const opinion = await model.ask({ apiKey: 'secret' })
    assert.deepEqual([opinion.model, opinion.version], ['a-model-1', 'a-model-1'])
    assert.deepEqual(opinion.judge, { verdict: 'accept', category: null, score: 0.9 })
    assert.deepEqual(
      { ...opinion.classifier, scores: {} },
      { verdict: 'accept', category: null, score: 0.99, scores: {} },
    )
    assert.deepEqual(Object.keys(opinion.classifier.scores), policyCategoryIds)
    assert.deepEqual(model.asked.get('moderations')?.body, {
      model: 'a-model',
      input: ['Ferry at nine.', 'Harbour Bot'],
    })
    for (const { headers } of model.asked.values()) assert.equal(headers.authorization, 'Bearer secret')
  })

  test('is known by its fingerprint, when it has one', async () => {
    await using model = await startModel('chat/completions', (response, right) =>
      response.end(JSON.stringify({ ...right, system_fingerprint: 'fp_1' })),
    )
    assert.equal((await model.ask()).version, 'fp_1')
  })

  test('is asked with a new marker each time', async () => {
    const markers = new Set<string>()
    await using model = await startModel('chat/completions', (response, right, marker) => {
      markers.add(marker)
      response.end(JSON.stringify(right))
    })
    await Promise.all([model.ask(), model.ask(), model.ask()])
    assert.equal(markers.size, 3)
  })

  test('can be asked about a long story, and not about a monster', async () => {
    await using model = await startModel()
    const story = (word: string) => ({ ...post, texts: [{ field: 'body', text: `${word} `.repeat(2_500) }] })
    assert.ok(await model.ask({}, story('\u0b95\u0bcd\u0bb7'.repeat(6))))
    await assert.rejects(model.ask({}, story('<'.repeat(40))), isFault('too_long'))
  })
})

const isFault = (kind: ModelFault['kind']) => (error: unknown) => error instanceof ModelFault && error.kind === kind

describe('the classifier’s scores', () => {
  const rows: [name: string, post: Scores, author: Scores, expected: [string, string | null]][] = [
    ['are clean', { spam: 0.39 }, {}, ['accept', null]],
    ['raise a doubt from 0.4 on', { spam: 0.4 }, {}, ['review', 'spam']],
    ['refuse from 0.8 on', { spam: 0.8 }, {}, ['reject', 'spam']],
    ['name the highest', { spam: 0.85, scam_fraud: 0.9 }, {}, ['reject', 'scam_fraud']],
    ['put abuse before low quality', { low_quality: 0.99, spam: 0.5 }, {}, ['review', 'spam']],
    ['hide nothing about minors', { sexual_minors: 0.5, spam: 0.99 }, {}, ['review', 'sexual_minors']],
    ['refuse low quality', { low_quality: 0.9 }, {}, ['reject', 'low_quality']],
    ['count for the name too', {}, { impersonation: 0.9 }, ['reject', 'impersonation']],
    ['do not ask a name for quality', {}, { low_quality: 0.9 }, ['accept', null]],
  ]
  for (const [name, ofPost, ofName, expected] of rows)
    test(name, async () => {
      await using model = await startModel('moderations', (response) =>
        response.end(JSON.stringify(moderation(ofPost, ofName))),
      )
      const { classifier } = await model.ask()
      assert.deepEqual([classifier.verdict, classifier.category], expected)
    })

  test('never refuse what the model did not flag', async () => {
    await using model = await startModel('moderations', (response) => {
      const answer = moderation({ spam: 0.95 })
      for (const result of answer.results)
        Object.assign(result, { flagged: false, categories: moderation({}).results[0]?.categories })
      response.end(JSON.stringify(answer))
    })
    assert.equal((await model.ask()).classifier.verdict, 'review')
  })
})

const drip: Answer = (response) => {
  const dripping = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(dripping))
}

/** Each must end in a ModelFault, at either stage. */
const anywhere: Record<string, Answer> = {
  'never answers': () => {},
  'drips for ever': drip,
  'sends its head and nothing more': (response) => response.writeHead(200).flushHeaders(),
  'hangs up': (response) => response.destroy(),
  'fails with the right words': (response, right) => response.writeHead(500).end(JSON.stringify(right)),
  'is overloaded': (response) => response.writeHead(429).end('{}'),
  'answers a web page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  'breaks off': (response, right) => response.end(JSON.stringify(right).slice(0, -2)),
  'answers nothing': (response) => response.end(),
  'answers null': (response) => response.end('null'),
  'answers a list': (response, right) => response.end(JSON.stringify([right])),
  'answers an empty object': (response) => response.end('{}'),
  'answers 10 MB': (response, right) => response.end(JSON.stringify({ padding: 'x'.repeat(10_000_000), ...right })),
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

const atClassifier: Record<string, Answer> = {
  'gives one result for two texts': edited((answer) => ({ results: (answer['results'] as object[]).slice(1) })),
  'gives three': edited((answer) => ({
    results: [...(answer['results'] as object[]), (answer['results'] as object[])[0]],
  })),
  'leaves a category out': results(({ categories }) => delete categories?.['spam']),
  'leaves a score out': results(({ category_scores }) => delete category_scores?.['spam']),
  'has a category of its own': results(({ categories }) => Object.assign(categories ?? {}, { bad: false })),
  'has a score of its own': results(({ category_scores }) => Object.assign(category_scores ?? {}, { bad: 0 })),
  'scores above one': results(({ category_scores }) => Object.assign(category_scores ?? {}, { spam: 1.01 })),
  'scores below nought': results(({ category_scores }) => Object.assign(category_scores ?? {}, { spam: -0.01 })),
  'scores null': results(({ category_scores }) => Object.assign(category_scores ?? {}, { spam: null })),
  'scores in words': results(({ category_scores }) => Object.assign(category_scores ?? {}, { spam: '0.1' })),
  'scores NaN': (response, right) => response.end(JSON.stringify(right).replace('0.01', 'NaN')),
  'scores without end': (response, right) => response.end(JSON.stringify(right).replace('0.01', '1e999')),
  'flags nothing in particular': results((result) => Object.assign(result, { flagged: true })),
  'flags and says it did not': results(({ categories }) => Object.assign(categories ?? {}, { spam: true })),
}

const content =
  (text: (marker: string) => unknown): Answer =>
  (response, _right, marker) =>
    response.end(JSON.stringify({ ...completion({}), choices: [choice(text(marker))] }))
const verdict = (members: object) =>
  content((marker) => JSON.stringify({ marker, verdict: 'accept', category: null, score: 0.9, ...members }))
const rightText = (marker: string) => JSON.stringify({ marker, verdict: 'accept', category: null, score: 0.9 })

const atJudge: Record<string, Answer> = {
  'gives no choice': edited(() => ({ ...completion({}), choices: [] })),
  'gives two choices': (response, _right, marker) =>
    response.end(
      JSON.stringify({ ...completion({}), choices: [choice(rightText(marker)), choice(rightText(marker))] }),
    ),
  'was cut short': (response, _right, marker) =>
    response.end(
      JSON.stringify({ ...completion({}), choices: [{ ...choice(rightText(marker)), finish_reason: 'length' }] }),
    ),
  'calls a tool': (response, _right, marker) => {
    const message = { role: 'assistant', content: rightText(marker), tool_calls: [{ id: '1' }] }
    response.end(JSON.stringify({ ...completion({}), choices: [{ ...choice(''), message }] }))
  },
  'speaks as the user': (response, _right, marker) =>
    response.end(
      JSON.stringify({
        ...completion({}),
        choices: [{ finish_reason: 'stop', message: { role: 'user', content: rightText(marker) } }],
      }),
    ),
  'names no model': edited((answer) => ({ ...answer, model: '' })),
  'says nothing': content(() => null),
  'says an object that is not text': content((marker) => ({ marker, verdict: 'accept', category: null, score: 1 })),
  'explains itself first': content((marker) => `Here is my verdict: ${rightText(marker)}`),
  'explains itself afterwards': content((marker) => `${rightText(marker)} I hope this helps.`),
  'fences its answer': content((marker) => `\`\`\`json\n${rightText(marker)}\n\`\`\``),
  'answers twice': content((marker) => `${rightText(marker)}${rightText(marker)}`),
  'breaks off inside': content((marker) => rightText(marker).slice(0, -1)),
  'forgets the marker': content(() => '{"verdict":"accept","category":null,"score":0.9}'),
  'repeats another marker': verdict({ marker: '00000000-0000-4000-8000-000000000000' }),
  'repeats the marker in part': content((marker) => rightText(marker.slice(0, 35))),
  'forgets the verdict': verdict({ verdict: undefined }),
  'invents a verdict': verdict({ verdict: 'publish' }),
  'invents a category': verdict({ verdict: 'reject', category: 'bad_taste' }),
  'forgets the category': verdict({ category: undefined }),
  'forgets the score': verdict({ score: undefined }),
  'is too sure': verdict({ score: 1.5 }),
  'is unsure below nought': verdict({ score: -1 }),
  'says more than it was asked': verdict({ reason: 'Because.' }),
  'accepts spam': verdict({ category: 'spam' }),
  'refuses for nothing': verdict({ verdict: 'reject' }),
}

for (const [stage, faults] of [
  ['moderations', { ...anywhere, ...atClassifier }],
  ['chat/completions', { ...anywhere, ...atJudge }],
] as const)
  describe(`there is no opinion when ${stage}`, { concurrency: 8 }, () => {
    for (const [name, answer] of Object.entries(faults))
      test(name, async () => {
        await using model = await startModel(stage, answer)
        const begin = performance.now()
        await assert.rejects(
          model.ask(),
          (error) => error instanceof ModelFault && !/Ferry|Because|bad_taste/.test(error.message),
        )
        assert.ok(performance.now() - begin < timeoutMs + 2_000)
      })
  })

test('there is no opinion when nobody listens', async () => {
  const model = await startModel()
  await model[Symbol.asyncDispose]()
  await assert.rejects(model.ask(), isFault('unreachable'))
})

test('a redirect is not followed', async () => {
  await using elsewhere = await startModel()
  await using model = await startModel('chat/completions', (response) =>
    response.writeHead(307, { location: `${elsewhere.options.url}/v1/chat/completions` }).end(),
  )
  await assert.rejects(model.ask({ apiKey: 'secret' }), isFault('unreachable'))
  assert.equal(elsewhere.asked.size, 0)
})

test('when one stage has failed, the other is not waited for', async () => {
  await using model = await startModel('moderations', (response) => response.writeHead(500).end())
  await using slow = await startModel('chat/completions', () => {})
  const begin = performance.now()
  await assert.rejects(model.ask({ timeoutMs: 30_000 }), isFault('status'))
  await assert.rejects(slow.ask({ timeoutMs: 30_000, signal: AbortSignal.timeout(50) }), ModelFault)
  assert.ok(performance.now() - begin < 5_000)
})
