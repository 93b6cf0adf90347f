import { Pool } from 'undici'

/** Why an origin that the operator configured gave no response. Contains no response text, because it may be logged. */
export class OriginError extends Error {
  constructor(what: 'timeout' | 'too_large' | 'broken', cause?: unknown) {
    super(explanations[what], { cause })
  }
}

const explanations = {
  timeout: 'the server did not respond in time',
  too_large: 'the response of the server was too large',
  broken: 'the server could not be reached, or closed the connection',
}

export type OriginRequest = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The path with its query. */
  path: string
  headers: Record<string, string>
  body?: Buffer | string | undefined
}

export type OriginResponse = { status: number; headers: Readonly<Record<string, string | undefined>>; body: Buffer }

type Options = {
  /** Further requests wait until a connection is free. */
  connections: number
  /** For connecting, the headers and each part of the body. */
  timeoutMs: number
  maxBytes: number
}

/**
 * Opens a pool of connections to an origin that the operator configured, such as an object store. Do not use it for
 * addresses chosen by users: it connects to any address.
 */
export function openConfiguredOrigin(origin: string, { connections, timeoutMs, maxBytes }: Options) {
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  return {
    /** Throws only an `OriginError`. Then the request may have arrived or not. */
    request: async ({ method, path, headers, body }: OriginRequest): Promise<OriginResponse> => {
      try {
        const response = await pool.request({ method, path, headers, body: body ?? null })
        const chunks: Buffer[] = []
        let size = 0
        for await (const chunk of response.body as AsyncIterable<Buffer>) {
          size += chunk.length
          if (size > maxBytes) throw new OriginError('too_large')
          chunks.push(chunk)
        }
        return {
          status: response.statusCode,
          headers: response.headers as Record<string, string | undefined>,
          body: Buffer.concat(chunks),
        }
      } catch (error) {
        if (error instanceof OriginError) throw error
        const isLate = /TIMEOUT/.test(String((error as { code?: unknown }).code))
        throw new OriginError(isLate ? 'timeout' : 'broken', error)
      }
    },
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}
