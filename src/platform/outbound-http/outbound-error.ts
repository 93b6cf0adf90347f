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

/** Why a post to an address that a user chose has no status. Nothing that the receiver sent is in it. */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind

  constructor(kind: OutboundErrorKind, code?: string) {
    super(code ? `${explanations[kind]} (${code})` : explanations[kind])
    this.kind = kind
  }
}

const explanations: Record<OutboundErrorKind, string> = {
  bad_url: 'the URL is not one that may be called',
  address_refused: 'the host leads to an address that is not public',
  name_not_resolved: 'the name of the host could not be looked up',
  withdrawn: 'the post was withdrawn before it was answered',
  connection_failed: 'no connection could be opened',
  tls_failed: 'the connection could not be secured',
  connection_broken: 'the connection broke before an answer came',
  timeout: 'no answer came in time',
  malformed_response: 'what was answered is not HTTP',
}

/** What an error means once the handshake is done. Its message may quote the receiver; a code cannot. */
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
  // The client's words for an answer that nobody asked for, such as a 100 or a change of protocol.
  (error instanceof errors.SocketError && /^bad (response|upgrade)$/.test(error.message))
