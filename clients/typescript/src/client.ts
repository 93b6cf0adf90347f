import type { Answer, CallOptions } from './call.ts'
import { BroadsideOperations, type OperationFacts } from './generated.ts'
import { BroadsideProblem, type ProblemDocument } from './problem.ts'
import { pauseBefore, retryAfterMs } from './retry.ts'

export type BroadsideOptions = {
  /** The site to call, such as https://messages.broadside.example. */
  baseUrl: string
  apiKey?: string
  /** Maximum number of retries per call. Default: 3. */
  maxRetries?: number
  /** Do not wait for a Retry-After longer than this many milliseconds. Default: 60,000. */
  maxRetryWaitMs?: number
  /** Timeout of one attempt in milliseconds. Default: 30,000. */
  timeoutMs?: number
  fetch?: typeof fetch
}

type Prepared = { url: URL; method: string; headers: Headers; body: string | null }
type Whole = { response: Response; text: string }
type Outcome = Whole | { error: unknown }
type Input = { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }

/**
 * A client for one site. It retries when a retry cannot repeat an effect, and throws BroadsideProblem when the service
 * rejects a request.
 */
export class Broadside extends BroadsideOperations {
  readonly #options: Required<Omit<BroadsideOptions, 'apiKey'>> & { apiKey: string | undefined }

  constructor({
    baseUrl,
    apiKey,
    maxRetries = 3,
    maxRetryWaitMs = 60_000,
    timeoutMs = 30_000,
    ...rest
  }: BroadsideOptions) {
    super()
    const fetchWith = rest.fetch ?? fetch
    this.#options = {
      baseUrl: baseUrl.replace(/\/$/, ''),
      apiKey,
      maxRetries,
      maxRetryWaitMs,
      timeoutMs,
      fetch: fetchWith,
    }
  }

  protected async call<Body>(
    operation: OperationFacts,
    input: Input,
    options: CallOptions = {},
  ): Promise<Answer<Body>> {
    const request = this.#request(operation, input, options)
    // A key has an effect only if the operation supports it, whether or not the caller passed one.
    const isRepeatable = operation.safeToRepeat || operation.takesIdempotencyKey
    for (let retry = 0; ; retry++) {
      const outcome = await this.#attempt(request, options.signal)
      if ('response' in outcome && outcome.response.ok) return answerOf<Body>(outcome)
      const waitMs = retry < this.#options.maxRetries ? this.#waitBefore(retry, outcome, isRepeatable) : undefined
      if (waitMs === undefined) throw 'response' in outcome ? problemOf(outcome) : outcome.error
      await pause(waitMs, options.signal)
    }
  }

  #request({ method, path, takesIdempotencyKey }: OperationFacts, input: Input, options: CallOptions): Prepared {
    const { params = {}, query = {}, body } = input
    const filled = path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => pathSegment(name, String(params[name])))
    const url = new URL(this.#options.baseUrl + filled)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const headers = new Headers({ accept: 'application/json' })
    if (this.#options.apiKey) headers.set('authorization', `Bearer ${this.#options.apiKey}`)
    if (body !== undefined) headers.set('content-type', 'application/json')
    // One key for all attempts of this call, so that the service recognizes a repeat as the same post.
    const idempotencyKey = options.idempotencyKey ?? (takesIdempotencyKey ? crypto.randomUUID() : undefined)
    if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
    return { url, method, headers, body: body === undefined ? null : JSON.stringify(body) }
  }

  /** Returns a complete response, or the error of an attempt without one. Rethrows if the caller aborted. */
  async #attempt({ url, ...request }: Prepared, signal?: AbortSignal): Promise<Outcome> {
    const { timeoutMs, fetch } = this.#options
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout
      const response = await fetch(url, { ...request, redirect: 'manual', signal: either })
      return { response, text: await response.text() }
    } catch (error) {
      signal?.throwIfAborted()
      return { error }
    }
  }

  /** How long to wait before a retry; undefined if a retry would not help or could repeat an effect. */
  #waitBefore(retry: number, outcome: Outcome, isRepeatable: boolean): number | undefined {
    const pauseMs = pauseBefore(retry, Math.random)
    if ('error' in outcome) return isRepeatable ? pauseMs : undefined
    const { status, headers } = outcome.response
    // Retries only if the response says when the limit ends. A limit without Retry-After lasts for the rest of the day.
    const wasNeverTaken = status === 429 && headers.has('retry-after')
    const mayPass = status === 409 ? headers.has('retry-after') : status >= 500
    if (!wasNeverTaken && !(mayPass && isRepeatable)) return undefined
    const askedMs = retryAfterMs(headers, Date.now()) ?? 0
    return askedMs <= this.#options.maxRetryWaitMs ? Math.max(pauseMs, askedMs) : undefined
  }
}

/**
 * Encodes one path segment. Rejects dots, which URL parsers resolve even when encoded, so that they would call another
 * operation.
 */
function pathSegment(name: string, value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`'${value}' is not a valid ${name} in a path.`)
  return encodeURIComponent(value)
}

function answerOf<Body>({ response, text }: Whole): Answer<Body> {
  const { status, headers } = response
  const body = status === 204 ? undefined : parsed(text)
  if (body === undefined && status !== 204) throw new Error(`The service responded with ${status} and no JSON.`)
  return { status, body: body as Body, headers, requestId: headers.get('x-request-id') }
}

function problemOf({ response, text }: Whole): Error {
  const { status, type, headers } = response
  // Browsers hide the status of a redirect.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400))
    return new Error('The service responded with a redirect, which the client does not follow. Check baseUrl.')
  const isProblemDocument = headers.get('content-type')?.split(';')[0] === 'application/problem+json'
  const document = (isProblemDocument ? parsed(text) : undefined) as ProblemDocument | null | undefined
  if (typeof document?.code === 'string') return new BroadsideProblem(document, headers)
  return new Error(`The service responded with ${status} and no problem document.`)
}

/** Parses JSON; returns undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
