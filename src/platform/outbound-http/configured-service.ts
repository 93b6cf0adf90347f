import { parseStrictJson } from '../strict-json.ts'

type FaultKind = 'unreachable' | 'broken_off' | 'timeout' | 'status' | 'too_large' | 'not_json'

/** Why a service that the operator configured gave no JSON. No text of the response is in it: it may end in a log. */
export class ServiceError extends Error {
  readonly kind: FaultKind
  /** The status that was answered, when that is the fault. */
  readonly status: number | undefined

  constructor(kind: FaultKind, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(status === undefined ? explanations[kind] : `${explanations[kind]} ${status}`, { cause })
    this.kind = kind
    this.status = status
  }
}

const explanations: Record<FaultKind, string> = {
  unreachable: 'the service could not be reached',
  broken_off: 'the service broke off',
  timeout: 'the service did not answer in time',
  status: 'the service answered with the status',
  too_large: 'the service answered more than was allowed',
  not_json: 'the service answered something that is not JSON',
}

export type PostOptions = {
  /** For the whole call, to the last byte of the answer. */
  timeoutMs: number
  /** Of the answer. */
  maxBytes: number
  bearer?: string | undefined
  /** Gives the call up. */
  signal?: AbortSignal | undefined
}

/**
 * Asks a service that the operator configured, and gives the JSON it answered; throws only a `ServiceError`, or the
 * reason of `signal` when that gave it up. It is not for addresses that a user chose: it connects to wherever the
 * address leads.
 */
export async function postJson(url: string, body: unknown, options: PostOptions): Promise<unknown> {
  const late = AbortSignal.timeout(options.timeoutMs)
  const signal = options.signal ? AbortSignal.any([late, options.signal]) : late
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(options.bearer && { authorization: `Bearer ${options.bearer}` }),
      },
      body: JSON.stringify(body),
      // A service that moved is the operator's to put right; the key must not follow it.
      redirect: 'error',
      signal,
    })
    if (!response.ok) return await refuse(response, 'status')
    if (!mayBeJson(response)) return await refuse(response, 'not_json')
    return parse(await readAtMost(response, options.maxBytes))
  } catch (error) {
    if (error instanceof ServiceError) throw error
    // Who gives up has no service to blame.
    options.signal?.throwIfAborted()
    throw new ServiceError(late.aborted ? 'timeout' : wasConnected(error) ? 'broken_off' : 'unreachable', {
      cause: error,
    })
  }
}

/** Whether the question may have arrived: then it may be what the service broke off at. */
function wasConnected(error: unknown): boolean {
  const { name, code } = ((error as Error).cause ?? {}) as { name?: string; code?: string }
  // The error of the parser of HTTP may come without a code.
  if (!(error instanceof TypeError) || name === 'HTTPParserError') return true
  return /^(?:UND_ERR_(?!CONNECT)\w+|HPE_\w+|ECONNRESET|EPIPE|Z_\w+)$/.test(code ?? '')
}

export type Health = {
  /** Whether a GET was answered with success in time. */
  isWell: boolean
  /** What a service says that counts its work: how much is finished and how much waits. */
  progress: { finished: number; waiting: number } | null
}

/** Asks a service whether it is well. Never throws. */
export async function readHealth(url: string, timeoutMs: number): Promise<Health> {
  let isWell = false
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    isWell = response.ok
    return { isWell, progress: progressIn(parse(await readAtMost(response, maxHealthBytes))) }
  } catch {
    // A service need not say more than that it is well.
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

/** A stream of events or a page may hold what parses as JSON. A small server may name no media type at all. */
function mayBeJson(response: Response): boolean {
  const type = response.headers.get('content-type')
  return type === null || /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type)
}

async function readAtMost(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the rest of the answer.
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
