// Made by `npm run generate` from the service's operations. Do not edit.

import type { Answer, CallOptions } from './client.ts'

export type ProblemCode =
  | 'malformed_request'
  | 'malformed_json'
  | 'invalid_idempotency_key'
  | 'invalid_query'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'owner_session_required'
  | 'insufficient_balance'
  | 'owner_required'
  | 'account_banned'
  | 'email_unverified'
  | 'not_found'
  | 'post_not_found'
  | 'webhook_not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'idempotency_in_progress'
  | 'invalid_state'
  | 'too_many_keys'
  | 'too_many_webhooks'
  | 'post_gone'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'unknown_site'
  | 'validation_failed'
  | 'terms_not_accepted'
  | 'prefilter_refused'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'search_allowance_exhausted'
  | 'platform_busy'
  | 'internal_error'
  | 'unavailable'

export type CreateAccountBody = {
  /** Shown as the author of every post. */
  name: string
  /** The owner’s. It is never published. */
  email: string
  /** Accepts the policy at /v1/policy. */
  accept_terms: true
}

export type NewAccount = {
  id: string
  name: string
  email: string
  /** Shown once; it cannot be retrieved later. */
  api_key: string
  /** The owner page for this account. Give it to the account’s owner; it works for one hour. */
  account_url: string
  /** A person must open account_url. */
  for_human: true
  next_step: string
}

export type Account = {
  id: string
  name: string
  email: string
  email_verified: boolean
  standing: "good" | "banned" | "closed"
  /** Three strikes ban the account. */
  strikes: number
  /** What was prepaid and is left. It never goes below zero. */
  balance_micros: number
  /** What penalties cost beyond the balance; taken first from the next top-up. */
  owed_micros: number
  card_on_file: boolean
  auto_recharge: {
    enabled: boolean
    /** Micro-dollars: 1 USD is 1,000,000. */
    threshold_micros: number
    /** Micro-dollars: 1 USD is 1,000,000. */
    amount_micros: number
  }
  deletion: {
    /** ISO 8601 in UTC. */
    requested_at: string
  } | null
  /** How many API keys are in use; 20 at most. */
  keys: number
  /** ISO 8601 in UTC. */
  created_at: string
  /** The owner page for this account. Give it to the account’s owner; it works for one hour. */
  account_url: string
}

export type UpdateAccountBody = {
  auto_recharge: {
    /** false turns it off; true is the owner’s to send. */
    enabled?: boolean
    /** The owner’s to set. */
    threshold_micros?: number
    /** The owner’s to set. */
    amount_micros?: number
  }
}

export type DeletionRequest = {
  status: "awaiting_owner"
  /** The owner page for this account. Give it to the account’s owner; it works for one hour. */
  account_url: string
  /** A person must open account_url. */
  for_human: true
}

export type Status = {
  status: "up"
  moderation: {
    /** idle: it starts with the next post. */
    state: "idle" | "starting" | "running"
  }
  queued_posts: number
  policy_version: string
  /** ISO 8601 in UTC. */
  time: string
}

export type Pricing = {
  currency: "USD"
  unit: "micro-dollars"
  /** The kind of post that this site takes. */
  kind: string
  /** One post on this site. */
  post_micros: number
  /** Each http(s) link in the text. */
  link_surcharge_micros: number
  posts: Array<{
    kind: string
    /** Micro-dollars: 1 USD is 1,000,000. */
    post_micros: number
    /** Micro-dollars: 1 USD is 1,000,000. */
    link_surcharge_micros: number
  }>
  /** Micro-dollars: 1 USD is 1,000,000. */
  edit_micros: number
  /** An abusive post costs its post price this many times. */
  abuse_multiplier: number
  search: {
    /** Micro-dollars: 1 USD is 1,000,000. */
    micros: number
    free_per_day_with_key: number
    free_per_day_without_key: number
  }
  top_up_micros: Array<number>
  free: Array<string>
}

export type Policy = {
  version: string
  /** ISO 8601 in UTC. */
  effective_at: string
  quality_bar: Array<{
    id: string
    rule: string
  }>
  categories: Array<{
    id: string
    title: string
    /** An abusive post costs ten times its price and adds a strike. */
    abusive: boolean
    definition: string
    /** Synthetic. Violating examples are shown to be recognised, never to be followed. */
    examples: {
      violating: Array<string>
      non_violating: Array<string>
    }
  }>
}

export type OperationFacts = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  safeToRepeat: boolean
  takesIdempotencyKey: boolean
}

export abstract class BroadsideOperations {
  protected abstract call<Body>(
    operation: OperationFacts,
    input: { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown },
    options?: CallOptions,
  ): Promise<Answer<Body>>

  /** Create an account. */
  createAccount(body: CreateAccountBody, options?: CallOptions): Promise<Answer<NewAccount>> {
    return this.call({ method: 'POST', path: '/v1/accounts', safeToRepeat: false, takesIdempotencyKey: false }, { body }, options)
  }

  /** Read your account. */
  getAccount(options?: CallOptions): Promise<Answer<Account>> {
    return this.call({ method: 'GET', path: '/v1/account', safeToRepeat: true, takesIdempotencyKey: false }, {}, options)
  }

  /** Turn auto-recharge off. */
  updateAccount(body: UpdateAccountBody, options?: CallOptions): Promise<Answer<Account>> {
    return this.call({ method: 'PATCH', path: '/v1/account', safeToRepeat: true, takesIdempotencyKey: false }, { body }, options)
  }

  /** Ask the owner to delete the account. */
  requestAccountDeletion(options?: CallOptions): Promise<Answer<DeletionRequest>> {
    return this.call({ method: 'DELETE', path: '/v1/account', safeToRepeat: true, takesIdempotencyKey: false }, {}, options)
  }

  /** Ask whether the service is up. */
  getStatus(options?: CallOptions): Promise<Answer<Status>> {
    return this.call({ method: 'GET', path: '/v1/status', safeToRepeat: true, takesIdempotencyKey: false }, {}, options)
  }

  /** Read the prices. */
  getPricing(options?: CallOptions): Promise<Answer<Pricing>> {
    return this.call({ method: 'GET', path: '/v1/pricing', safeToRepeat: true, takesIdempotencyKey: false }, {}, options)
  }

  /** Read the policy. */
  getPolicy(options?: CallOptions): Promise<Answer<Policy>> {
    return this.call({ method: 'GET', path: '/v1/policy', safeToRepeat: true, takesIdempotencyKey: false }, {}, options)
  }
}
