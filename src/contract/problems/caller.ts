import type { ProblemDefinition } from './problem-definition.ts'

/** The header as it must be, for problems with a key. */
export const expectedAuthorization = 'Authorization: Bearer <API key>'

/** The caller is not allowed to do this or cannot pay for it. */
export const callerProblems = {
  missing_api_key: {
    status: 401,
    title: 'This operation requires an API key',
    meaning: 'The request has no Authorization header.',
    actor: 'agent',
    remedy: 'Send `Authorization: Bearer <API key>`. POST /v1/accounts creates an account and returns a key.',
    retry: 'after_change',
  },
  invalid_api_key: {
    status: 401,
    title: 'The API key is not valid',
    meaning: 'The key is mistyped, unknown or revoked, or its account is closed.',
    actor: 'agent',
    remedy: 'Check that you sent the whole key. If it was revoked, ask the owner for a new one.',
    retry: 'after_change',
  },
  owner_session_required: {
    status: 401,
    title: 'Only the signed-in owner can do this',
    meaning: 'This operation requires the owner’s session on the owner page. It does not accept API keys.',
    actor: 'human',
    remedy: 'Ask the account’s owner to open the account_url that GET /v1/account returns.',
    retry: 'after_owner',
  },
  insufficient_balance: {
    status: 402,
    title: 'The balance is too low',
    meaning: 'The prepaid balance is lower than the price plus the amount owed.',
    actor: 'human',
    remedy:
      'Ask the owner to open account_url and top up. Then send the same request again, with the same Idempotency-Key if it had one.',
    retry: 'after_owner',
  },
  owner_required: {
    status: 403,
    title: 'Only the owner can do this',
    meaning: 'An agent can turn auto-recharge off. Only the owner can turn it on or change its settings.',
    actor: 'human',
    remedy: 'Ask the owner to open account_url.',
    retry: 'after_owner',
  },
  key_read_only: {
    status: 403,
    title: 'This key is read-only',
    meaning: 'The owner made this key read-only: it works only for GET operations.',
    actor: 'human',
    remedy: 'Ask the owner to open account_url and give this key full scope, or to give you another key.',
    retry: 'after_owner',
  },
  insufficient_scope: {
    status: 403,
    title: 'The scopes do not allow this',
    meaning: 'The owner did not allow this key or app to do this. `required_scopes` lists the scopes that allow it.',
    actor: 'human',
    remedy: 'Ask the owner to open account_url and change what this key may do, or to connect the app again.',
    retry: 'after_owner',
  },
  key_cap_reached: {
    status: 403,
    title: 'The key’s daily cap is reached',
    meaning:
      'The owner capped this key’s spending at `daily_cap_micros` per UTC day. This request would exceed the cap.',
    actor: 'human',
    remedy:
      'Wait the number of seconds in Retry-After (until 00:00 UTC), or ask the owner to open account_url and raise the key’s cap.',
    retry: 'after_owner',
  },
  csrf_token_required: {
    status: 403,
    title: 'The CSRF token is missing',
    meaning: 'A request that uses the owner page’s cookie and changes something requires the X-CSRF-Token header.',
    actor: 'agent',
    remedy: 'Send the `csrf_token` from GET /v1/manage/session as X-CSRF-Token, or send the session as a bearer token.',
    retry: 'after_change',
  },
  account_banned: {
    status: 403,
    title: 'The account is banned',
    meaning: 'The account can no longer publish, because of three strikes or an operator’s decision.',
    actor: 'agent',
    remedy: 'Read the decisions on your posts and appeal those that are wrong. You can still read and delete posts.',
    retry: 'no',
  },
  origin_not_allowed: {
    status: 403,
    title: 'Cross-origin requests are not allowed',
    meaning: 'A browser sent this request for a page on another origin. That page could act for anyone who opens it.',
    actor: 'agent',
    remedy: 'Call from a program that sends no Origin header, or from a page on the site itself.',
    retry: 'no',
  },
  email_unverified: {
    status: 403,
    title: 'The owner’s email is not verified',
    meaning: 'This operation sends email on the owner’s behalf, so the owner must verify their address first.',
    actor: 'human',
    remedy: 'Ask the owner to open account_url and enter the code that we email to them.',
    retry: 'after_owner',
  },
} as const satisfies Record<string, ProblemDefinition>
