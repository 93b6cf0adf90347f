import { SpanKind } from '@opentelemetry/api'
import { openHistogramLater } from '../observability/instruments.ts'
import { currentTraceparent, inSpan } from '../observability/tracing.ts'
import { parseStrictJson } from '../strict-json.ts'

type FaultKind = 'unreachable' | 'broken_off' | 'timeout' | 'status' | 'too_large' | 'not_json'

/** Why a service that the operator configured returned no JSON. Contains no response text, because it may be logged. */
export class ServiceError extends Error {
  readonly kind: FaultKind
  /** The status of the response, if it caused the error. */
  readonly status: number | undefined

  constructor(kind: FaultKind, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(status === undefined ? explanations[kind] : `${explanations[kind]} ${status}`, { cause })
    this.kind = kind
    this.status = status
  }
}

const explanations: Record<FaultKind, string> = {
  unreachable: 'the service could not be reached',
  broken_off: 'the service closed the connection',
  timeout: 'the service did not respond in time',
  status: 'the service responded with status',
  too_large: 'the response from the service was too large',
  not_json: 'the response from the service was not JSON',
}

export type PostOptions = {
  /** Covers the whole call, up to the last byte of the response. */
  timeoutMs: number
  /** The maximum size of the response. */
  maxBytes: number
  bearer?: string | undefined
  /** Further headers, such as a key of the service. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Cancels the call. */
  signal?: AbortSignal | undefined
}

/**
 * Posts to a service that the operator configured and returns its JSON. Throws only a `ServiceError`, or the reason of
 * `signal` if it was aborted. Do not use it for addresses chosen by users: it connects to any address.
 */
export async function postJson(url: string, body: unknown, options: PostOptions): Promise<unknown> {
  const { hostname, port, protocol } = new URL(url)
  const labels = {
    'http.request.method': 'POST',
    'server.address': hostname,
    'server.port': port || (protocol === 'https:' ? '443' : '80'),
  }
  const startedAt = performance.now()
  const record = (outcome: object) => recordDuration((performance.now() - startedAt) / 1_000, { ...labels, ...outcome })
  return inSpan('POST', labels, () => post(url, body, options), SpanKind.CLIENT).then(
    (answer) => {
      record({ 'http.response.status_code': '200' })
      return answer
    },
    (error) => {
      const { kind = 'withdrawn', status } = error instanceof ServiceError ? error : {}
      record({ 'error.type': kind, ...(status && { 'http.response.status_code': String(status) }) })
      throw error
    },
  )
}

const recordDuration = openHistogramLater('http.client.request.duration')

async function post(url: string, body: unknown, options: PostOptions): Promise<unknown> {
  const late = AbortSignal.timeout(options.timeoutMs)
  const signal = options.signal ? AbortSignal.any([late, options.signal]) : late
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...traceHeaders(),
        ...(options.bearer && { authorization: `Bearer ${options.bearer}` }),
        ...options.headers,
      },
      body: JSON.stringify(body),
      // If a service has moved, the operator must fix the URL; the key must not follow a redirect.
      redirect: 'error',
      signal,
    })
    if (!response.ok) return await refuse(response, 'status')
    if (!mayBeJson(response)) return await refuse(response, 'not_json')
    return parse(await readAtMost(response, options.maxBytes))
  } catch (error) {
    if (error instanceof ServiceError) throw error
    // If the caller cancelled, the service is not to blame.
    options.signal?.throwIfAborted()
    throw new ServiceError(late.aborted ? 'timeout' : wasConnected(error) ? 'broken_off' : 'unreachable', {
      cause: error,
    })
  }
}

/** The operator's services can continue our traces. */
function traceHeaders(): { traceparent?: string } {
  const traceparent = currentTraceparent()
  return traceparent ? { traceparent } : {}
}

/** Whether the request may have arrived, and so may have caused the disconnect. */
function wasConnected(error: unknown): boolean {
  const { name, code } = ((error as Error).cause ?? {}) as { name?: string; code?: string }
  // Errors from the HTTP parser may have no code.
  if (!(error instanceof TypeError) || name === 'HTTPParserError') return true
  return /^(?:UND_ERR_(?!CONNECT)\w+|HPE_\w+|ECONNRESET|EPIPE|Z_\w+)$/.test(code ?? '')
}

export type Health = {
  /** Whether a GET succeeded in time. */
  isWell: boolean
  /** Counts that a service may report: how much work is finished and how much is waiting. */
  progress: { finished: number; waiting: number } | null
}

/** Checks whether a service is healthy. Never throws. */
export async function readHealth(url: string, timeoutMs: number): Promise<Health> {
  let isWell = false
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    isWell = response.ok
    return { isWell, progress: progressIn(parse(await readAtMost(response, maxHealthBytes))) }
  } catch {
    // Some services report only their health.
    return { isWell, progress: null }
  }
}

export const isAnswering = async (url: string, timeoutMs: number): Promise<boolean> =>
  (await readHealth(url, timeoutMs)).isWell

const maxHealthBytes = 4_096

function progressIn(health: unknown): Health['progress'] {
  const { finished, waiting } = ((health as { windows?: object } | null)?.windows ?? {}) as Record<string, unknown>
  return typeof finished === 'number' && typeof waiting === 'number' ? { finished, waiting } : null
}

async function refuse(response: Response, kind: 'status' | 'not_json'): Promise<never> {
  await response.body?.cancel()
  throw new ServiceError(kind, kind === 'status' ? { status: response.status } : {})
}

/** An event stream or a page may contain valid JSON. A small server may send no media type at all. */
function mayBeJson(response: Response): boolean {
  const type = response.headers.get('content-type')
  return type === null || /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type)
}

async function readAtMost(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the rest of the response.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new ServiceError('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseStrictJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw new ServiceError('not_json')
  }
}
