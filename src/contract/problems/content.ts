import type { ProblemDefinition } from './problem-definition.ts'

/** What was sent can be read, and does not fit. */
export const contentProblems = {
  validation_failed: {
    status: 422,
    title: 'The body does not fit',
    meaning: 'One or more members are missing, unknown or not allowed. All of them are in `errors`.',
    actor: 'agent',
    remedy: 'Correct every member that `errors` points at, then send the request again.',
    retry: 'after_change',
  },
  terms_not_accepted: {
    status: 422,
    title: 'The terms were not accepted',
    meaning: 'An account needs accept_terms to be true: it means accepting the policy at /v1/policy.',
    actor: 'human',
    remedy: 'Read /v1/policy with the person you act for, then send accept_terms: true.',
    retry: 'after_change',
  },
  prefilter_refused: {
    status: 422,
    title: 'A rule refused this before it was charged',
    meaning: 'A fixed rule matched. Nothing was stored and nothing was charged.',
    actor: 'agent',
    remedy: 'Change what `reason` names. For a post, dry_run=true tries again without cost.',
    retry: 'after_change',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'This Idempotency-Key was used for another body',
    meaning: 'A key belongs to one request for 24 hours; this one came with a different body.',
    actor: 'agent',
    remedy: 'Use a new key for a new post, and the old key only to repeat the old one.',
    retry: 'after_change',
  },
} as const satisfies Record<string, ProblemDefinition>
