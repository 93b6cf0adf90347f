import { z } from 'zod'
import { postJson, readHealth, ServiceError } from '../../platform/outbound-http/configured-service.ts'

/**
 * Why a stage gave no answer. `too_long` is permanent: a person must judge the post. The others may pass. `busy`: no
 * answer came in time, and the model is working on other requests. The message may be logged, so it contains no text of
 * the post or the answer.
 */
export class ModelError extends Error {
  readonly kind: ServiceError['kind'] | 'not_an_answer' | 'too_long' | 'busy'
  /** The HTTP status, if that is the fault. */
  readonly status: number | undefined

  constructor(kind: ModelError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.status = cause instanceof ServiceError ? cause.status : undefined
  }
}

export type ServiceOptions = {
  /** The URL before `/v1/…`. */
  url: string
  apiKey?: string | undefined
  /** The timeout of one request. */
  timeoutMs: number
  /** Cancels the request. */
  signal?: AbortSignal | undefined
}

/** The limit of the bundled model; only a deliberately long request exceeds it. */
const maxQuestionBytes = 512 * 1024
const maxAnswerBytes = 64 * 1024

/** Calls one of the operator's servers and returns its JSON answer. Throws a ModelError, or the signal's reason. */
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

/** Whether the server reports its progress. Only our own model server does. */
export const isBusy = async (url: string): Promise<boolean> =>
  (await readHealth(`${url}/healthz`, healthTimeoutMs)).progress !== null

const healthTimeoutMs = 2_000

/** The name or version of a model. It is stored with the decision and shown to the author. */
export const printable = z.string().regex(/^[\x20-\x7e]{1,200}$/)

/** Reports where the answer is wrong but not its content, which may repeat the post. */
export function check<Schema extends z.ZodType>(stage: string, schema: Schema, answer: unknown): z.output<Schema> {
  const result = schema.safeParse(answer)
  if (result.success) return result.data
  const places = result.error.issues.map(({ code, path }) => `${code} at /${path.join('/')}`)
  throw new ModelError('not_an_answer', `the ${stage}’s answer is invalid: ${places.join(', ')}`)
}
