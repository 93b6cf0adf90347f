import type { Schema } from '../contract.ts'

/** Keywords that explain and do not decide what is valid. */
const explaining = new Set([
  'description',
  'title',
  'examples',
  'example',
  'deprecated',
  '$comment',
  '$schema',
  'markdownDescription',
])

/** The schema without explanations, and with `#/Name` for every reference to a named schema. */
export function plainSchema(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(([keyword]) => !explaining.has(keyword) && !keyword.startsWith('x-'))
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, plainValue(keyword, value)]))
}

function plainValue(keyword: string, value: unknown): unknown {
  if (keyword === '$ref') return `#/${String(value).split('/').at(-1)}`
  // Its members are names, not keywords.
  if (keyword === 'properties')
    return Object.fromEntries(Object.entries(value as object).map(([name, schema]) => [name, plainSchema(schema)]))
  if (keyword === 'default' || keyword === 'const' || keyword === 'enum') return value
  if (Array.isArray(value)) return value.map((one) => (isSchema(one) ? plainSchema(one) : one))
  return isSchema(value) ? plainSchema(value) : value
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The names of all schemas that a value refers to. */
export function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === '$ref') return [String(inner).slice(2)]
    return key === 'uses' ? (inner as string[]) : namesIn(inner)
  })
}
