import type { ProblemDefinition } from './problem-definition.ts'

/** The request cannot be read. */
export const requestProblems = {
  malformed_request: {
    status: 400,
    title: 'The request cannot be read as HTTP',
    meaning: 'The request line, a header or the transfer coding is broken, or the address or a header is too long.',
    actor: 'agent',
    remedy: 'Send a well-formed HTTP/1.1 request, with an address and headers of less than 16 KiB each.',
    retry: 'after_change',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not JSON',
    meaning: 'The body is missing, is not UTF-8, or is not a JSON text.',
    actor: 'agent',
    remedy: 'Send one JSON object in UTF-8 as the body.',
    retry: 'after_change',
  },
  invalid_idempotency_key: {
    status: 400,
    title: 'The Idempotency-Key is not valid',
    meaning: 'An Idempotency-Key has 8 to 128 printable characters.',
    actor: 'agent',
    remedy: 'Make one key per post, such as a UUID, and send the same key when you retry that post.',
    retry: 'after_change',
  },
  invalid_query: {
    status: 400,
    title: 'A query parameter is not valid',
    meaning: 'A parameter in the address is unknown, repeated, or has a value that is not allowed.',
    actor: 'agent',
    remedy: 'Correct the parameters that `errors` points at.',
    retry: 'after_change',
  },
} as const satisfies Record<string, ProblemDefinition>
