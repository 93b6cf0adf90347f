import { z } from 'zod'
import { postJson, readHealth, ServiceError } from '../../platform/outbound-http/configured-service.ts'

/**
 * Why a stage gave no valid response. `too_long` is permanent: a person must judge the post. The other kinds may be
 * temporary. `busy`: the model did not respond in time because it is working on other requests. The message may be
 * logged, so it contains no text from the post or the response.
 */
export class ModelError extends Error {
  readonly kind: ServiceError['kind'] | 'not_an_answer' | 'too_long' | 'busy'
  /** The HTTP status, if it is the cause. */
  readonly status: number | undefined

  constructor(kind: ModelError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.status = cause instanceof ServiceError ? cause.status : undefined
  }
}

export type ServiceOptions = {
  /** The base URL, without `/v1/…`. */
  url: string
  apiKey?: string | undefined
  /** The timeout for one request. */
  timeoutMs: number
  /** Cancels the request. */
  signal?: AbortSignal | undefined
}

/** The bundled model's limit. Only a deliberately long request exceeds it. */
const maxQuestionBytes = 512 * 1024
const maxAnswerBytes = 64 * 1024

/** Calls one of the operator's servers and returns its JSON response. Throws a ModelError, or the signal's reason. */
export async function ask(options: ServiceOptions, path: string, body: object): Promise<unknown> {
  const { url, apiKey, timeoutMs, signal } = options
  if (Buffer.byteLength(JSON.stringify(body)) > maxQuestionBytes)
    throw new ModelError('too_long', 'the post is too long for the model')
  try {
    return await postJson(`${url}/v1/${path}`, body, { timeoutMs, maxBytes: maxAnswerBytes, bearer: apiKey, signal })
  } catch (error) {
    if (error instanceof ServiceError) throw new ModelError(error.kind, `${path}: ${error.message}`, error)
    throw error
  }
}

/** Whether the server reports its progress. Only our model server does. */
export const isBusy = async (url: string): Promise<boolean> =>
  (await readHealth(`${url}/healthz`, healthTimeoutMs)).progress !== null

const healthTimeoutMs = 2_000

/** The name or version of a model. It is stored with the decision and shown to the author. */
export const printable = z.string().regex(/^[\x20-\x7e]{1,200}$/)

/**
 * Validates a response. The error says where it is invalid but not what it contains, because it may repeat the post.
 */
export function check<Schema extends z.ZodType>(stage: string, schema: Schema, answer: unknown): z.output<Schema> {
  const result = schema.safeParse(answer)
  if (result.success) return result.data
  const places = result.error.issues.map(({ code, path }) => `${code} at /${path.join('/')}`)
  throw new ModelError('not_an_answer', `the ${stage}’s response is invalid: ${places.join(', ')}`)
}
