import { answersNothing, type Operation } from '../../contract/define-operation.ts'
import { inputSchema, type JsonSchema, outputSchema, rewrite } from '../../contract/generators/json-schema.ts'
import { keptFor } from '../../contract/retention/periods.ts'
import type { ToolEntry } from './tools.ts'

/** The argument that replaces the Idempotency-Key header. */
export const idempotencyArgument = 'idempotency_key'

const idempotencyKey = {
  type: 'string',
  minLength: 8,
  maxLength: 128,
  description:
    'A unique identifier for this call, such as a UUID. Send the same key when you retry, and a new key for another post or change. ' +
    `For ${keptFor('idempotent-answers')}, a retry with this tool or over HTTP returns the first response and is not charged.`,
}

/** The arguments of a tool: its operation's path, query and body parameters, without the fixed ones. */
export function argumentsSchema(
  operation: Operation,
  { fixed, defaults = {} }: ToolEntry,
  inToolWords: (text: string) => string,
): JsonSchema {
  const params = membersOf(operation.params && inputSchema(operation.params))
  const query = without(membersOf(operation.query && inputSchema(operation.query)), fixed?.query)
  const body = without(membersOf(operation.body && inputSchema(operation.body)), fixed?.body)
  const required = [...params.required, ...query.required, ...body.required]
  const schema = {
    type: 'object',
    properties: {
      ...params.properties,
      ...body.properties,
      ...query.properties,
      ...(operation.takesIdempotencyKey && { [idempotencyArgument]: idempotencyKey }),
    } as Record<string, JsonSchema>,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
  for (const [name, { value, description }] of Object.entries(defaults))
    schema.properties[name] = { ...schema.properties[name], default: value, description }
  return rewrite(schema, (part) => oneTypeEach(inWords(terse(part), inToolWords)))
}

function inWords(part: JsonSchema, inToolWords: (text: string) => string): JsonSchema {
  const { description } = part
  return typeof description === 'string' ? { ...part, description: inToolWords(description) } : part
}

/** The schema of `structuredContent`; undefined if the output is empty. Clients require an object as its root. */
export function resultSchema(operation: Operation, isTrial: boolean): JsonSchema | undefined {
  if (answersNothing(operation)) return undefined
  const output = (isTrial && operation.trialAnswer?.output) || operation.output
  return rewrite({ type: 'object', ...outputSchema(output) }, (part) => oneTypeEach(withoutForms(terse(part))))
}

type Members = { properties: Record<string, JsonSchema>; required: string[] }

const membersOf = (schema: JsonSchema | undefined): Members => ({
  properties: (schema?.['properties'] ?? {}) as Record<string, JsonSchema>,
  required: (schema?.['required'] ?? []) as string[],
})

function without({ properties, required }: Members, fixed: object = {}): Members {
  return {
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !(name in fixed))),
    required: required.filter((name) => !(name in fixed)),
  }
}

/** Saves tokens: a pattern adds nothing to a format, and clients do not need our names for shared schemas. */
function terse({ component: _, ...part }: JsonSchema): JsonSchema {
  const { pattern, ...rest } = part
  return typeof pattern === 'string' && 'format' in rest ? rest : part
}

/** Output schemas omit patterns, examples and the bounds of safe integers, because callers do not need them. */
function withoutForms(part: JsonSchema): JsonSchema {
  const isForm = (name: string, value: unknown) =>
    (name === 'pattern' && typeof value === 'string') ||
    (name === 'examples' && Array.isArray(value)) ||
    (/^(?:max|min)imum$/.test(name) && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER)
  return Object.fromEntries(Object.entries(part).filter(([name, value]) => !isForm(name, value)))
}

/** Some models accept only schemas with a single `type`. */
function oneTypeEach(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema
  return Array.isArray(type) && !('anyOf' in rest) ? { ...rest, anyOf: type.map((each) => ({ type: each })) } : schema
}
