import type { Dispatcher } from 'undici'
import { errorOfConnection, OutboundError } from './outbound-error.ts'

export type PostRequest = {
  body: Buffer
  headers: Record<string, string>
  /** Covers everything up to the status: waiting for a connection, DNS, the handshake and the response. */
  timeoutMs: number
  /** The maximum size of the response body, which is discarded. */
  maxBytes: number
  /** Cancels the post; it ends as `withdrawn`. */
  signal?: AbortSignal
}

export type PostOutcome = { status: number; retryAfter: string | null }

/** Handles the connection that a post used or waited for. */
export type PostOwner = {
  /** The next post can use the connection. */
  onDone(post: PostExchange): void
  /** The connection cannot be used again. */
  onGivenUp(post: PostExchange): void
}

const maxRetryAfterLength = 64
/** Reading the whole body keeps the connection usable. If that takes longer, a new connection is cheaper. */
const maxBodyMs = 1_000

/** One active post. Once the status has arrived, a fault in the body does not make the post fail. */
export class PostExchange implements Dispatcher.DispatchHandler {
  readonly request: PostRequest
  readonly outcome: Promise<PostOutcome>
  readonly #owner: PostOwner
  readonly #resolve: (outcome: PostOutcome) => void
  readonly #reject: (fault: OutboundError) => void
  readonly #deadline: NodeJS.Timeout
  #bodyDeadline: NodeJS.Timeout | undefined
  #answer: PostOutcome | null = null
  #bytes = 0
  #isOver = false

  constructor(request: PostRequest, owner: PostOwner) {
    const { promise, resolve, reject } = Promise.withResolvers<PostOutcome>()
    this.request = request
    this.outcome = promise
    this.#owner = owner
    this.#resolve = resolve
    this.#reject = reject
    this.#deadline = setTimeout(this.#runOut, request.timeoutMs)
    request.signal?.addEventListener('abort', this.#withdraw)
  }

  readonly #runOut = () => this.giveUp(new OutboundError('timeout'))
  readonly #withdraw = () => this.giveUp(new OutboundError('withdrawn'))

  /** Ends the post and its connection, with the status if it is known, otherwise with the fault. */
  giveUp(fault: OutboundError): void {
    if (this.#isOver) return
    this.#end()
    if (!this.#answer) this.#reject(fault)
    this.#owner.onGivenUp(this)
  }

  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    // 102 and 103 announce a response but are not one.
    if (status < 200 || this.#isOver) return
    const header = headers['retry-after']
    const retryAfter = (Array.isArray(header) ? header[0] : header)?.slice(0, maxRetryAfterLength) ?? null
    this.#answer = { status, retryAfter }
    this.#bodyDeadline = setTimeout(this.#runOut, maxBodyMs)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.request.maxBytes) this.giveUp(new OutboundError('malformed_response'))
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    this.#end()
    this.#owner.onDone(this)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.giveUp(errorOfConnection(error))
  }

  #end(): void {
    this.#isOver = true
    clearTimeout(this.#deadline)
    clearTimeout(this.#bodyDeadline)
    this.request.signal?.removeEventListener('abort', this.#withdraw)
    if (this.#answer) this.#resolve(this.#answer)
  }
}

type ResponseHeaders = Record<string, string | string[] | undefined>
