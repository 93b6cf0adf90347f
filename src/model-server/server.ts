import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import { policyCategoryIds } from '../policy/policy.ts'
import { classify, type Scores } from './classifier.ts'
import { type Judgement, judge } from './judge.ts'
import { readPrompt } from './read-prompt.ts'
import { readTestWords, type Wish } from './test-words.ts'
import { modelName, modelVersion } from './version.ts'

export type ModelServerOptions = {
  clock: Clock
  logger: Logger
  /** Whether words in a post decide about it, to try every path on purpose. Never in production. */
  obeysTestWords: boolean
  /** How late the answer is to a post that asks for that. */
  slowMs?: number
}

/** A story of 2,500 words fits twice over, whatever its letters. */
const maxBodyBytes = 512 * 1024

const moderationRequest = z.looseObject({
  model: z.string().optional(),
  input: z.union([z.string(), z.array(z.string()).min(1).max(100)]),
})

const chatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() })).min(1),
  stream: z.literal(false).nullish(),
  n: z.literal(1).nullish(),
})

/**
 * The model that ships, not yet listening: simple lists and simple likeness behind the HTTP that larger models speak
 * (OpenAI's `moderations` and `chat/completions`), so that one can take its place without a change elsewhere. It knows
 * the phrases it was given, in English: of 2,562 hateful sentences of HateCheck it sends 136 to a person and publishes
 * the rest. Of 10,000 honest short messages it holds back 11. What it accepts has only not been recognised.
 */
export function buildModelServer({
  clock,
  logger,
  obeysTestWords,
  slowMs = 8_000,
}: ModelServerOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: maxBodyBytes,
    requestTimeout: 30_000,
    keepAliveTimeout: 75_000,
    // A question that is cut off is asked again; a stop must not wait for a late answer.
    forceCloseConnections: true,
    return503OnClosing: false,
  })
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const obey = async (text: string): Promise<Wish> => {
    const wish = obeysTestWords ? readTestWords(text) : {}
    if (wish.slow) await wait(slowMs, undefined, { signal: closing.signal })
    return wish
  }

  app.get('/healthz', async () => ({ status: 'up' }))
  app.get('/v1/models', async () => ({
    object: 'list',
    data: [{ id: modelName, object: 'model', owned_by: 'broadside' }],
  }))

  app.post('/v1/moderations', async (request) => {
    const { model, input } = read(moderationRequest, request.body)
    assertKnown(model ?? modelName)
    const texts = [input].flat()
    const wish = await obey(texts.join('\n'))
    const results = texts.map((text) => moderationResult(wishedScores(classify(text), wish)))
    return { id: `modr-${randomUUID()}`, model: modelName, system_fingerprint: modelVersion, results }
  })

  app.post('/v1/chat/completions', async (request) => {
    const { model, messages } = read(chatRequest, request.body)
    assertKnown(model)
    const post = readPrompt(messages.findLast(({ role }) => role === 'user')?.content ?? '')
    if (!post)
      throw new RequestFault(400, 'messages', 'This model only judges posts: no message holds one in its fence.')
    const wish = await obey(post.texts.join('\n'))
    const answer = { marker: post.marker, ...wishedJudgement(judge(post), wish) }
    return completion(JSON.stringify(answer), Math.floor(clock.now().getTime() / 1_000))
  })

  app.setNotFoundHandler((_request, reply) => sendFault(reply, 404, null, 'There is no such path.'))
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof RequestFault) return sendFault(reply, error.statusCode, error.param, error.message)
    if (error.statusCode && error.statusCode < 500) return sendFault(reply, error.statusCode, null, error.message)
    if (!closing.signal.aborted) logger.error({ request_id: request.id, error }, 'failed')
    return sendFault(reply, 500, null, 'The model failed.')
  })
  return app
}

class RequestFault extends Error {
  readonly statusCode: number
  readonly param: string

  constructor(statusCode: number, param: string, message: string) {
    super(message)
    this.statusCode = statusCode
    this.param = param
  }
}

function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const param = result.error.issues[0]?.path.join('.') ?? ''
  throw new RequestFault(400, param, param ? `The member ${param} is missing or not valid.` : 'The body must be JSON.')
}

function assertKnown(model: string): void {
  if (model !== modelName) throw new RequestFault(404, 'model', `Only the model ${modelName} is here.`)
}

function sendFault(reply: FastifyReply, status: number, param: string | null, message: string) {
  const type = status < 500 ? 'invalid_request_error' : 'server_error'
  return reply.code(status).send({ error: { message, type, param, code: null } })
}

function wishedScores(scores: Scores, { category }: Wish): Scores {
  if (!category) return scores
  return Object.fromEntries(policyCategoryIds.map((id) => [id, id === category ? 0.99 : 0])) as Scores
}

function wishedJudgement(judgement: Judgement, { category, review }: Wish): Judgement {
  if (category) return { verdict: 'reject', category, score: 0.99 }
  return review ? { verdict: 'review', category: null, score: 0.5 } : judgement
}

/** From this score on a category counts as found. */
const flaggedFrom = 0.5

function moderationResult(scores: Scores) {
  const categories = Object.fromEntries(policyCategoryIds.map((id) => [id, scores[id] >= flaggedFrom]))
  return { flagged: Object.values(categories).includes(true), categories, category_scores: scores }
}

function completion(content: string, created: number) {
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created,
    model: modelName,
    system_fingerprint: modelVersion,
    choices: [
      { index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: 'stop' },
    ],
  }
}
