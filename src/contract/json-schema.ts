import { z } from 'zod'

export type JsonSchema = { [member: string]: unknown }

/** The schema of what a caller sends: exact, since a member we do not know is refused. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return withoutDialect(z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12', reused: 'inline' }))
}

/** The schema of what we answer: open, since a later version may add members and a client must not break on them. */
export function outputSchema(schema: z.ZodType): JsonSchema {
  return opened(withoutDialect(z.toJSONSchema(schema, { io: 'output', target: 'draft-2020-12', reused: 'inline' })))
}

/** The name under which a schema is shared, if it was given one. */
export const schemaName = (schema: z.ZodType): string | undefined => schema.meta()?.['component'] as string | undefined

function withoutDialect({ $schema: _, component: __, ...schema }: JsonSchema): JsonSchema {
  return schema
}

function opened<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(opened) as Value
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(
    ([name, member]) => !(name === 'additionalProperties' && member === false),
  )
  return Object.fromEntries(members.map(([name, member]) => [name, opened(member)])) as Value
}
