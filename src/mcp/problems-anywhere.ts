import type { ProblemCode } from '../contract/problems.ts'

/** What nearly every tool may be refused with, and a model can do something about: said once, for all of them. */
export const explained = [
  'missing_api_key',
  'account_banned',
  'key_read_only',
  'key_cap_reached',
  'validation_failed',
  'invalid_query',
  'invalid_idempotency_key',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'unavailable',
] as const satisfies readonly ProblemCode[]

/** These and what is the connection's business: the descriptions of tools leave it out. */
export const metAnywhere: readonly ProblemCode[] = [
  ...explained,
  'malformed_request',
  'unknown_site',
  'not_acceptable',
  'invalid_api_key',
  'platform_busy',
  'internal_error',
  'body_too_large',
  'unsupported_media_type',
  'malformed_json',
]
