import type { z } from 'zod'
import type { Call, KeyedCall, OwnerCall } from './call.ts'
import { allowances, type CallAllowanceName } from './limits.ts'
import type { ProblemCode } from './problems/problems.ts'
import { rateLimitDescriptions } from './rate-limits.ts'
import { type Scope, scopeNames } from './scopes.ts'

/**
 * anyone: a key is optional but must be valid if sent. key: requires an API key. owner: requires the owner's session.
 */
export type Access = 'anyone' | 'key' | 'owner'

/** A banned account can still read, appeal, delete and turn things off. Everything else is rejected. */
type WhenBanned = 'allowed' | 'refused'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type ObjectSchema = z.ZodObject<z.ZodRawShape>
type CallFor<A extends Access> = { anyone: Call; key: KeyedCall; owner: OwnerCall }[A]

type Description = {
  id: string
  method: HttpMethod
  path: `/v1/${string}`
  access: Access
  whenBanned: WhenBanned
  /** A key or token with one of these scopes may call. Required for calls with a key that change something. */
  scopes?: readonly Scope[]
  successStatus: 200 | 201 | 202 | 204
  tag: string
  summary: string
  description: string
  /** Problems specific to this operation. `problemsOf` adds those that every call can return. */
  problems: readonly ProblemCode[]
  /** If this is the only invalid field, the call returns this problem instead of `validation_failed`. */
  soleFault?: { pointer: string; problem: ProblemCode }
  /** Repeating the call has no further effect. By default, only unmetered GET and DELETE calls are safe to repeat. */
  safeToRepeat?: true
  /** A repeat with the same Idempotency-Key gets the first response and is not executed again. */
  takesIdempotencyKey?: true
  /** A query parameter that a repeat must send with the same value as the first call, like the body. */
  identifiedAlsoBy?: string
  /** A query parameter that makes the call a dry run when true. Dry runs neither store nor replay a response. */
  changesNothingWith?: string
  /** The response to a dry run. */
  trialAnswer?: { status: 200; output: z.ZodType; example: unknown }
  /** Clients may cache the response and revalidate it with If-None-Match. */
  revalidates?: true
  /** A successful response is a stream of server-sent events that stays open. `output` describes their data. */
  answersStream?: true
  /** Response headers and their descriptions. */
  answerHeaders?: Record<string, string>
  /** The query parameter that sets the maximum charge, in micro-dollars, beyond the free quota. */
  limitsChargeWith?: string
  /** The daily limit that a successful call counts against. It can differ with and without a key. */
  allowance?: CallAllowanceName | { withKey: CallAllowanceName; withoutKey: CallAllowanceName }
}

type Definition<
  A extends Access,
  P extends ObjectSchema,
  Q extends ObjectSchema,
  B extends z.ZodType,
  O extends z.ZodType,
> = Description & {
  access: A
  params?: P
  query?: Q
  body?: B
  output: O
  examples: { params?: z.input<P>; query?: z.input<Q>; body?: z.input<B>; output: z.input<O> }
  handle: (
    call: CallFor<A>,
    input: { params: z.output<P>; query: z.output<Q>; body: z.output<B> },
  ) => Handled<z.input<O>> | Promise<Handled<z.input<O>>>
}

type Handled<Body> = Body | OperationAnswer

/** An operation without its handler's types, so that all operations fit in one list. */
export type Operation = Description & {
  params?: ObjectSchema
  query?: ObjectSchema
  body?: z.ZodType
  output: z.ZodType
  examples: { params?: unknown; query?: unknown; body?: unknown; output: unknown }
  handle: (call: Call, input: { params: unknown; query: unknown; body: unknown }) => unknown
}

/** Describes an operation completely. Routes, validation, OpenAPI, MCP tools, client and tests derive from it. */
export function defineOperation<
  const A extends Access,
  P extends ObjectSchema,
  Q extends ObjectSchema,
  B extends z.ZodType,
  O extends z.ZodType,
>(definition: Definition<A, P, Q, B, O>): Operation {
  return definition as unknown as Operation
}

/** Whether these scopes of a key or token allow the operation. Null stands for all scopes. */
export const allows = (held: readonly Scope[] | null, operation: Operation): boolean =>
  held === null || !needsScope(operation) || scopesFor(operation).some((scope) => held.includes(scope))

