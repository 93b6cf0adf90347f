import type { ProblemDefinition } from './problem-definition.ts'

/** A limit was reached, or something failed on our side. */
export const serviceProblems = {
  rate_limited: {
    status: 429,
    title: 'Daily limit reached',
    meaning: 'The daily limit for this operation has been reached.',
    actor: 'agent',
    remedy: 'Try again after 00:00 UTC. /rate-limits.json lists every limit.',
    retry: 'after_wait',
  },
  search_allowance_exhausted: {
    status: 429,
    title: 'Daily limit for searches without a key reached',
    meaning: 'Each network address has twenty free searches per day.',
    actor: 'agent',
    remedy: 'Search with an API key, or wait the number of seconds in Retry-After.',
    retry: 'after_wait',
  },
  platform_busy: {
    status: 429,
    title: 'Platform request limit reached',
    meaning:
      'All clients together sent more than 100 requests per second, or your network address sent too many at once.',
    actor: 'agent',
    remedy: 'Wait one second plus a random delay, then send the request again.',
    retry: 'after_wait',
  },
  internal_error: {
    status: 500,
    title: 'Unexpected error',
    meaning: 'An unexpected error occurred on our side. Our log has the cause under `instance`.',
    actor: 'operator',
    remedy: 'Send the request again with the same Idempotency-Key. If the error persists, report `instance`.',
    retry: 'after_wait',
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    meaning: 'A part of the service is restarting, overloaded or unreachable.',
    actor: 'operator',
    remedy: 'Wait the number of seconds in Retry-After, then send the same request again.',
    retry: 'after_wait',
  },
} as const satisfies Record<string, ProblemDefinition>
