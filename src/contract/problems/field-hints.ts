import type { z } from 'zod'
import { inputSchema, type JsonSchema } from '../generators/json-schema.ts'
import { closestName } from './closest-name.ts'

/** What would be valid instead. Never contains what the caller sent. */
export type FieldHints = {
  /** The valid names, if the name is wrong; otherwise the valid values. */
  allowed?: readonly unknown[]
  /** The one of `allowed` that is probably meant. */
  closest?: unknown
  /** An example value, or in words what it must be. */
  expected?: unknown
  /** Where it is explained: a path on the site until the response is written. */
  docs?: string
}

/** What was validated, so that errors can say what is valid. */
export type Validated = { schema: z.ZodType; input: unknown }

const maxAllowed = 50
const maxExpectedLength = 400

/** The hints for a field whose name is not known. */
export function hintsForName(path: readonly PropertyKey[], name: string, { schema, input }: Validated): FieldHints {
  const properties = propertiesOf(schemaAt(printed(schema), path))
  const allowed = Object.keys(properties)
  if (allowed.length === 0) return {}
  const given = valueAt(input, path)
  const closest = closestName(name, allowed)
  const isTaken = closest !== undefined && typeof given === 'object' && given !== null && Object.hasOwn(given, closest)
  if (closest === undefined || isTaken) return { allowed: allowed.slice(0, maxAllowed) }
  const expected = properties[closest]?.['description']
  return { allowed: allowed.slice(0, maxAllowed), closest, ...(expected !== undefined && { expected }) }
}

/** The hints for a value that is missing or wrong. Words repeat what the error's own sentence says, except for types. */
export function hintsForValue(
  path: readonly PropertyKey[],
  { values, inWordsToo }: { values?: readonly unknown[] | undefined; inWordsToo: boolean },
  { schema, input }: Validated,
): FieldHints {
  const part = schemaAt(printed(schema), path)
  const allowed = values ?? (Array.isArray(part['enum']) ? part['enum'] : undefined)
  if (allowed) {
    const given = valueAt(input, path)
    const closest = typeof given === 'string' ? closestName(given, allowed.map(String)) : undefined
    return { allowed: allowed.slice(0, maxAllowed), ...(closest && { closest }) }
  }
  const expected = exampleOf(part)
  if (!inWordsToo && expected === inWords(withoutNull(part))) return {}
  return expected === undefined || JSON.stringify(expected).length > maxExpectedLength ? {} : { expected }
}

const schemas = new WeakMap<z.ZodType, JsonSchema>()

function printed(schema: z.ZodType): JsonSchema {
  const known = schemas.get(schema) ?? inputSchema(schema)
  schemas.set(schema, known)
  return known
}

function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema {
  return path.reduce<JsonSchema>((part, step) => {
    const inner = withoutNull(part)
    if (typeof step === 'number') return (inner['items'] ?? {}) as JsonSchema
    const members = propertiesOf(inner)
    return Object.hasOwn(members, String(step)) ? (members[String(step)] ?? {}) : {}
  }, schema)
}

/** The schema without the alternative null, which edits allow. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema
  if (!Array.isArray(anyOf)) return schema
  return (anyOf as JsonSchema[]).find(({ type }) => type !== 'null') ?? schema
}

const propertiesOf = (schema: JsonSchema) => (withoutNull(schema)['properties'] ?? {}) as Record<string, JsonSchema>

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<PropertyKey, unknown>)[step]
        : undefined,
    input,
  )
}

/** A value that the schema accepts, or in words what it accepts. */
function exampleOf(schema: JsonSchema): unknown {
  const part = withoutNull(schema)
  const { examples, type, properties, items, enum: values, format, required = [] } = part
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  if (Array.isArray(values)) return values[0]
  if ('const' in part) return part['const']
  if (type === 'object' && properties) {
    const names = required as string[]
    return Object.fromEntries(
      names.map((name) => [name, exampleOf((properties as Record<string, JsonSchema>)[name] ?? {})]),
    )
  }
  if (type === 'array') return [exampleOf((items ?? {}) as JsonSchema)]
  if (format === 'date-time') return '2026-11-20T08:00:00Z'
  return inWords(part)
}

function inWords({ type, minLength, maxLength, minimum, maximum }: JsonSchema): string | undefined {
  if (type === 'string')
    return maxLength === undefined ? 'a string' : `a string of ${minLength ?? 0} to ${maxLength} characters`
  if (type === 'integer' || type === 'number')
    return minimum === undefined || maximum === undefined ? `a ${type}` : `a number from ${minimum} to ${maximum}`
  return type === 'boolean' ? 'true or false' : undefined
}
