import { z } from 'zod'

export type JsonSchema = { [member: string]: unknown }

/** The schema of a request. It is closed, because we reject unknown fields. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return withoutDialect(z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12', reused: 'inline' }))
}

/** The schema of a response. It is open, so that a later version can add fields without breaking clients. */
export function outputSchema(schema: z.ZodType): JsonSchema {
  const printed = withoutDialect(z.toJSONSchema(schema, { io: 'output', target: 'draft-2020-12', reused: 'inline' }))
  return rewrite(printed, ({ additionalProperties, ...rest }) =>
    additionalProperties === undefined || additionalProperties === false ? rest : { ...rest, additionalProperties },
  )
}

const withoutDialect = ({ $schema: _, ...schema }: JsonSchema): JsonSchema => schema

/** The component name of a schema; undefined if the schema is not shared. */
export const schemaName = (schema: z.ZodType): string | undefined => schema.meta()?.['component'] as string | undefined

/** The shared schemas in this one, including itself, by name. Nested shared schemas are replaced by their names. */
export function namedParts(schema: JsonSchema): Map<string, JsonSchema> {
  const parts = new Map<string, JsonSchema>()
  const collect = (part: JsonSchema) => {
    const { component, ...rest } = part
    if (typeof component !== 'string') return part
    parts.set(component, rest)
    return { component }
  }
  rewrite(schema, collect)
  return parts
}

/** Replaces every shared schema with a reference. */
export function withReferences(schema: JsonSchema): JsonSchema {
  return rewrite(schema, ({ component, ...rest }) =>
    typeof component === 'string' ? { $ref: `#/components/schemas/${component}` } : rest,
  )
}

/** Applies `change` to every object in the schema, innermost first. */
export function rewrite(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner)
    return typeof value === 'object' && value !== null ? rewrite(value as JsonSchema, change) : value
  }
  return change(Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, inner(member)])))
}
