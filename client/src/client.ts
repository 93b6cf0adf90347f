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

export type CallOptions = {
  /** Names one logical post: send the same key to repeat it. Made for you when the operation takes one. */
  idempotencyKey?: string
  signal?: AbortSignal
}

export type Answer<Body> = { status: number; body: Body; headers: Headers; requestId: string | null }

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
    const isRepeatable = operation.safeToRepeat || request.headers.has('idempotency-key')
    for (let retry = 0; ; retry++) {
      const outcome = await this.#attempt(request, options.signal)
      if (outcome instanceof Response && outcome.ok) return answerOf<Body>(outcome)
      const waitMs = retry < this.#options.maxRetries ? this.#waitBefore(retry, outcome, isRepeatable) : undefined
      if (waitMs === undefined) throw outcome instanceof Response ? await problemOf(outcome) : outcome
      if (outcome instanceof Response) await outcome.body?.cancel()
      await pause(waitMs, options.signal)
    }
  }

  #request({ method, path, takesIdempotencyKey }: OperationFacts, input: Input, options: CallOptions) {
    const { params = {}, query = {}, body } = input
    const filled = path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
    const url = new URL(this.#options.baseUrl + filled)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const headers = new Headers({ accept: 'application/json' })
    if (this.#options.apiKey) headers.set('authorization', `Bearer ${this.#options.apiKey}`)
    if (body !== undefined) headers.set('content-type', 'application/json')
    // One key for all attempts of this call: a repeat must be recognised as the same post.
    const idempotencyKey = options.idempotencyKey ?? (takesIdempotencyKey ? crypto.randomUUID() : undefined)
    if (idempotencyKey) headers.set('idempotency-key', idempotencyKey)
    return { url, method, headers, body: body === undefined ? null : JSON.stringify(body) }
  }

  /** A response, or the error of an attempt that got none. Giving up is the caller's own, and thrown. */
  async #attempt(
    { url, ...request }: { url: URL; method: string; headers: Headers; body: string | null },
    signal?: AbortSignal,
  ) {
    const timeout = AbortSignal.timeout(this.#options.timeoutMs)
    try {
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout
      return await this.#options.fetch(url, { ...request, redirect: 'error', signal: either })
    } catch (error) {
      signal?.throwIfAborted()
      return error as Error
    }
  }

  /** How long to wait before trying again; undefined when that would help nobody or could repeat an effect. */
  #waitBefore(retry: number, outcome: Response | Error, isRepeatable: boolean): number | undefined {
    const pauseMs = pauseBefore(retry, Math.random)
    if (outcome instanceof Error) return isRepeatable ? pauseMs : undefined
    const wasNeverTaken = outcome.status === 429
    const mayPass = outcome.status === 409 ? outcome.headers.has('retry-after') : outcome.status >= 500
    if (!wasNeverTaken && !(mayPass && isRepeatable)) return undefined
    const waitMs = Math.max(pauseMs, retryAfterMs(outcome.headers, Date.now()) ?? 0)
    return waitMs <= this.#options.maxRetryWaitMs ? waitMs : undefined
  }
}

async function answerOf<Body>(response: Response): Promise<Answer<Body>> {
  const body = (response.status === 204 ? undefined : await response.json()) as Body
  return { status: response.status, body, headers: response.headers, requestId: response.headers.get('x-request-id') }
}

async function problemOf(response: Response): Promise<Error> {
  const document = (await response.json().catch(() => undefined)) as ProblemDocument | undefined
  if (document && typeof document.code === 'string') return new BroadsideProblem(document, response.headers)
  return new Error(`The service answered ${response.status} without a problem document.`)
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
