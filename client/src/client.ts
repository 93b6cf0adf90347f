import type { Answer, CallOptions } from './call.ts'
import { BroadsideOperations, type OperationFacts } from './generated.ts'
import { BroadsideProblem, type ProblemDocument } from './problem.ts'
import { pauseBefore, retryAfterMs } from './retry.ts'

export type BroadsideOptions = {
  /** The site to call, such as https://messages.broadside.example. */
  baseUrl: string
  apiKey?: string
  /** How often a call is tried again; 3 unless told. */
  maxRetries?: number
  /** A Retry-After beyond this many milliseconds is not waited for; 60,000 unless told. */
  maxRetryWaitMs?: number
  /** How long one attempt may take; 30,000 unless told. */
  timeoutMs?: number
  fetch?: typeof fetch
}

type Prepared = { url: URL; method: string; headers: Headers; body: string | null }
type Whole = { response: Response; text: string }
type Outcome = Whole | { error: unknown }
type Input = { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }

/** A client of one site. Tries again where that cannot repeat an effect, and throws BroadsideProblem where it is refused. */
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
    // A key protects only where the service looks at it, whether or not the caller gave one.
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
    // One key for all attempts of this call: a repeat must be recognised as the same post.
    const idempotencyKey = options.idempotencyKey ?? (takesIdempotencyKey ? crypto.randomUUID() : undefined)
    if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
    return { url, method, headers, body: body === undefined ? null : JSON.stringify(body) }
  }

  /** A whole response, or the error of an attempt that got none. Giving up is the caller's own, and thrown. */
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

  /** How long to wait before trying again; undefined when that would help nobody or could repeat an effect. */
  #waitBefore(retry: number, outcome: Outcome, isRepeatable: boolean): number | undefined {
    const pauseMs = pauseBefore(retry, Math.random)
    if ('error' in outcome) return isRepeatable ? pauseMs : undefined
    const { status, headers } = outcome.response
    // A limit that says when it ends is worth waiting for; one that does not lasts for the day.
    const wasNeverTaken = status === 429 && headers.has('retry-after')
    const mayPass = status === 409 ? headers.has('retry-after') : status >= 500
    if (!wasNeverTaken && !(mayPass && isRepeatable)) return undefined
    const askedMs = retryAfterMs(headers, Date.now()) ?? 0
    return askedMs <= this.#options.maxRetryWaitMs ? Math.max(pauseMs, askedMs) : undefined
  }
}

/** One part of a path. Dots would be resolved, encoded or not, and lead to another operation. */
function pathSegment(name: string, value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`'${value}' cannot be the ${name} in a path.`)
  return encodeURIComponent(value)
}

function answerOf<Body>({ response, text }: Whole): Answer<Body> {
  const { status, headers } = response
  const body = status === 204 ? undefined : parsed(text)
  if (body === undefined && status !== 204) throw new Error(`The service answered ${status} without JSON.`)
  return { status, body: body as Body, headers, requestId: headers.get('x-request-id') }
}

function problemOf({ response, text }: Whole): Error {
  const { status, type, headers } = response
  // Browsers hide the status of a redirect.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400))
    return new Error('The service answered with a redirect, which is not followed: check baseUrl.')
  const isProblemDocument = headers.get('content-type')?.split(';')[0] === 'application/problem+json'
  const document = (isProblemDocument ? parsed(text) : undefined) as ProblemDocument | null | undefined
  if (typeof document?.code === 'string') return new BroadsideProblem(document, headers)
  return new Error(`The service answered ${status} without a problem document.`)
}

/** The value of a JSON text; undefined when it is none. */
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
