import type { JsonSchema } from '../../contract/generators/json-schema.ts'

/** One field of a JSON object, as shown in a table row. */
export type Field = {
  /** The name, with the names of its parents: `location.city.name`, `data[].id`. */
  path: string
  type: string
  /** The name of the shared schema that the field or its items use, if any. */
  component: string | undefined
  isRequired: boolean
  description: string
  /** Limits beyond the type: `1 to 500 characters`. */
  limits: string[]
  /** A value, as JSON shows it. */
  example: string | undefined
}

/** Every field of a schema, each followed by its nested fields. Fields of shared schemas are not expanded. */
export function fieldsOf(schema: JsonSchema, prefix = ''): Field[] {
  const required = new Set((schema['required'] as string[] | undefined) ?? [])
  return Object.entries((schema['properties'] as Record<string, JsonSchema> | undefined) ?? {}).flatMap(
    ([name, member]) => {
      const path = `${prefix}${name}`
      const field = { path, isRequired: required.has(name), ...describe(member) }
      return field.component ? [field] : [field, ...membersOf(member, path)]
    },
  )
}

function membersOf(member: JsonSchema, path: string): Field[] {
  const [only] = realOptions(member)
  if (!only) return []
  const items = only['items'] as JsonSchema | undefined
  if (!items) return fieldsOf(only, `${path}.`)
  return componentOf(items) ? [] : fieldsOf(items, `${path}[].`)
}

function describe(member: JsonSchema): Omit<Field, 'path' | 'isRequired'> {
  const [only = {}, ...others] = realOptions(member)
  const items = only['items'] as JsonSchema | undefined
  return {
    type: typeOf(member),
    component: componentOf(only) ?? (items && componentOf(items)),
    description: String(member['description'] ?? only['description'] ?? ''),
    limits: others.length > 0 ? [] : limitsOf({ ...only, ...member }),
    example: others.length > 0 ? undefined : exampleOf({ ...only, ...member }),
  }
}

/** The non-null options of a union, or the schema itself if it is not a union. */
function realOptions(schema: JsonSchema): JsonSchema[] {
  const options = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined
  return options ? options.filter(({ type }) => type !== 'null') : [schema]
}

export function componentOf(schema: JsonSchema): string | undefined {
  const reference = schema['$ref'] as string | undefined
  return (schema['component'] as string | undefined) ?? reference?.split('/').at(-1)
}

export function typeOf(schema: JsonSchema): string {
  const options = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined
  if (options) return [...new Set(options.map(typeOf))].join(' or ')
  const component = componentOf(schema)
  if (component) return component
  if ('const' in schema) return typeof schema['const']
  const type = schema['type'] ?? (Array.isArray(schema['enum']) ? 'string' : 'any')
  if (type === 'array') return `array of ${pluralOf(typeOf((schema['items'] as JsonSchema | undefined) ?? {}))}`
  return Array.isArray(type) ? type.join(' or ') : String(type)
}

/** `strings`. The name of a schema stays as it is. */
const pluralOf = (type: string) => (/^(?:string|object|integer|number|boolean)$/.test(type) ? `${type}s` : type)

function limitsOf(schema: JsonSchema): string[] {
  const { minLength, maxLength, minimum, maximum, maxItems, uniqueItems } = schema as Record<string, number | undefined>
  return [
    ...('const' in schema ? [`exactly \`${JSON.stringify(schema['const'])}\``] : []),
    ...(Array.isArray(schema['enum']) ? [`one of ${schema['enum'].map((value) => `\`${value}\``).join(', ')}`] : []),
    ...range(minLength, maxLength, 'characters'),
    ...range(withinIntegers(minimum), withinIntegers(maximum), ''),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
    ...(uniqueItems ? ['no duplicates'] : []),
    ...('default' in schema ? [`\`${JSON.stringify(schema['default'])}\` by default`] : []),
    ...(typeof schema['format'] === 'string' ? [schema['format']] : []),
  ]
}

/** Hides the safe-integer bounds, which Zod adds to every integer and readers do not need. */
const withinIntegers = (bound: number | undefined) =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined

function range(min: number | undefined, max: number | undefined, unit: string): string[] {
  const written = (bound: number) => bound.toLocaleString('en')
  if (min !== undefined && max !== undefined) return [`${written(min)} to ${written(max)} ${unit}`.trim()]
  if (max !== undefined) return [`at most ${written(max)} ${unit}`.trim()]
  return min === undefined ? [] : [`at least ${written(min)} ${unit}`.trim()]
}

/** The format of a field with one tells enough. */
function exampleOf(schema: JsonSchema): string | undefined {
  const [example] = (schema['examples'] as unknown[] | undefined) ?? []
  const isShown = example !== undefined && typeof example !== 'object' && typeof schema['format'] !== 'string'
  return isShown ? String(example) : undefined
}
