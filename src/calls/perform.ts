import { z } from 'zod'
import type { Call } from '../contract/call.ts'
import { type Operation, OperationAnswer } from '../contract/define-operation.ts'
import type { AllowanceSizes } from '../contract/limits.ts'
import { Problem } from '../contract/problems/problem.ts'
import type { ProblemCode } from '../contract/problems/problems.ts'
import { fieldErrorsOf } from '../contract/problems/validation-errors.ts'
import { inSpan } from '../platform/observability/tracing.ts'
import { withOwnerLink } from './admit.ts'
import { keepRecharged } from './charge-for-use.ts'
import { countUse } from './count-use.ts'
import { AnsweredBefore, onceFor, type Replay } from './idempotency.ts'

export type RawInput = { params: unknown; query: unknown; body: unknown }

export type Performed = { status: number; headers: Record<string, string>; body: unknown }

/**
 * Runs the steps of every call from the JSON API or MCP: validate, deduplicate, count, handle, check the response.
 */
export function perform(operation: Operation, call: Call, raw: RawInput, sizes: AllowanceSizes): Promise<Performed> {
  const attributes = { 'broadside.operation': operation.id, 'broadside.request_id': call.requestId }
  return inSpan(operation.id, attributes, async () => {
    try {
      const input = validate(operation, raw)
      const isTrial = changesNothing(operation, input)
      const once = operation.takesIdempotencyKey ? onceFor(call, identityOf(operation, raw)) : null
      const counting = {
        operation,
        call: once && !isTrial ? { ...call, ...once } : call,
        sizes,
        maxChargeMicros: maxChargeMicros(operation, input),
      }
      // For metered operations, look for a repeat first: it uses no quota, so it must succeed even if none is left.
      const first = operation.allowance && !isTrial ? await once?.find() : null
      if (first) return replayed(first)
      const answer = await answeredOnce(once, () =>
        countUse(counting, async (one) => checked(operation, await operation.handle(one, input), isTrial)),
      )
      if (!isTrial) await keepRecharged(operation, call)
      return answer
    } catch (error) {
      throw error instanceof Problem ? await withOwnerLink(call, error) : error
    }
  })
}

/** What a repeat must have in common with the first call: the body and, if sent, one parameter of the query. */
function identityOf({ identifiedAlsoBy }: Operation, { query, body }: RawInput): unknown {
  const given = identifiedAlsoBy && (query as Record<string, unknown>)[identifiedAlsoBy]
  return given === undefined || given === '' ? body : { body, query: { [String(identifiedAlsoBy)]: given } }
}

type Once = ReturnType<typeof onceFor>

/**
 * With an Idempotency-Key, every repeat gets the first response, even if it arrives while the first call runs. What
 * refuses a repeat may be the first call itself, such as a duplicate of its own post.
 */
async function answeredOnce(once: Once, work: () => Promise<Performed>): Promise<Performed> {
  try {
    return await work()
  } catch (error) {
    const wasAnswered = error instanceof AnsweredBefore
    if (!wasAnswered && !(error instanceof Problem)) throw error
    const first = await once?.find()
    if (first) return replayed(first)
    if (!wasAnswered) throw error
    // The stored response has expired in the meantime, so the key is free again.
    return work()
  }
}

const replayed = ({ headers, ...answer }: Replay): Performed => ({
  ...answer,
  headers: { ...headers, 'idempotent-replayed': 'true' },
})

function changesNothing({ changesNothingWith }: Operation, { query }: RawInput): boolean {
  return changesNothingWith !== undefined && Boolean((query as Record<string, unknown>)[changesNothingWith])
}

/** The maximum that the caller agreed to pay; null if not specified. */
function maxChargeMicros({ limitsChargeWith }: Operation, { query }: RawInput): number | null {
  const given = limitsChargeWith && (query as Record<string, unknown>)[limitsChargeWith]
  return typeof given === 'number' ? given : null
}

/** A response that does not match its schema is a bug and is never sent. */
function checked(operation: Operation, handled: unknown, isTrial: boolean): Performed {
  const answer = handled instanceof OperationAnswer ? handled : new OperationAnswer(handled)
  const { status, output } = (isTrial && operation.trialAnswer) || {
    status: answer.status ?? operation.successStatus,
    output: operation.output,
  }
  // What a stream starts with is not sent; each event follows `output`.
  const body = operation.answersStream ? answer.body : output.parse(answer.body)
  return { status, headers: answer.headers, body }
}

function validate(operation: Operation, raw: RawInput): RawInput {
  const params = operation.params?.safeParse(raw.params)
  if (params && !params.success) throw new Problem(missing(operation), 'Nothing exists at this path.')
  return { params: params?.data, query: validateQuery(operation, raw.query), body: validateBody(operation, raw.body) }
}

/** A malformed identifier is treated as one that does not exist. */
const missing = ({ problems }: Operation): ProblemCode =>
  problems.find((code) => code.endsWith('_not_found')) ?? 'not_found'

const noQuery = z.strictObject({})

function validateQuery(operation: Operation, raw: unknown): unknown {
  const schema = operation.query ?? noQuery
  const query = schema.safeParse(raw)
  if (query.success) return query.data
  const errors = fieldErrorsOf(query.error, { schema, input: raw })
  throw new Problem('invalid_query', `The query has ${count(errors.length, 'invalid parameter')}.`, {
    members: { errors },
  })
}

function validateBody(operation: Operation, raw: unknown): unknown {
  if (!operation.body) return undefined
  const body = operation.body.safeParse(raw)
  if (body.success) return body.data
  const errors = fieldErrorsOf(body.error, { schema: operation.body, input: raw })
  const { soleFault } = operation
  const code =
    soleFault && errors.every(({ pointer }) => pointer === soleFault.pointer) ? soleFault.problem : 'validation_failed'
  const isNoObject = errors.every(({ pointer }) => pointer === '#')
  const detail = isNoObject
    ? 'The body must be a JSON object.'
    : `The body has ${count(errors.length, 'invalid field')}.`
  throw new Problem(code, detail, { members: { errors } })
}

const count = (number: number, noun: string) => (number === 1 ? `1 ${noun}` : `${number} ${noun}s`)
