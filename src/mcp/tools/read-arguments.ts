import type { RawInput } from '../../calls/perform.ts'
import type { Operation } from '../../contract/define-operation.ts'
import { type FieldHints, hintsForValue } from '../../contract/problems/field-hints.ts'
import { type FieldError, Problem } from '../../contract/problems/problem.ts'
import { fieldErrorsAt } from '../../contract/problems/validation-errors.ts'
import { idempotencyArgument } from './schemas.ts'
import type { ToolEntry } from './tool-entry.ts'

type ToolInput = {
  raw: RawInput & { params: Record<string, string>; query: Record<string, string> }
  idempotencyKey: string | null
}

type Arguments = Readonly<Record<string, unknown>>

/**
 * The operation's input, as if it had arrived over HTTP: the arguments as path, query and body, plus fixed input.
 * Unknown arguments go into the query or the body, where validation rejects them by name.
 */
export function readToolArguments(operation: Operation, entry: ToolEntry, given: Arguments): ToolInput {
  const { fixed, defaults = {} } = entry
  const idempotencyKey = operation.takesIdempotencyKey ? readIdempotencyKey(given[idempotencyArgument]) : null
  refuse(operation, 'is not a known argument', Object.keys(given).filter(isNotAsked(entry)))
  const query: [string, unknown][] = Object.entries(defaults).map(([name, { value }]) => [name, value])
  const body: [string, unknown][] = []
  for (const [name, value] of Object.entries(given)) {
    if (operation.takesIdempotencyKey && name === idempotencyArgument) continue
    if (isIn(operation.params, name)) continue
    if (!operation.body || isIn(operation.query, name)) query.push([name, value])
    else body.push([name, value])
  }
  return {
    raw: {
      params: readParams(operation, given),
      query: { ...textsOf(operation, query), ...fixed?.query },
      body: operation.body && { ...Object.fromEntries(body), ...fixed?.body },
    },
    idempotencyKey,
  }
}

function readIdempotencyKey(given: unknown): string | null {
  if (given === undefined || given === null) return null
  if (typeof given === 'string') return given
  throw new Problem('invalid_idempotency_key', 'Send 8 to 128 printable ASCII characters as a string.')
}

/** Whether the operation has the name, but callers of the tool cannot send it. */
const isNotAsked =
  ({ fixed }: ToolEntry) =>
  (name: string): boolean =>
    Object.hasOwn(fixed?.query ?? {}, name) || Object.hasOwn(fixed?.body ?? {}, name)

const isIn = (part: Operation['params'], name: string): boolean => part !== undefined && Object.hasOwn(part.shape, name)

/** The path parameters. A missing parameter is a validation error, not a 404. */
function readParams(operation: Operation, given: Arguments): Record<string, string> {
  const names = Object.keys(operation.params?.shape ?? {})
  const missing = names.filter((name) => typeof given[name] !== 'string')
  refuse(operation, 'is required and must be a string', missing, (name) =>
    operation.params ? hintsForValue([name], { inWordsToo: true }, { schema: operation.params, input: {} }) : {},
  )
  return Object.fromEntries(names.map((name) => [name, String(given[name])]))
}

/** Query parameters are text; null counts as omitted. */
function textsOf(operation: Operation, query: readonly [string, unknown][]): Record<string, string> {
  const sent = query.filter(([, value]) => value !== null && value !== undefined)
  const structured = sent.filter(([, value]) => typeof value === 'object').map(([name]) => name)
  refuse(operation, 'must be a single value', structured)
  return Object.fromEntries(sent.map(([name, value]) => [name, String(value)]))
}

function refuse(
  operation: Operation,
  detail: string,
  names: readonly string[],
  hintsOf?: (name: string) => FieldHints,
): void {
  if (names.length > 0) throw invalidArguments(operation, fieldErrorsAt(names, detail, hintsOf))
}

export const invalidArguments = (operation: Operation, errors: FieldError[]) =>
  new Problem(operation.body ? 'validation_failed' : 'invalid_query', 'An argument is invalid.', {
    members: { errors },
  })
