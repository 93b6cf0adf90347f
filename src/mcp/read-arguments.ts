import type { RawInput } from '../calls/perform.ts'
import type { Operation } from '../contract/define-operation.ts'
import { pointerTo } from '../contract/faults.ts'
import { type Fault, Problem } from '../contract/problem.ts'
import { idempotencyArgument } from './schemas.ts'
import type { ToolEntry } from './tools.ts'

export type ToolInput = {
  raw: RawInput & { params: Record<string, string>; query: Record<string, string> }
  idempotencyKey: string | null
}

type Arguments = Readonly<Record<string, unknown>>

/**
 * The input of the operation, as if it had come over HTTP: each argument in its place, what is fixed beside them. What no
 * part of the input knows goes where it will be refused by name.
 */
export function readArguments(operation: Operation, { fixed, defaults = {} }: ToolEntry, given: Arguments): ToolInput {
  const idempotencyKey = operation.takesIdempotencyKey ? readIdempotencyKey(given[idempotencyArgument]) : null
  const params: [string, string][] = []
  const query: [string, unknown][] = Object.entries(defaults).map(([name, { value }]) => [name, value])
  const body: [string, unknown][] = []
  for (const [name, value] of Object.entries(given)) {
    if (operation.takesIdempotencyKey && name === idempotencyArgument) continue
    if (operation.params && Object.hasOwn(operation.params.shape, name)) params.push([name, nameIn(value)])
    else if (!operation.body || isAsked(operation, fixed?.query, name)) query.push([name, value])
    else body.push([name, value])
  }
  return {
    raw: {
      params: Object.fromEntries(params),
      query: { ...textsOf(query), ...fixed?.query },
      body: operation.body && { ...fixed?.body, ...Object.fromEntries(body) },
    },
    idempotencyKey,
  }
}

/** What is no text names nothing. It may be an object that cannot be made into text. */
const nameIn = (value: unknown): string => (typeof value === 'string' ? value : '')

const isAsked = ({ query }: Operation, fixed: object = {}, name: string): boolean =>
  query !== undefined && Object.hasOwn(query.shape, name) && !Object.hasOwn(fixed, name)

/** A parameter of the query is text; null is one that was left out. */
function textsOf(query: readonly [string, unknown][]): Record<string, string> {
  const structured = query.filter(([, value]) => typeof value === 'object' && value !== null)
  if (structured.length > 0) {
    const errors: Fault[] = structured.map(([name]) => ({ pointer: pointerTo([name]), detail: 'must be one value' }))
    throw new Problem('invalid_query', 'An argument must be one value.', { members: { errors } })
  }
  return Object.fromEntries(
    query.filter(([, value]) => value !== null && value !== undefined).map(([name, value]) => [name, String(value)]),
  )
}

function readIdempotencyKey(given: unknown): string | null {
  if (given === undefined || given === null) return null
  if (typeof given === 'string') return given
  throw new Problem('invalid_idempotency_key', 'Send 8 to 128 printable ASCII characters as a string.')
}
