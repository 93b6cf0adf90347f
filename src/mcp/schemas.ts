import { answersNothing, type Operation } from '../contract/define-operation.ts'
import { inputSchema, type JsonSchema, outputSchema, rewrite } from '../contract/generators/json-schema.ts'
import type { ToolEntry } from './tools.ts'

/** The argument that stands for the header Idempotency-Key. */
export const idempotencyArgument = 'idempotency_key'

const idempotencyKey = {
  type: 'string',
  minLength: 8,
  maxLength: 128,
  description:
    'Names this one call, such as a UUID. Send the same key when you repeat it, and another for another post or change: ' +
    'for 24 hours a repeat here, by this tool or over HTTP, gets the first answer and is not charged.',
}

/** The arguments of a tool: what its operation takes in path, query and body, side by side, without what is fixed. */
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

/** What `structuredContent` holds; undefined where a success says nothing more. Its root is an object, as clients ask. */
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

/** Models pay by the word: a pattern says no more than the format beside it, and our names for shared parts say nothing. */
function terse({ component: _, ...part }: JsonSchema): JsonSchema {
  const { pattern, ...rest } = part
  return typeof pattern === 'string' && 'format' in rest ? rest : part
}

/** Of what we answer, the shape of a text and the bounds of every number need not be told: nobody has to meet them. */
function withoutForms(part: JsonSchema): JsonSchema {
  const isForm = (name: string, value: unknown) =>
    (name === 'pattern' && typeof value === 'string') ||
    (name === 'examples' && Array.isArray(value)) ||
    (/^(?:max|min)imum$/.test(name) && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER)
  return Object.fromEntries(Object.entries(part).filter(([name, value]) => !isForm(name, value)))
}

/** Some models take only schemas whose `type` is one word. */
function oneTypeEach(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema
  return Array.isArray(type) && !('anyOf' in rest) ? { ...rest, anyOf: type.map((each) => ({ type: each })) } : schema
}
