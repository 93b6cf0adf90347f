import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../../src/platform/clock.ts'
import { noSchemas } from '../../src/platform/fastify/no-schemas.ts'
import { observeRequests } from '../../src/platform/observability/http-requests.ts'
import type { Logger } from '../../src/platform/observability/logger.ts'
import type { Telemetry } from '../../src/platform/observability/telemetry.ts'
import { policyCategoryIds } from '../../src/policy/policy.ts'
import { type LocalAnswer, type LocalModel, type LocalScores, ModelUnavailable } from './local/local-model.ts'
import { answerAsStubJudge, readTestWords, type Wish } from './test-words.ts'

export type ModelServerOptions = {
  clock: Clock
  logger: Logger
  local: LocalModel
  /** Whether test words in a post control the outcome, to test every path. Never set in production. */
  obeysTestWords: boolean
  /** The delay for a post that requests a late response. */
  slowMs?: number
  /** Answers GET /metrics. */
  metrics?: Telemetry['metricsHandler']
}

/** When a client may retry after a 503. */
const retryAfterSeconds = 5

/** Enough for twice a story of 2,500 words in any script. */
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
 * The local model behind OpenAI's `moderations` endpoint, not yet listening. Outside production it also acts as a stub
 * judge at `chat/completions`, which accepts everything except posts whose test words ask it to reject them.
 */
export function buildModelServer(options: ModelServerOptions): FastifyInstance {
  const { clock, logger, local, obeysTestWords, slowMs = 8_000 } = options
  const app = fastify({
    ...noSchemas,
    logger: false,
    bodyLimit: maxBodyBytes,
    requestTimeout: 30_000,
    keepAliveTimeout: 75_000,
    // Clients retry interrupted requests, so shutdown must not wait for a late response.
    forceCloseConnections: true,
    return503OnClosing: false,
  })
  observeRequests(app, { scheme: 'http', continuesTraces: true })
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const obey = async (text: string): Promise<Wish> => {
    const wish = obeysTestWords ? readTestWords(text) : {}
    if (wish.slow) await wait(slowMs, undefined, { signal: closing.signal })
    return wish
  }

  app.get('/healthz', async (_request, reply) => {
    const isWell = local.isWell?.() ?? true
    const windows = local.progress?.()
    return reply.code(isWell ? 200 : 503).send({ status: isWell ? 'up' : 'down', ...(windows && { windows }) })
  })
  const { metrics } = options
  if (metrics)
    app.get('/metrics', (request, reply) => {
      reply.hijack()
      metrics(request.raw, reply.raw)
    })
  app.get('/v1/models', async () => ({
    object: 'list',
    data: [{ id: local.name, object: 'model', owned_by: 'broadside' }],
  }))

  app.post('/v1/moderations', async (request, reply) => {
    const { model, input } = read(moderationRequest, request.body)
    assertKnown(model ?? local.name, local.name)
    const texts = [input].flat()
    const wish = await obey(texts.join('\n'))
    const answers = await local.score(texts, signalOfClient(reply))
    const results = answers.map((answer) => moderationResult(answer, wish))
    return { id: `modr-${randomUUID()}`, model: local.name, system_fingerprint: local.version, results }
  })

  if (obeysTestWords)
    app.post('/v1/chat/completions', async (request) => {
      const { model, messages } = read(chatRequest, request.body)
      const content = messages.findLast(({ role }) => role === 'user')?.content ?? ''
      const answer = answerAsStubJudge(content, await obey(content))
      if (!answer)
        throw new RequestFault(
          400,
          'messages',
          'No message contains a fenced post, and this judge accepts nothing else.',
        )
      return completion(model, JSON.stringify(answer), Math.floor(clock.now().getTime() / 1_000))
    })

  app.setNotFoundHandler((_request, reply) => sendFault(reply, 404, null, 'Path not found.'))
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof RequestFault) return sendFault(reply, error.statusCode, error.param, error.message)
    if (error.statusCode && error.statusCode < 500) return sendFault(reply, error.statusCode, null, error.message)
    if (error instanceof ModelUnavailable)
      return sendFault(reply.header('retry-after', retryAfterSeconds), 503, null, 'The model is unavailable.')
    if (!closing.signal.aborted) logger.error({ request_id: request.id, error }, 'request failed')
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
  throw new RequestFault(400, param, param ? `The field ${param} is missing or invalid.` : 'The body must be JSON.')
}

function assertKnown(asked: string, known: string): void {
  if (asked !== known) throw new RequestFault(404, 'model', `Only the model ${known} is available.`)
}

function sendFault(reply: FastifyReply, status: number, param: string | null, message: string) {
  const type = status < 500 ? 'invalid_request_error' : 'server_error'
  return reply.code(status).send({ error: { message, type, param, code: null } })
}

function wishedScores(scores: LocalScores, { category }: Wish): LocalScores {
  if (!category) return scores
  return Object.fromEntries(policyCategoryIds.map((id) => [id, id === category ? 0.99 : 0])) as LocalScores
}

/** From this score a category counts as flagged, for plain OpenAI clients. */
const flaggedFrom = 0.5

function moderationResult({ scores, overall, judged }: LocalAnswer, wish: Wish) {
  const category_scores = wishedScores(scores, wish)
  const categories = Object.fromEntries(policyCategoryIds.map((id) => [id, category_scores[id] >= flaggedFrom]))
  const flagged = Object.values(categories).includes(true)
  // Low quality is not part of the overall violation score.
  const overall_score = wish.category ? Number(wish.category !== 'low_quality') : overall
  return { flagged, categories, category_scores, overall_score, judged }
}

/** Aborted if the client disconnects before the response. */
function signalOfClient(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}

function completion(model: string, content: string, created: number) {
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created,
    model,
    system_fingerprint: 'stand-in',
    choices: [
      { index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: 'stop' },
    ],
  }
}
