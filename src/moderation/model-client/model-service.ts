import { z } from 'zod'
import { postJson, readHealth, ServiceError } from '../../platform/outbound-http/configured-service.ts'

/**
 * Why a stage gave no answer. `too_long` will be so for ever: such a post is a person's case. The others may pass.
 * `busy`: no answer came in time, and the model is at work on other questions. No
 * text of the post or of the answer is in it: it may end in a log.
 */
export class ModelError extends Error {
  readonly kind: ServiceError['kind'] | 'not_an_answer' | 'too_long' | 'busy'
  /** The status that was answered, when that is the fault. */
  readonly status: number | undefined

  constructor(kind: ModelError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.status = cause instanceof ServiceError ? cause.status : undefined
  }
}

export type ServiceOptions = {
  /** What stands before `/v1/…`. */
  url: string
  apiKey?: string | undefined
  /** For one question. */
  timeoutMs: number
  /** Gives it up. */
  signal?: AbortSignal | undefined
}

/** What the model that ships takes; a longer question can only be made on purpose. */
const maxQuestionBytes = 512 * 1024
const maxAnswerBytes = 64 * 1024

/** Asks a server of the operator's and gives the JSON that it answered. Throws a ModelError, or the signal's reason. */
export async function ask(options: ServiceOptions, path: string, body: object): Promise<unknown> {
  const { url, apiKey, timeoutMs, signal } = options
  if (Buffer.byteLength(JSON.stringify(body)) > maxQuestionBytes)
    throw new ModelError('too_long', 'the post is longer than the model can be asked about')
  try {
    return await postJson(`${url}/v1/${path}`, body, { timeoutMs, maxBytes: maxAnswerBytes, bearer: apiKey, signal })
  } catch (error) {
    if (error instanceof ServiceError) throw new ModelError(error.kind, `${path}: ${error.message}`, error)
    throw error
  }
}

/** Whether a server says what it is at work on. Only a model server of ours does. */
export const isBusy = async (url: string): Promise<boolean> =>
  (await readHealth(`${url}/healthz`, healthTimeoutMs)).progress !== null

const healthTimeoutMs = 2_000

/** The name of a model or of its version: stored with the decision and shown to the author. */
export const printable = z.string().regex(/^[\x20-\x7e]{1,200}$/)

/** Says where the answer is wrong, never what it said: that may repeat the post. */
export function check<Schema extends z.ZodType>(stage: string, schema: Schema, answer: unknown): z.output<Schema> {
  const result = schema.safeParse(answer)
  if (result.success) return result.data
  const places = result.error.issues.map(({ code, path }) => `${code} at /${path.join('/')}`)
  throw new ModelError('not_an_answer', `the ${stage}’s answer is not one: ${places.join(', ')}`)
}
