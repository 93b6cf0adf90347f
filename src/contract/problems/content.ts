import { keptFor } from '../retention/periods.ts'
import type { ProblemDefinition } from './problem-definition.ts'

/** The request is readable, but its content is not valid. */
export const contentProblems = {
  validation_failed: {
    status: 422,
    title: 'Invalid request body',
    meaning: 'One or more fields are missing, unknown or not allowed. `errors` lists them.',
    actor: 'agent',
    remedy: 'Correct every field that `errors` points at, then send the request again.',
    retry: 'after_change',
  },
  terms_not_accepted: {
    status: 422,
    title: 'The terms were not accepted',
    meaning:
      'To create an account, accept_terms must be true. It means that you accept the terms at /terms/, which include the policy at /v1/policy.',
    actor: 'human',
    remedy: 'Read /terms/ and /v1/policy with the person you act for, then send accept_terms: true.',
    retry: 'after_change',
  },
  prefilter_refused: {
    status: 422,
    title: 'Rejected by a content rule',
    meaning: 'A fixed rule matched. Nothing was stored or charged.',
    actor: 'agent',
    remedy: 'Change what `reason` describes. For a post, use dry_run=true to check again at no cost.',
    retry: 'after_change',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'This Idempotency-Key was used with a different request',
    meaning: `A key identifies one request for ${keptFor('idempotent-answers')}. This key was first sent with a different request.`,
    actor: 'agent',
    remedy: 'Use a new key for a new request. Send the old key only to repeat the old request.',
    retry: 'after_change',
  },
} as const satisfies Record<string, ProblemDefinition>
