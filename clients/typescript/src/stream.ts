import { BroadsideConnectionError, BroadsideError } from './errors.ts'
import type { BrowseQuery, EventList, Kind, PublicPost } from './generated/types.ts'
import { deadlineWith, pause, pauseBefore, retryAfterMs } from './retry.ts'
import { type SseEvent, SseParser } from './sse.ts'
import { errorOf, parsed, type Transport, unanswered } from './transport.ts'

type Filters<K extends Kind> = Omit<BrowseQuery[K], 'limit' | 'cursor'>
type StreamControl = {
  /** Resume after this event: the `id` of the last event that you processed. Possible for 24 hours. */
  after?: string
  signal?: AbortSignal
  /** Reconnect if nothing, not even a heartbeat, arrives for so long. Default: 45,000. */
  heartbeatTimeoutMs?: number
}

/** Public posts: of one kind with its filters, or of all sites with `kind: 'all'`. */
export type StreamOptions<K extends Kind | 'all' = Kind | 'all'> = StreamControl & {
  kind?: K
  scope?: 'public'
} & (K extends Kind ? Filters<K> : unknown)
/** Your own events, as in `listEvents`. */
export type OwnStreamOptions = StreamControl & { scope: 'mine' }

type KindIn<K> = K extends Kind ? K : Kind
/** A post that was published, edited or withdrawn. Store `id` to resume after it. */
export type StreamEvent<K extends Kind | 'all' = Kind> =
  | { id: string; type: 'post.published' | 'post.edited'; data: PublicPost[KindIn<K>] }
  | { id: string; type: 'post.removed'; data: { id: string; kind: KindIn<K>; url: string; removed_at: string } }
export type OwnStreamEvent = { id: string; type: string; data: EventList['data'][number] }

type AnyStreamEvent = { id: string; type: string; data: unknown }
type Control = { after: string | undefined; signal: AbortSignal | undefined; heartbeatTimeoutMs: number }
type Source = { transport: Transport; baseUrl: string; query: object; control: Control }

/** How many ids to remember. After a reconnection the service can repeat the last events. */
const remembered = 1_000
const maxPauseMs = 30_000
/** The longest wait that the service can ask for. */
const maxAskedMs = 300_000

/** Events from a connection that is renewed whenever it ends, without gaps and without repeats. */
export const streamFrom = (source: Source) => follow(source) as AsyncGenerator<AnyStreamEvent, void, undefined>

/** The cursor at the current end of the stream. The service sends it as soon as a connection opens. */
export async function cursorNow(source: Source): Promise<string> {
  for await (const item of follow(source, true)) if (typeof item === 'string') return item
  throw new BroadsideError('The stream ended without a cursor.')
}

/** The events or, with `isForCursor`, the first cursor. */
async function* follow(source: Source, isForCursor = false): AsyncGenerator<AnyStreamEvent | string, void, undefined> {
  const { signal, after } = source.control
  const { maxRetries } = source.transport.settings
  const seen = new Set<string>()
  const progress: Progress = { last: after ?? '', retryMs: undefined, wasOpen: false }
  for (let failures = 0; ; failures++) {
    let askedMs = 0
    try {
      for await (const event of connection(source, progress)) {
        failures = 0
        if (isForCursor && progress.last) yield progress.last
        if (!event || (event.id && seen.has(event.id))) continue
        seen.add(event.id)
        if (seen.size > remembered) seen.delete(seen.values().next().value as string)
        yield { id: event.id, type: event.type, data: dataOf(event) }
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!passes(error, progress.wasOpen) || (!progress.wasOpen && failures >= maxRetries)) throw error
      askedMs = retryAfterMs(error.headers, Date.now()) ?? 0
    }
    const pauseMs = Math.min(maxPauseMs, 4 * pauseBefore(failures, Math.random))
    await pause(Math.max(Math.min(maxAskedMs, Math.max(askedMs, progress.retryMs ?? 0)), pauseMs), signal)
  }
}

type Progress = { last: string; retryMs: number | undefined; wasOpen: boolean }

/** The events of one connection; undefined for other signs of life. Ends when the connection ends. */
async function* connection(
  { transport, baseUrl, query, control }: Source,
  progress: Progress,
): AsyncGenerator<SseEvent | undefined, void, undefined> {
  const deadline = deadlineWith(control.signal)
  let waitMs = transport.settings.timeoutMs
  deadline.start(waitMs)
  try {
    const call = { baseUrl, query: { ...query, after: progress.last || undefined } }
    const body = await open(transport, call, deadline.signal)
    progress.wasOpen = true
    waitMs = control.heartbeatTimeoutMs
    const [reader, decoder, parser] = [body.getReader(), new TextDecoder(), new SseParser()]
    parser.lastId = progress.last
    for (;;) {
      deadline.start(waitMs)
      const { done, value } = await reader.read()
      if (done) return
      deadline.clear()
      for (const event of parser.push(decoder.decode(value, { stream: true }))) {
        progress.last = event.id
        yield event
      }
      progress.last = parser.lastId
      progress.retryMs = parser.retryMs ?? progress.retryMs
      yield undefined
    }
  } catch (error) {
    if (error instanceof BroadsideError || control.signal?.aborted) throw error
    throw unanswered(deadline.signal.aborted ? waitMs : undefined, error)
  } finally {
    deadline.close()
    // Also when the caller leaves its loop: the connection must not stay open.
    deadline.abort()
  }
}

async function open(transport: Transport, call: { baseUrl: string; query: object }, signal: AbortSignal) {
  const facts = 'GET /v1/stream'
  const { url, method, headers } = transport.prepare({ facts, ...call })
  headers.set('accept', 'text/event-stream')
  const { fetch } = transport.settings
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    cache: 'no-store',
    signal,
  })
  if (!response.ok) throw errorOf(response, await response.text(), facts)
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
    throw new BroadsideError('The service responded without an event stream. Check baseUrl.')
  return response.body
}

/** Whether a new connection can help: the service was not reached, is busy or is restarting. A proxy can say so, too. */
function passes(error: unknown, wasOpen: boolean): error is BroadsideError {
  if (!(error instanceof BroadsideError)) return false
  const { status = 0, headers } = error
  const isBusy = status === 429 && (wasOpen || headers?.has('retry-after'))
  return error instanceof BroadsideConnectionError || status >= 500 || isBusy === true
}

function dataOf({ data }: SseEvent): unknown {
  const value = parsed(data)
  if (value === undefined) throw new BroadsideError('The stream sent an event that is not JSON.')
  return value
}
