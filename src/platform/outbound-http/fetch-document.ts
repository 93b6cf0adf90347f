import type { TLSSocket } from 'node:tls'
import { Client } from 'undici'
import type { Destination } from './destination.ts'
import { errorOfConnection, OutboundError } from './outbound-error.ts'

export type FetchLimits = {
  timeoutMs: number
  maxBytes: number
  /** The media type to ask for; application/json by default. */
  accept?: string
}

/** `headers` has only those that a caller may need: the media type and how long to cache. */
export type FetchedDocument = {
  status: number
  headers: Record<'content-type' | 'cache-control', string>
  body: Buffer
}

type Connect = (signal: AbortSignal) => Promise<TLSSocket>

/** Reads a small document over one connection. Follows no redirect. Throws only `OutboundError`. */
export async function fetchDocument(
  destination: Destination,
  connect: Connect,
  { timeoutMs, maxBytes, accept = 'application/json' }: FetchLimits,
): Promise<FetchedDocument> {
  const { origin, path } = destination
  const signal = AbortSignal.timeout(timeoutMs)
  const client = new Client(origin, {
    connect: (_options, callback) => {
      connect(signal).then(
        (socket) => callback(null, socket),
        (fault) => callback(fault, null),
      )
    },
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: 16_384,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    const response = await client.request({ method: 'GET', path, headers: { accept }, signal })
    const header = (name: string) => String(response.headers[name] ?? '')
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new OutboundError('malformed_response', 'TOO_LARGE')
      chunks.push(chunk)
    }
    return {
      status: response.statusCode,
      headers: { 'content-type': header('content-type'), 'cache-control': header('cache-control') },
      body: Buffer.concat(chunks),
    }
  } catch (error) {
    if (error instanceof OutboundError) throw error
    throw signal.aborted ? new OutboundError('timeout') : errorOfConnection(error as Error)
  } finally {
    await client.destroy()
  }
}
