/** The error codes of RFC 6749, 7591, 8628 and 8707 that clients can receive. */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'consent_required'
  | 'request_not_supported'
  | 'temporarily_unavailable'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'

/** An error that a client receives. The description never repeats input. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode

  constructor(code: OAuthErrorCode, description: string) {
    super(description)
    this.code = code
  }

  get status(): number {
    if (this.code === 'invalid_client') return 401
    return this.code === 'temporarily_unavailable' ? 503 : 400
  }

  get body() {
    return { error: this.code, error_description: this.message }
  }
}
