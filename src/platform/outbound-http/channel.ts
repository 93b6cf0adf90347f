import type { TLSSocket } from 'node:tls'
import { Client } from 'undici'
import type { Destination } from './destination.ts'
import { errorOfConnection, OutboundError } from './outbound-error.ts'
import { PostExchange, type PostOutcome, type PostOwner, type PostRequest } from './post.ts'

/** Connections to one destination, kept alive between posts. The caller limits how many posts wait. */
export type Channel = {
  /** Resolves with any status, including redirects; throws only `OutboundError`. */
  post(request: PostRequest): Promise<PostOutcome>
  /** Accepts no more posts, lets active ones finish, and closes every connection. */
  close(): Promise<void>
}

export type ChannelOptions = {
  maxConnections: number
  /** Resolves the destination and connects, anew for each connection. Throws only `OutboundError`. */
  connect: (signal: AbortSignal) => Promise<TLSSocket>
}

type Connection = {
  client: Client
  connectedAtMs: number
  /** Cancels the connection attempt at any step. */
  opening: AbortController
}

/** DNS changes take effect after this time, however busy the connection is. */
const maxConnectionAgeMs = 60_000
/** Most servers keep an idle connection for at least 5 s; a post must not use one that is being closed. */
const keepAliveMs = 4_000
const maxHeaderBytes = 16_384

export class PinnedChannel implements Channel, PostOwner {
  readonly #destination: Destination
  readonly #options: ChannelOptions
  readonly #idle: Connection[] = []
  readonly #busy = new Map<PostExchange, Connection>()
  readonly #waiting = new Set<PostExchange>()
  readonly #ending = new Set<Promise<void>>()
  #emptied: PromiseWithResolvers<void> | null = null

  constructor(destination: Destination, options: ChannelOptions) {
    this.#destination = destination
    this.#options = options
  }

  post(request: PostRequest): Promise<PostOutcome> {
    if (this.#emptied) return Promise.reject(new OutboundError('connection_failed', 'CHANNEL_CLOSED'))
    if (request.signal?.aborted) return Promise.reject(new OutboundError('withdrawn'))
    const post = new PostExchange(request, this)
    this.#waiting.add(post)
    this.#serveWaiting()
    return post.outcome
  }

  async close(): Promise<void> {
    this.#emptied ??= Promise.withResolvers()
    this.#serveWaiting()
    await this.#emptied.promise
    await Promise.all(this.#ending)
  }

  /** Aborts active posts. */
  async destroy(): Promise<void> {
    const closed = this.close()
    for (const post of [...this.#waiting, ...this.#busy.keys()]) {
      post.giveUp(new OutboundError('connection_broken', 'CHANNEL_CLOSED'))
    }
    await closed
  }

  onDone(post: PostExchange): void {
    const connection = this.#busy.get(post)
    this.#busy.delete(post)
    if (connection) this.#idle.push(connection)
    this.#serveWaiting()
  }

  onGivenUp(post: PostExchange): void {
    this.#waiting.delete(post)
    const connection = this.#busy.get(post)
    this.#busy.delete(post)
    if (connection) this.#drop(connection)
    this.#serveWaiting()
  }

  #serveWaiting(): void {
    for (const post of this.#waiting) {
      const connection = this.#takeConnection()
      if (!connection) return
      this.#waiting.delete(post)
      this.#send(post, connection)
    }
    if (!this.#emptied) return
    for (const connection of this.#idle.splice(0)) this.#drop(connection)
    if (this.#busy.size === 0) this.#emptied.resolve()
  }

  #takeConnection(): Connection | null {
    // The connection used last is the least likely to have been closed by the receiver.
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      if (performance.now() - connection.connectedAtMs < maxConnectionAgeMs) return connection
      this.#drop(connection)
    }
    return this.#busy.size < this.#options.maxConnections ? this.#newConnection() : null
  }

  #newConnection(): Connection {
    const opening = new AbortController()
    const open = async () => {
      const socket = await this.#options.connect(opening.signal)
      connection.connectedAtMs = performance.now()
      return socket
    }
    const client = new Client(this.#destination.origin, {
      connect: (_options, callback) => {
        open().then(
          (socket) => callback(null, socket),
          (fault) => callback(fault, null),
        )
      },
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      maxHeaderSize: maxHeaderBytes,
      // A post has an overall deadline instead.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const connection = { client, connectedAtMs: performance.now(), opening }
    return connection
  }

  #send(post: PostExchange, connection: Connection): void {
    this.#busy.set(post, connection)
    const { headers, body } = post.request
    const { path } = this.#destination
    try {
      connection.client.dispatch({ method: 'POST', path, headers, body }, post)
    } catch (error) {
      post.giveUp(errorOfConnection(error as Error))
    }
  }

  #drop({ client, opening }: Connection): void {
    opening.abort()
    const ended = client.destroy().finally(() => this.#ending.delete(ended))
    this.#ending.add(ended)
  }
}
