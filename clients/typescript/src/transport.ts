import type { Answer, CallOptions } from './call.ts'
import { BroadsideConnectionError, BroadsideError, BroadsideTimeoutError, ConfigurationError } from './errors.ts'
import type { Settings } from './options.ts'
import { type ProblemDocument, problemClass } from './problem.ts'
import { deadlineWith, pause, pauseBefore, retryAfterMs } from './retry.ts'

/** A call. `facts` is a line of the table of operations. */
export type Call = {
  facts: string
  params?: readonly string[]
  query?: object | undefined
  body?: unknown
  options?: CallOptions | undefined
  /** Another site than that of the client. */
  baseUrl?: string | undefined
  isKeyless?: boolean
}

type Prepared = { url: URL; method: string; headers: Headers; body: string | null }
type Whole = { response: Response; text: string }
type Outcome = Whole | { error: BroadsideError }

/** Sends calls. It retries when a retry cannot repeat an effect. */
export class Transport {
  readonly settings: Settings

  constructor(settings: Settings) {
    this.settings = settings
  }

  async send<Body>(call: Call): Promise<Answer<Body>> {
    const [method, path, letters = ''] = call.facts.split(' ')
    const request = this.prepare(call)
    const signal = call.options?.signal
    // A key has an effect only if the operation supports it, whether or not the caller passed one.
    const isRepeatable = /[ri]/.test(letters)
    for (let retry = 0; ; retry++) {
      const outcome = await this.#attempt(request, signal)
      if ('response' in outcome && outcome.response.ok) return answerOf<Body>(outcome)
      const waitMs = retry < this.settings.maxRetries ? this.#waitBefore(retry, outcome, isRepeatable) : undefined
      if (waitMs === undefined)
        throw 'response' in outcome ? errorOf(outcome.response, outcome.text, `${method} ${path}`) : outcome.error
      await pause(waitMs, signal)
    }
  }

  prepare({ facts, params = [], query, body, options, baseUrl, isKeyless }: Call): Prepared {
    const [method = '', path = '', letters = ''] = facts.split(' ')
    let next = 0
    const filled = path.replace(/\{([a-z_]+)\}/g, (_, name: string) => pathSegment(name, String(params[next++])))
    const url = new URL((baseUrl ?? this.settings.baseUrl) + filled)
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const headers = new Headers({ accept: 'application/json' })
    const { token } = this.settings
    if (token && !isKeyless) headers.set('authorization', `Bearer ${token}`)
    if (body !== undefined) headers.set('content-type', 'application/json')
    // One key for all attempts of this call, so that the service recognizes a repeat as the same post.
    const idempotencyKey = options?.idempotencyKey ?? (letters.includes('i') ? crypto.randomUUID() : undefined)
    if (idempotencyKey !== undefined) {
      if (!/^[ -~]+$/.test(idempotencyKey))
        throw new ConfigurationError('idempotencyKey must have printable ASCII characters only.')
      headers.set('idempotency-key', idempotencyKey)
    }
    return { url, method, headers, body: body === undefined ? null : JSON.stringify(body) }
  }

  /** Returns a complete response, or the error of an attempt without one. Rethrows if the caller aborted. */
  async #attempt({ url, ...request }: Prepared, signal?: AbortSignal): Promise<Outcome> {
    const { timeoutMs, fetch } = this.settings
    const deadline = deadlineWith(signal)
    deadline.start(timeoutMs)
    try {
      const response = await fetch(url, { ...request, redirect: 'manual', signal: deadline.signal })
      const text = await response.text()
      // JSON that was cut in the middle, without an error from the connection.
      if (response.ok && isJson(response) && parsed(text) === undefined)
        return { error: new BroadsideConnectionError('The response of the service is incomplete.') }
      return { response, text }
    } catch (cause) {
      signal?.throwIfAborted()
      return { error: unanswered(deadline.signal.aborted ? timeoutMs : undefined, cause) }
    } finally {
      deadline.close()
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
    return askedMs <= this.settings.maxRetryWaitMs ? Math.max(pauseMs, askedMs) : undefined
  }
}

/** The error of an attempt without a response. The name of a host or a port is in the cause. */
export function unanswered(timeoutMs: number | undefined, cause: unknown): BroadsideConnectionError {
  if (timeoutMs !== undefined)
    return new BroadsideTimeoutError(`The service did not respond within ${timeoutMs / 1_000} seconds.`, { cause })
  const reason = reasonIn(cause)
  return new BroadsideConnectionError(`The connection to the service failed${reason ? `: ${reason}` : '.'}`, { cause })
}

/** Node says only `fetch failed`, and why in the cause. */
function reasonIn(cause: unknown): string {
  const { message = '', cause: inner } = (cause ?? {}) as { message?: string; cause?: { code?: string } }
  return inner?.code ?? message
}

/**
 * Encodes one path segment. Rejects dots, which URL parsers resolve even when encoded, so that they would call another
 * operation.
 */
function pathSegment(name: string, value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new ConfigurationError(`'${value}' is not a valid ${name} in a path.`)
  return encodeURIComponent(value)
}

function answerOf<Body>({ response, text }: Whole): Answer<Body> {
  const { status, headers } = response
  const body = status === 204 ? undefined : parsed(text)
  if (body === undefined && status !== 204)
    throw new BroadsideError(`The service responded with ${status} and no JSON. Check baseUrl.`, { status, headers })
  return { status, body: body as Body, headers, requestId: headers.get('x-request-id') }
}

/** The error that a refusal stands for. `call` names the operation. */
export function errorOf(response: Response, text: string, call: string): BroadsideError {
  const { status, type, headers } = response
  // Browsers hide the status of a redirect.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400))
    return new BroadsideError(
      'The service responded with a redirect, which the client does not follow. Check baseUrl.',
      { status, headers },
    )
  const isProblemDocument = headers.get('content-type')?.split(';')[0] === 'application/problem+json'
  const document = (isProblemDocument ? parsed(text) : undefined) as ProblemDocument | null | undefined
  if (typeof document?.code === 'string') return new (problemClass(document.code))(document, headers, call, status)
  return new BroadsideError(`The service responded with ${status} and no problem document (${call}). Check baseUrl.`, {
    status,
    headers,
  })
}

const isJson = ({ status, headers }: Response): boolean =>
  status !== 204 && (headers.get('content-type')?.startsWith('application/json') ?? false)

/** Parses JSON; returns undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
