import { z } from 'zod'

export type JsonSchema = { [member: string]: unknown }

/** The schema of what a caller sends: exact, since a member we do not know is refused. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return withoutDialect(z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12', reused: 'inline' }))
}

/** The schema of what we answer: open, since a later version may add members and a client must not break on them. */
export function outputSchema(schema: z.ZodType): JsonSchema {
  const printed = withoutDialect(z.toJSONSchema(schema, { io: 'output', target: 'draft-2020-12', reused: 'inline' }))
  return rewrite(printed, ({ additionalProperties, ...rest }) =>
    additionalProperties === undefined || additionalProperties === false ? rest : { ...rest, additionalProperties },
  )
}

const withoutDialect = ({ $schema: _, ...schema }: JsonSchema): JsonSchema => schema

/** The name under which a schema is shared, if it was given one. */
export const schemaName = (schema: z.ZodType): string | undefined => schema.meta()?.['component'] as string | undefined

/** The shared schemas in this one, itself included, by name. Where one stands inside another, only its name is left. */
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

/** The schema with a reference in the place of every shared one. */
export function withReferences(schema: JsonSchema): JsonSchema {
  return rewrite(schema, ({ component, ...rest }) =>
    typeof component === 'string' ? { $ref: `#/components/schemas/${component}` } : rest,
  )
}

/** Replaces every object of the schema, the innermost first. */
export function rewrite(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner)
    return typeof value === 'object' && value !== null ? rewrite(value as JsonSchema, change) : value
  }
  return change(Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, inner(member)])))
}
