import { errors } from 'undici'

export type OutboundErrorKind =
  | 'bad_url'
  | 'address_refused'
  | 'name_not_resolved'
  | 'withdrawn'
  | 'connection_failed'
  | 'tls_failed'
  | 'connection_broken'
  | 'timeout'
  | 'malformed_response'

/** Why a post to an address chosen by a user has no status. Contains nothing that the receiver sent. */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind
  readonly code: string | undefined

  constructor(kind: OutboundErrorKind, code?: string) {
    super(code ? `${explanations[kind]} (${code})` : explanations[kind])
    this.kind = kind
    this.code = code
  }
}

const explanations: Record<OutboundErrorKind, string> = {
  bad_url: 'the URL is not allowed',
  address_refused: 'the host resolves to an address that is not public',
  name_not_resolved: 'the host name could not be resolved',
  withdrawn: 'the request was cancelled before a response arrived',
  connection_failed: 'the connection could not be opened',
  tls_failed: 'the TLS handshake failed',
  connection_broken: 'the connection closed before a response arrived',
  timeout: 'no response arrived in time',
  malformed_response: 'the response is not valid HTTP',
}

/** The meaning of an error after the handshake. Its message may quote the receiver; a code cannot. */
export function errorOfConnection(error: Error & { code?: unknown }): OutboundError {
  if (error instanceof OutboundError) return error
  const code = typeof error.code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(error.code) ? error.code : undefined
  if (code?.startsWith('ERR_SSL_')) return new OutboundError('tls_failed', code)
  return new OutboundError(isMalformed(error) ? 'malformed_response' : 'connection_broken', code)
}

const isMalformed = (error: Error) =>
  error instanceof errors.HTTPParserError ||
  error instanceof errors.HeadersOverflowError ||
  error instanceof errors.ResponseContentLengthMismatchError ||
  // The client's error for an unexpected response, such as a 100 or a protocol upgrade.
  (error instanceof errors.SocketError && /^bad (response|upgrade)$/.test(error.message))
