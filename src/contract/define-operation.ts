import type { z } from 'zod'
import type { Call, KeyedCall, OwnerCall } from './call.ts'
import { allowances, type CallAllowanceName } from './limits.ts'
import type { ProblemCode } from './problems/problems.ts'
import { rateLimitDescriptions } from './rate-limits.ts'

/** anyone: a key may be sent and must then be right. key: an API key is needed. owner: the owner page's session. */
export type Access = 'anyone' | 'key' | 'owner'

/** What a banned account may still do: read, appeal, delete, turn off. Everything else is refused. */
type WhenBanned = 'allowed' | 'refused'

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

type ObjectSchema = z.ZodObject<z.ZodRawShape>
type CallFor<A extends Access> = { anyone: Call; key: KeyedCall; owner: OwnerCall }[A]

type Description = {
  id: string
  method: HttpMethod
  path: `/v1/${string}`
  access: Access
  whenBanned: WhenBanned
  successStatus: 200 | 201 | 202 | 204
  tag: string
  summary: string
  description: string
  /** What this operation itself may refuse with; what any call may meet is added by `problemsOf`. */
  problems: readonly ProblemCode[]
  /** A fault that has a problem of its own when it is the only one. */
  soleFault?: { pointer: string; problem: ProblemCode }
  /** A repeated call changes nothing more. GET and DELETE always are; another method must say so. */
  safeToRepeat?: true
  /** A repeat with the same Idempotency-Key is answered again instead of done again. */
  takesIdempotencyKey?: true
  /** A query parameter that, when true, makes the call change nothing: no answer is kept for it, and none repeated. */
  changesNothingWith?: string
  /** What the call answers instead when it changes nothing. */
  trialAnswer?: { status: 200; output: z.ZodType; example: unknown }
  /** The answer may be kept and asked for again with If-None-Match. */
  revalidates?: true
  /** Headers of the answer, each with what it says. */
  answerHeaders?: Record<string, string>
  /** A query parameter that says how much the call may cost at most, in micro-dollars. It applies beyond an allowance. */
  limitsChargeWith?: string
  /** A daily limit that a successful call uses up by one; it may be another with a key than without. */
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

/** One operation of the API with the types of its handler put aside, so that all of them fit in one list. */
export type Operation = Description & {
  params?: ObjectSchema
  query?: ObjectSchema
  body?: z.ZodType
  output: z.ZodType
  examples: { params?: unknown; query?: unknown; body?: unknown; output: unknown }
  handle: (call: Call, input: { params: unknown; query: unknown; body: unknown }) => unknown
}

/** Describes an operation completely: routes, validation, OpenAPI, tools, client and tests derive from it. */
export function defineOperation<
  const A extends Access,
  P extends ObjectSchema,
  Q extends ObjectSchema,
  B extends z.ZodType,
  O extends z.ZodType,
>(definition: Definition<A, P, Q, B, O>): Operation {
  return definition as unknown as Operation
}

/** The path of a call, as the contract spells it: the same call has the same one, however its letters were encoded. */
export const pathOf = ({ path }: Operation, params: Record<string, unknown>): string =>
  path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => String(params[name]))

/** The daily limit that a call with a key, or one without, is counted by. */
export function allowanceFor({ allowance }: Operation, hasKey: boolean): CallAllowanceName | undefined {
  if (typeof allowance !== 'object') return allowance
  return hasKey ? allowance.withKey : allowance.withoutKey
}

const allowancesOf = (operation: Operation) =>
  [...new Set([allowanceFor(operation, true), allowanceFor(operation, false)])].flatMap((name) =>
    name ? [allowances[name]] : [],
  )

/** Headers of the answer, each with what it says: the operation's own, and those that its allowance publishes. */
export const answerHeadersOf = (operation: Operation): Record<string, string> => ({
  ...operation.answerHeaders,
  ...(allowancesOf(operation).some(({ policy }) => policy) && rateLimitDescriptions),
})

/** The same for an answer that is a problem. */
export const refusalHeadersOf = (operation: Operation, code: ProblemCode): Record<string, string> =>
  allowancesOf(operation).some(({ policy, problem }) => policy && problem === code) ? rateLimitDescriptions : {}

/** A 204 says all there is to say. */
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
/** What the access adds: an API key is nothing to an operation of the owner's. */
const byAccess: Record<Access, readonly ProblemCode[]> = {
  anyone: ['invalid_api_key'],
  key: ['missing_api_key', 'invalid_api_key'],
  owner: ['owner_session_required'],
}
/** And what it adds where something may change, which is everything but GET. */
const whenChanging: Record<Access, readonly ProblemCode[]> = {
  anyone: ['key_read_only'],
  key: ['key_read_only'],
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

/** Every problem that a call of this operation can meet, its own first. */
export function problemsOf(operation: Operation): ProblemCode[] {
  const own = [...operation.problems, ...allowancesOf(operation).map(({ problem }) => problem)]
  return [
    ...new Set([
      ...own,
      // What is paid from the balance is paid by a key, which may have a cap.
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

/** An answer that is more than its body: another status than the usual one, or headers. */
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