/** Reading, and what anyone may do without a key, needs no particular scope. */
const needsScope = ({ method, access }: Operation): boolean => access === 'key' && method !== 'GET'

/** The scopes that allow the operation, each by itself. */
export const scopesFor = (operation: Operation): readonly Scope[] =>
  needsScope(operation) ? (operation.scopes ?? []) : scopeNames

/** The canonical path of a call: the same call has the same path, however the request encoded it. */
export const pathOf = ({ path }: Operation, params: Record<string, unknown>): string =>
  path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => String(params[name]))

/** The daily limit that applies to a call with or without a key. */
export function allowanceFor({ allowance }: Operation, hasKey: boolean): CallAllowanceName | undefined {
  if (typeof allowance !== 'object') return allowance
  return hasKey ? allowance.withKey : allowance.withoutKey
}

const allowancesOf = (operation: Operation) =>
  [...new Set([allowanceFor(operation, true), allowanceFor(operation, false)])].flatMap((name) =>
    name ? [allowances[name]] : [],
  )

/** All response headers of an operation with their descriptions, including those of its rate limit. */
export const answerHeadersOf = (operation: Operation): Record<string, string> => ({
  ...operation.answerHeaders,
  ...(allowancesOf(operation).some(({ policy }) => policy) && rateLimitDescriptions),
})

/** The response headers for a problem: those of the rate limit, if the rate limit caused it. */
export const refusalHeadersOf = (operation: Operation, code: ProblemCode): Record<string, string> =>
  allowancesOf(operation).some(({ policy, problem }) => policy && problem === code) ? rateLimitDescriptions : {}

/** Whether a successful response has no body. */
export const answersNothing = ({ successStatus }: Operation): boolean => successStatus === 204

const anyCall: readonly ProblemCode[] = [
  'malformed_request',
  'unknown_site',
  'not_acceptable',
  'invalid_query',
  'platform_busy',
  'internal_error',
  'unavailable',
]
/** Problems by access. Owner operations do not accept API keys. */
const byAccess: Record<Access, readonly ProblemCode[]> = {
  anyone: ['invalid_api_key'],
  key: ['missing_api_key', 'invalid_api_key'],
  owner: ['owner_session_required'],
}
/** Additional problems by access, for methods other than GET. */
const whenChanging: Record<Access, readonly ProblemCode[]> = {
  anyone: ['key_read_only'],
  key: ['key_read_only', 'insufficient_scope'],
  owner: ['csrf_token_required'],
}
const anyIdempotentCall: readonly ProblemCode[] = [
  'invalid_idempotency_key',
  'idempotency_in_progress',
  'idempotency_key_reused',
]
const anyBody: readonly ProblemCode[] = [
  'body_too_large',
  'unsupported_media_type',
  'malformed_json',
  'validation_failed',
]

/** Every problem that a call to this operation can return, its own problems first. */
export function problemsOf(operation: Operation): ProblemCode[] {
  const own = [...operation.problems, ...allowancesOf(operation).map(({ problem }) => problem)]
  return [
    ...new Set([
      ...own,
      // A charge to the balance is always made with a key, and a key can have a cap.
      ...(own.includes('insufficient_balance') ? (['key_cap_reached'] as const) : []),
      ...(operation.limitsChargeWith ? (['max_charge_exceeded'] as const) : []),
      ...byAccess[operation.access],
      ...(operation.method === 'GET' ? [] : whenChanging[operation.access]),
      ...(operation.whenBanned === 'refused' ? (['account_banned'] as const) : []),
      ...(operation.body ? anyBody : []),
      ...(operation.takesIdempotencyKey ? anyIdempotentCall : []),
      ...anyCall,
    ]),
  ]
}

/** A response with headers or with a status other than the default. */
export class OperationAnswer<Body = unknown> {
  readonly body: Body
  readonly status: number | undefined
  readonly headers: Record<string, string>

  constructor(body: Body, { status, headers = {} }: { status?: number; headers?: Record<string, string> } = {}) {
    this.body = body
    this.status = status
    this.headers = headers
  }
}
