import type { Operation } from '../../contract/define-operation.ts'
import { inputSchema, type JsonSchema, rewrite } from '../../contract/generators/json-schema.ts'
import { keptFor } from '../../contract/retention/periods.ts'
import type { ToolEntry } from './tool-entry.ts'

/** The argument that replaces the Idempotency-Key header. */
export const idempotencyArgument = 'idempotency_key'

const idempotencyKey = {
  type: 'string',
  minLength: 8,
  maxLength: 128,
  description:
    `A new UUID for each new call, and the same one for every retry: for ${keptFor('idempotent-answers')}, a retry ` +
    'returns the first response and costs nothing.',
}

/** The arguments of a tool: its operation's path, query and body parameters, without the fixed ones. */
export function argumentsSchema(
  operation: Operation,
  { fixed, defaults = {} }: ToolEntry,
  inToolWords: (text: string) => string,
): JsonSchema {
  const params = membersOf(operation.params && inputSchema(operation.params))
  const query = without(membersOf(operation.query && inputSchema(operation.query)), Object.keys(fixed?.query ?? {}))
  const body = without(membersOf(operation.body && inputSchema(operation.body)), Object.keys(fixed?.body ?? {}))
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
  }
  for (const [name, { value, description }] of Object.entries(defaults))
    schema.properties[name] = { ...schema.properties[name], default: value, description }
  return rewrite(schema, (part) => oneTypeEach(inWords(terse(part), inToolWords)))
}

function inWords(part: JsonSchema, inToolWords: (text: string) => string): JsonSchema {
  const { description } = part
  return typeof description === 'string' ? { ...part, description: inToolWords(description) } : part
}

type Members = { properties: Record<string, JsonSchema>; required: string[] }

const membersOf = (schema: JsonSchema | undefined): Members => ({
  properties: (schema?.['properties'] ?? {}) as Record<string, JsonSchema>,
  required: (schema?.['required'] ?? []) as string[],
})

function without({ properties, required }: Members, names: readonly string[]): Members {
  return {
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    required: required.filter((name) => !names.includes(name)),
  }
}

/** Whether this part of a schema is a schema itself, and not a list of properties, which can have any name. */
const isSchema = ({ type, anyOf, enum: values }: JsonSchema) =>
  typeof type === 'string' || [type, anyOf, values].some(Array.isArray)

/** The same arguments with their types alone, except the named ones: another tool describes them. */
export function typesAlone(schema: JsonSchema, except: readonly string[]): JsonSchema {
  const { properties, ...rest } = schema
  const members = Object.entries(properties as Record<string, JsonSchema>).map(([name, part]) => [
    name,
    except.includes(name) ? part : rewrite(part, typeAlone),
  ])
  return { ...rest, properties: Object.fromEntries(members) }
}

const structure = ['type', 'properties', 'required', 'items', 'anyOf']

const typeAlone = (part: JsonSchema): JsonSchema =>
  isSchema(part) ? Object.fromEntries(Object.entries(part).filter(([name]) => structure.includes(name))) : part

const annotations = ['component', 'examples', 'additionalProperties']

/**
 * Saves tokens. The operation validates the arguments in any case, so the schema has what a model needs to write them:
 * no example or pattern where a description says the same, and no bound that is only technical.
 */
function terse(part: JsonSchema): JsonSchema {
  if (!isSchema(part)) return part
  const { pattern, format, minLength, anyOf, description } = part
  const prefix = /^\^([a-z]+_)\[0-7\]/.exec(String(pattern))?.[1]
  const isObvious = description === 'Number of results.'
  const isNullable = Array.isArray(anyOf) && typeof description === 'string'
  return {
    ...omit(part, [
      ...annotations,
      ...(format || typeof description === 'string' ? ['pattern'] : []),
      ...(prefix ? ['pattern'] : []),
      ...(format ? ['maxLength'] : []),
      ...(minLength === 1 ? ['minLength'] : []),
      ...(Array.isArray(part['default']) ? ['default', 'minItems', 'maxItems'] : []),
      ...(isObvious ? ['description'] : []),
      ...(isTechnical(part['minimum']) ? ['minimum'] : []),
      ...(isTechnical(part['maximum']) ? ['maximum'] : []),
    ]),
    ...(prefix && { description: [description, `Starts with ${prefix}.`].filter(Boolean).join(' ') }),
    ...(isNullable && { anyOf: anyOf.map((each: JsonSchema) => omit(each, ['description'])) }),
  }
}

/** A bound of the storage and not of the meaning. */
const isTechnical = (bound: unknown) => typeof bound === 'number' && Math.abs(bound) >= 2 ** 32 - 1

const omit = (part: JsonSchema, names: readonly string[]): JsonSchema =>
  Object.fromEntries(Object.entries(part).filter(([name]) => !names.includes(name)))

/** Some models accept only schemas with a single `type`. */
function oneTypeEach(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema
  return Array.isArray(type) && !('anyOf' in rest) ? { ...rest, anyOf: type.map((each) => ({ type: each })) } : schema
}
