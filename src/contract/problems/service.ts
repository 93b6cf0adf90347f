import type { ProblemDefinition } from './problem-definition.ts'

/** There is no room for it now, or something failed on our side. */
export const serviceProblems = {
  rate_limited: {
    status: 429,
    title: 'The day’s limit is used up',
    meaning: 'This operation has a daily limit, and it has been reached.',
    actor: 'agent',
    remedy: 'Go on after 00:00 UTC. /rate-limits.json lists every limit.',
    retry: 'after_wait',
  },
  search_allowance_exhausted: {
    status: 429,
    title: 'The day’s searches without a key are used up',
    meaning: 'Twenty searches a day are free for each address.',
    actor: 'agent',
    remedy: 'Search with an API key, or wait the seconds in Retry-After.',
    retry: 'after_wait',
  },
  platform_busy: {
    status: 429,
    title: 'The platform is at its ceiling',
    meaning: 'All clients together exceeded 100 requests a second.',
    actor: 'agent',
    remedy: 'Wait a second, then send the request again, with jitter.',
    retry: 'after_wait',
  },
  internal_error: {
    status: 500,
    title: 'Something is wrong on our side',
    meaning: 'The program failed in a way it does not know. The cause is in our log under `instance`.',
    actor: 'operator',
    remedy: 'Send the request again with the same Idempotency-Key; if it persists, report `instance`.',
    retry: 'after_wait',
  },
  unavailable: {
    status: 503,
    title: 'The service cannot answer just now',
    meaning: 'A part of the service is being restarted, has too much to do or cannot be reached.',
    actor: 'operator',
    remedy: 'Wait the seconds in Retry-After, then send the same request again.',
    retry: 'after_wait',
  },
} as const satisfies Record<string, ProblemDefinition>
