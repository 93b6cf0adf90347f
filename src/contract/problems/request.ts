import type { ProblemDefinition } from './problem-definition.ts'

/** The request is malformed. */
export const requestProblems = {
  malformed_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    meaning: 'The request line, a header or the transfer coding is malformed, or the URL or a header is too long.',
    actor: 'agent',
    remedy: 'Send a well-formed HTTP/1.1 request. Keep the URL and the headers under 16 KiB each.',
    retry: 'after_change',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    meaning: 'The body is missing, is not UTF-8, or is not valid JSON.',
    actor: 'agent',
    remedy: 'Send one JSON object as the body, encoded in UTF-8.',
    retry: 'after_change',
  },
  invalid_idempotency_key: {
    status: 400,
    title: 'The Idempotency-Key is not valid',
    meaning: 'An Idempotency-Key must have 8 to 128 printable characters.',
    actor: 'agent',
    remedy: 'Generate one key per post, such as a UUID, and send the same key when you retry that post.',
    retry: 'after_change',
  },
  invalid_query: {
    status: 400,
    title: 'Invalid query parameters',
    meaning: 'A query parameter is unknown, repeated, or has a value that is not allowed.',
    actor: 'agent',
    remedy: 'Correct the parameters that `errors` points at.',
    retry: 'after_change',
  },
} as const satisfies Record<string, ProblemDefinition>
