import type { JsonSchema } from '../json-schema.ts'

/** Prints a TypeScript type for the subset of JSON Schema that our contract uses. Throws for any other schema. */
export function printType(schema: JsonSchema, indent = ''): string {
  if (typeof schema['component'] === 'string') return schema['component']
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ')
  const options = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(options)) return [...new Set(options.map((option) => printType(option, indent)))].join(' | ')
  const types = schema['type']
  if (Array.isArray(types)) return types.map((type) => printType({ ...schema, type }, indent)).join(' | ')
  switch (types) {
    case 'string':
    case 'boolean':
    case 'null':
      return types
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `Array<${printType(schema['items'] as JsonSchema, indent)}>`
    case 'object':
      return printObject(schema, indent)
    default:
      throw new Error(`The client generator does not support the schema ${JSON.stringify(schema).slice(0, 200)}`)
  }
}

function printObject(schema: JsonSchema, indent: string): string {
  const required = new Set((schema['required'] as string[] | undefined) ?? [])
  const properties = Object.entries((schema['properties'] as Record<string, JsonSchema> | undefined) ?? {})
  const deeper = `${indent}  `
  const members = properties.map(([name, property]) => {
    const description = property['description'] ? `${deeper}/** ${property['description']} */\n` : ''
    return `${description}${deeper}${name}${required.has(name) ? '' : '?'}: ${printType(property, deeper)}`
  })
  return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('\n')}\n${indent}}`
}
